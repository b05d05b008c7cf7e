package httpserver

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A mute service answers nothing.
type mute struct{ Service }

func (mute) Instructions() string { return "" }

// Only methods of declared capabilities are there, and an error of the SDK keeps its data: a client finds in it the
// protocol versions to go on with.
func TestMethodsAndVersions(t *testing.T) {
	s := New(mute{}, Options{Version: "1", Log: slog.New(slog.DiscardHandler), Limits: DefaultLimits})
	const old, latest = "2025-11-25", "2026-07-28"
	for _, test := range []struct {
		version, method, params string // params besides _meta
		status                  int
		code                    int64
		data                    string
	}{
		{old, "ping", ``, 200, 0, ""},
		{old, "prompts/list", ``, 200, -32601, ""},
		{old, "resources/list", ``, 200, -32601, ""},
		{old, "logging/setLevel", `,"level":"info"`, 200, -32601, ""},
		{old, "completion/complete", ``, 200, -32601, ""},
		{old, "subscriptions/listen", `,"notifications":{}`, 200, -32601, ""},
		{old, "no/such", ``, 200, -32601, ""},
		{latest, "server/discover", ``, 200, 0, ""},
		{latest, "prompts/list", ``, 404, -32601, ""},
		{latest, "subscriptions/listen", `,"notifications":{"toolsListChanged":true}`, 404, -32601, ""},
		{latest, "ping", ``, 404, -32601, ""},
		{latest, "no/such", ``, 404, -32601, ""},
		{"2099-01-01", "server/discover", ``, 400, -32022, `"requested":"2099-01-01"`},
	} {
		meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + test.version + `","io.modelcontextprotocol/clientCapabilities":{}}`
		if test.version == old {
			meta = `"_meta":{}`
		}
		body := `{"jsonrpc":"2.0","id":1,"method":"` + test.method + `","params":{` + meta + test.params + `}}`
		r := httptest.NewRequest("POST", "http://localhost/mcp", strings.NewReader(body))
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
			"Mcp-Protocol-Version": test.version, "Mcp-Method": test.method,
		} {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		var said struct {
			Error struct {
				Code int64
				Data json.RawMessage
			}
		}
		if err := json.Unmarshal(w.Body.Bytes(), &said); err != nil {
			t.Errorf("%s %s: %v: %s", test.version, test.method, err, w.Body)
			continue
		}
		if w.Code != test.status || said.Error.Code != test.code || !strings.Contains(string(said.Error.Data), test.data) || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s %s: got %d %s, want %d, code %d and %s", test.version, test.method, w.Code, w.Body, test.status, test.code, test.data)
		}
		if test.status == http.StatusOK && test.code == 0 && strings.Contains(w.Body.String(), "error") {
			t.Errorf("%s %s: %s", test.version, test.method, w.Body)
		}
	}
}

package record

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"docpin/gen"
	"docpin/internal/client"
	"docpin/internal/corpus"
	"docpin/internal/digest"
)

// Verify checks a recording and adds what it looked at to v: the recording's own digest, the tools' digests, every
// case against the frames it names, and every result in them as if it had been saved by itself.
func Verify(ctx context.Context, v *client.Verifier, name string, r *gen.Recording) {
	v.Envelope(name, checkRecording(r))
	for i := range r.Cases {
		c := &r.Cases[i]
		at := fmt.Sprintf("%s case %s", name, c.CaseID)
		if c.RequestFrame == nil || c.ResponseFrame == nil {
			continue // judged without a call
		}
		answer, err := checkCase(r, c)
		v.Envelope(at+" frames", err)
		if err == nil && answer != nil {
			verifyAnswer(ctx, v, at+" result", answer)
		}
	}
}

// checkRecording checks what does not belong to one case.
func checkRecording(r *gen.Recording) error {
	if got := sum(r).String(); string(r.RecordingSha256) != got {
		return &client.CheckError{Check: "recording_sha256", Pointer: "/recording_sha256", Message: fmt.Sprintf("is %s, computed %s", r.RecordingSha256, got)}
	}
	if len(r.Cases) == 0 {
		return &client.CheckError{Check: "cases", Pointer: "/cases", Message: "is empty: nothing was recorded"}
	}
	for i, t := range r.Tools {
		if err := checkTool(&t); err != nil {
			return &client.CheckError{Check: "tool", Pointer: fmt.Sprintf("/tools/%d", i), Message: err.Error()}
		}
	}
	for i, c := range r.Cases {
		if c.Verdict == gen.RecordingCasesElemVerdictFail {
			return &client.CheckError{Check: "verdict", Pointer: fmt.Sprintf("/cases/%d", i), Message: fmt.Sprintf("case %s failed: %s", c.CaseID, c.Observed)}
		}
	}
	return checkChanged(r)
}

func checkTool(t *gen.RecordedTool) error {
	var d struct {
		Input  json.RawMessage `json:"inputSchema"`
		Output json.RawMessage `json:"outputSchema"`
	}
	if err := json.Unmarshal([]byte(t.Definition), &d); err != nil {
		return err
	}
	for _, s := range []struct {
		raw  json.RawMessage
		want gen.Digest
	}{{d.Input, t.InputSchemaSha256}, {d.Output, t.OutputSchemaSha256}} {
		got, err := digest.OfJSON(s.raw)
		if err != nil {
			return err
		}
		if got.String() != string(s.want) {
			return fmt.Errorf("schema of %s has digest %s, recorded %s", t.Name, got, s.want)
		}
	}
	return nil
}

// checkChanged requires that the start on a changed snapshot failed, and that the server said nothing before.
func checkChanged(r *gen.Recording) error {
	c := r.ChangedSnapshotStart
	bad := func(format string, args ...any) error {
		return &client.CheckError{Check: "changed_snapshot_start", Pointer: "/changed_snapshot_start", Message: fmt.Sprintf(format, args...)}
	}
	if c.Status != gen.RecordingChangedSnapshotStartStatusFailedBeforeInitialize || c.ExitCode == 0 {
		return bad("status %s, exit code %d", c.Status, c.ExitCode)
	}
	if !strings.Contains(c.Stderr, corpus.ErrFileHash.Error()) {
		return bad("stderr does not say %s", corpus.ErrFileHash)
	}
	for _, f := range r.Frames {
		if f.Process == changedProcess && f.Direction == gen.RecordingFramesElemDirectionServerToClient {
			return bad("the server answered")
		}
	}
	return nil
}

// message is what matters here of a JSON-RPC message.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"params"`
	Result *struct {
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
		Content    []struct {
			Text string `json:"text"`
		} `json:"content"`
	} `json:"result"`
	Error *struct {
		Code int64 `json:"code"`
	} `json:"error"`
}

// checkCase checks that the frames of c are its call and the answer to it, and that the answer is what c says. It
// returns the structured content of a result.
func checkCase(r *gen.Recording, c *gen.RecordedCase) (json.RawMessage, error) {
	bad := func(format string, args ...any) error {
		return &client.CheckError{Check: "frames", Message: fmt.Sprintf(format, args...)}
	}
	request, err := frame(r, *c.RequestFrame, c.Process, gen.RecordingFramesElemDirectionClientToServer)
	if err != nil {
		return nil, err
	}
	response, err := frame(r, *c.ResponseFrame, c.Process, gen.RecordingFramesElemDirectionServerToClient)
	if err != nil {
		return nil, err
	}
	if string(request.ID) != string(response.ID) || request.Method != "tools/call" || request.Params.Name != c.Tool {
		return nil, bad("frames %d and %d are no call of %s and its answer", *c.RequestFrame, *c.ResponseFrame, c.Tool)
	}
	sent, err := digest.OfJSON(request.Params.Arguments)
	if err != nil {
		return nil, err
	}
	if said, err := digest.OfJSON([]byte(c.Arguments)); err != nil || said != sent {
		return nil, bad("the arguments in frame %d are not those of the case", *c.RequestFrame)
	}
	outcome := ""
	switch {
	case response.Error != nil:
		outcome = rpcError(response.Error.Code)
	case response.Result == nil:
		return nil, bad("frame %d holds neither a result nor an error", *c.ResponseFrame)
	case response.Result.IsError && len(response.Result.Content) == 1:
		refusal, err := gen.DecodeRefusal([]byte(response.Result.Content[0].Text))
		if err != nil {
			return nil, bad("frame %d: refusal: %v", *c.ResponseFrame, err)
		}
		outcome = refusedAs(refusal)
	}
	if (outcome != "" || isDenial(c.Expected)) && outcome != c.Expected {
		return nil, bad("frame %d is %q, the case expects %q", *c.ResponseFrame, outcome, c.Expected)
	}
	if outcome != "" {
		return nil, nil
	}
	return response.Result.Structured, nil
}

// frame parses frame i, which must be of the process and direction.
func frame(r *gen.Recording, i int, process string, d gen.RecordingFramesElemDirection) (message, error) {
	if i >= len(r.Frames) || r.Frames[i].Process != process || r.Frames[i].Direction != d {
		return message{}, &client.CheckError{Check: "frames", Message: fmt.Sprintf("frame %d is none %s process %s", i, d, process)}
	}
	var m message
	if err := json.Unmarshal([]byte(r.Frames[i].Line), &m); err != nil {
		return message{}, &client.CheckError{Check: "frames", Message: fmt.Sprintf("frame %d: %v", i, err)}
	}
	return m, nil
}

// verifyAnswer hands a result to v.
func verifyAnswer(ctx context.Context, v *client.Verifier, name string, answer json.RawMessage) {
	switch client.KindOf(answer) {
	case client.SearchResult:
		r, err := gen.DecodeSearchResult(answer)
		if err != nil {
			v.Envelope(name, err)
			return
		}
		v.Search(ctx, name, &r)
	case client.ReadResult:
		r, err := gen.DecodeReadResult(answer)
		if err != nil {
			v.Envelope(name, err)
			return
		}
		v.Read(name, &r)
	default:
		v.Envelope(name, &client.CheckError{Check: "result", Message: "is neither a search result nor a read result"})
	}
}

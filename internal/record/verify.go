package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"docpin/gen"
	"docpin/internal/client"
	"docpin/internal/corpus"
	"docpin/internal/digest"
	"docpin/internal/strict"
)

// Verify checks a recording and adds what it looked at to v: the recording's own digest, its tools against the frame
// that published them, every case of the script against its frames, every answer against its call, and every result as
// if it had been saved by itself. What the server wrote to standard error, and how its processes ended, is only said.
func Verify(ctx context.Context, v *client.Verifier, name string, r *gen.Recording) {
	tools, err := checkRecording(r)
	v.Envelope(name, err)
	v.Unproven(name + ": standard error, exit codes and command lines of the servers; a recording only says them")
	if err != nil {
		return
	}
	issued := issued{handles: map[gen.Digest]gen.Handle{}, tokens: map[gen.Digest]bool{}, cursors: map[string]bool{}}
	for i := range r.Cases {
		c := &r.Cases[i]
		if c.RequestFrame == nil {
			continue // judged without a call
		}
		at := fmt.Sprintf("%s case %s", name, c.CaseID)
		answer, err := checkCase(r, c, tools, issued)
		v.Envelope(at+" frames", err)
		if err == nil && answer != nil {
			verifyAnswer(ctx, v, at+" result", r, c, answer, issued)
		}
	}
}

// checkRecording checks what does not belong to one case, and returns the tools as the recorded server published them.
func checkRecording(r *gen.Recording) ([]client.Tool, error) {
	if got := sum(r).String(); string(r.RecordingSha256) != got {
		return nil, failed("recording_sha256", "/recording_sha256", "is %s, computed %s", r.RecordingSha256, got)
	}
	if len(r.Cases) != len(steps) {
		return nil, failed("cases", "/cases", "has %d cases, the script has %d", len(r.Cases), len(steps))
	}
	for i, c := range r.Cases {
		at, want := fmt.Sprintf("/cases/%d", i), steps[i]
		called := c.RequestFrame != nil && c.ResponseFrame != nil
		skipped := c.Verdict == gen.RecordingCasesElemVerdictSkip
		switch {
		case c.CaseID != want.id || c.Process != want.process || c.Expected != want.expected || c.Tool != want.tool:
			return nil, failed("cases", at, "is not the script's case %q", want.id)
		case skipped && !want.maySkip && (r.ServerURL == nil || want.process == mainProcess):
			return nil, failed("verdict", at+"/verdict", "case %s can't be skipped", c.CaseID)
		case c.Verdict == gen.RecordingCasesElemVerdictFail:
			return nil, failed("verdict", at+"/verdict", "case %s failed: %s", c.CaseID, c.Observed)
		case called == (skipped || want.tool == ""):
			return nil, failed("frames", at, "case %s has the wrong frames", c.CaseID)
		}
	}
	if err := checkChanged(r); err != nil {
		return nil, err
	}
	return checkTools(r)
}

// checkTools compares the tools with the first tools/list answer among the frames.
func checkTools(r *gen.Recording) ([]client.Tool, error) {
	for _, f := range r.Frames {
		var m struct {
			Result struct {
				Tools []json.RawMessage `json:"tools"`
			} `json:"result"`
		}
		if f.Direction != gen.RecordingFramesElemDirectionServerToClient || json.Unmarshal([]byte(f.Line), &m) != nil || m.Result.Tools == nil {
			continue
		}
		if len(m.Result.Tools) != len(r.Tools) {
			return nil, failed("tools", "/tools", "has %d tools, the server published %d", len(r.Tools), len(m.Result.Tools))
		}
		var tools []client.Tool
		for i, raw := range m.Result.Tools {
			t, err := client.NewTool(raw)
			if err != nil {
				return nil, failed("tools", fmt.Sprintf("/tools/%d", i), "%v", err)
			}
			recorded, err := recordTool(&t)
			if err != nil {
				return nil, failed("tools", fmt.Sprintf("/tools/%d", i), "%v", err)
			}
			if recorded != r.Tools[i] {
				return nil, failed("tools", fmt.Sprintf("/tools/%d", i), "is not what the server published")
			}
			tools = append(tools, t)
		}
		return tools, nil
	}
	return nil, failed("tools", "/frames", "hold no tools/list answer")
}

func failed(check, pointer, format string, args ...any) error {
	return &client.CheckError{Check: check, Pointer: pointer, Message: fmt.Sprintf(format, args...)}
}

// checkChanged requires that the start on a changed snapshot failed, and that the server said nothing before.
func checkChanged(r *gen.Recording) error {
	if r.ServerURL != nil {
		if r.ChangedSnapshotStart != nil || len(r.Processes) > 0 {
			return failed("changed_snapshot_start", "/server_url", "stands beside processes that were started")
		}
		return nil
	}
	c := r.ChangedSnapshotStart
	if c == nil {
		return failed("changed_snapshot_start", "/changed_snapshot_start", "is absent")
	}
	bad := func(format string, args ...any) error {
		return failed("changed_snapshot_start", "/changed_snapshot_start", format, args...)
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

// issued is what the calls so far have handed out.
type issued struct {
	handles map[gen.Digest]gen.Handle // by read_token
	tokens  map[gen.Digest]bool       // read_tokens whose handles are not known
	cursors map[string]bool
}

func (i issued) search(r *gen.SearchResult) {
	for _, h := range r.Results {
		i.handles[h.ReadToken] = h
	}
	if r.NextCursor != nil {
		i.cursors[*r.NextCursor] = true
	}
	for _, s := range r.Stubs {
		i.tokens[s.ReadToken] = true
	}
	for k := range r.Bodies {
		h := client.HandleOf(&r.Bodies[k])
		i.handles[h.ReadToken] = h
		i.read(&r.Bodies[k])
	}
}

func (i issued) read(r *gen.ReadResult) {
	for _, t := range []*gen.Digest{r.PreviousReadToken, r.NextReadToken} {
		if t != nil {
			i.tokens[*t] = true
		}
	}
}

// message is what matters here of a JSON-RPC message.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code int64 `json:"code"`
	} `json:"error"`
}

// checkCase checks that the frames of c are its call and the answer to it, and that the answer is what c says. It
// returns the structured content of a result.
func checkCase(r *gen.Recording, c *gen.RecordedCase, tools []client.Tool, issued issued) (json.RawMessage, error) {
	request, err := frame(r, *c.RequestFrame, c.Process, gen.RecordingFramesElemDirectionClientToServer)
	if err != nil {
		return nil, err
	}
	response, err := frame(r, *c.ResponseFrame, c.Process, gen.RecordingFramesElemDirectionServerToClient)
	if err != nil {
		return nil, err
	}
	if string(request.ID) != string(response.ID) || request.Method != "tools/call" || request.Params.Name != c.Tool {
		return nil, failed("frames", "", "frames %d and %d are no call of %s and its answer", *c.RequestFrame, *c.ResponseFrame, c.Tool)
	}
	sent, err := digest.OfJSON(request.Params.Arguments)
	if err != nil {
		return nil, failed("frames", "", "frame %d: %v", *c.RequestFrame, err)
	}
	if said, err := digest.OfJSON([]byte(c.Arguments)); err != nil || said != sent {
		return nil, failed("frames", "", "the arguments in frame %d are not those of the case", *c.RequestFrame)
	}
	answer, outcome := judgeAnswer(response, c.Tool, tools)
	if isDenial(c.Expected) {
		if err := checkDenied(r, c, issued); err != nil {
			return nil, err
		}
		if outcome != c.Expected {
			return nil, failed("outcome", "", "frame %d is %q, the case expects %q", *c.ResponseFrame, outcome, c.Expected)
		}
		return nil, nil
	}
	if answer == nil {
		return nil, failed("outcome", "", "frame %d is %q, the case expects %q", *c.ResponseFrame, outcome, c.Expected)
	}
	return answer, nil
}

// checkDenied checks that the arguments of a call that was to be denied deserve it.
func checkDenied(r *gen.Recording, c *gen.RecordedCase, issued issued) error {
	if strings.HasPrefix(c.Expected, "refused: "+string(gen.RefusalCodeInvalidArguments)) {
		args, err := gen.DecodeSearchDocumentationArguments([]byte(c.Arguments))
		if c.CaseID == caseForeign && err == nil && args.Cursor != nil && args.Format != gen.SearchDocumentationArgumentsFormatResults {
			return nil
		}
		var found *strict.Error
		if !errors.As(err, &found) || refused(gen.RefusalCodeInvalidArguments, found.Violations[0].Pointer) != c.Expected {
			return failed("arguments", "", "are no reason for %q", c.Expected)
		}
		return nil
	}
	if c.CaseID == caseForgedCursor {
		args, err := gen.DecodeSearchDocumentationArguments([]byte(c.Arguments))
		if err != nil || args.Cursor == nil || issued.cursors[*args.Cursor] {
			return failed("arguments", "", "are no reason for %q", c.Expected)
		}
		return nil
	}
	if c.Tool != client.ReadTool {
		return nil // an unknown tool: its name is the reason
	}
	args, err := gen.DecodeReadDocumentationArguments([]byte(c.Arguments))
	if err != nil || args.Handle == nil {
		return failed("arguments", "", "name no handle")
	}
	h := *args.Handle
	was, known := issued.handles[h.ReadToken]
	deserved := known && h == was // of a fresh process, which has not issued it yet
	switch c.CaseID {
	case caseUnissued:
		deserved = known && h.SearchRequestID != was.SearchRequestID
	case caseStale:
		deserved = h.CorpusID != r.CorpusID
	case caseEdited:
		deserved = known && h != was && h.CorpusID == was.CorpusID && h.SearchRequestID == was.SearchRequestID
	}
	if !deserved {
		return failed("arguments", "", "are no reason for %q", c.Expected)
	}
	return nil
}

// judgeAnswer returns the structured content of a result, or describes what the answer is instead.
func judgeAnswer(m message, tool string, tools []client.Tool) (answer json.RawMessage, outcome string) {
	if m.Error != nil {
		return nil, rpcError(m.Error.Code)
	}
	for i := range tools {
		if tools[i].Name != tool {
			continue
		}
		answer, err := tools[i].Accept(m.Result)
		var refused *client.RefusedError
		switch {
		case errors.As(err, &refused):
			return nil, refusedAs(refused.Refusal)
		case err != nil:
			return nil, err.Error()
		}
		return answer, "a result"
	}
	return nil, "a result of a tool that was not published"
}

// frame parses frame i, which must be of the process and direction.
func frame(r *gen.Recording, i int, process string, d gen.RecordingFramesElemDirection) (message, error) {
	if i >= len(r.Frames) || r.Frames[i].Process != process || r.Frames[i].Direction != d {
		return message{}, failed("frames", "", "frame %d is none %s process %s", i, d, process)
	}
	var m message
	line, err := digest.Canonical([]byte(r.Frames[i].Line)) // strict: no member twice
	if err == nil {
		err = json.Unmarshal(line, &m)
	}
	if err != nil {
		return message{}, failed("frames", "", "frame %d: %v", i, err)
	}
	return m, nil
}

// verifyAnswer binds a result to its call and hands it to v. issued collects the handles of searches, by token.
func verifyAnswer(ctx context.Context, v *client.Verifier, name string, rec *gen.Recording, c *gen.RecordedCase, answer json.RawMessage, issued issued) {
	if c.Tool == client.SearchTool {
		args, err := gen.DecodeSearchDocumentationArguments([]byte(c.Arguments))
		if err != nil {
			v.Envelope(name, err)
			return
		}
		r, err := gen.DecodeSearchResult(answer)
		if err == nil {
			err = client.CheckSearchCall(args, rec.CorpusID, &r)
		}
		if err == nil {
			err = checkShape(c.CaseID, &r)
		}
		if err != nil {
			v.Envelope(name, err)
			return
		}
		issued.search(&r)
		v.Search(ctx, name, &r)
		return
	}
	args, err := gen.DecodeReadDocumentationArguments([]byte(c.Arguments))
	if err != nil {
		v.Envelope(name, err)
		return
	}
	r, err := gen.DecodeReadResult(answer)
	if err == nil {
		err = checkReadCall(args, &r, issued)
	}
	if err != nil {
		v.Envelope(name, err)
		return
	}
	issued.read(&r)
	v.Read(name, &r)
}

// checkShape checks what the script wants of a search beyond its call.
func checkShape(id string, r *gen.SearchResult) error {
	switch id {
	case caseSearch, caseFreshSearch:
		if len(r.Results) == 0 {
			return failed("outcome", "/results", "is empty")
		}
	case caseStubs:
		if len(r.Stubs) == 0 || len(r.Hubs) == 0 {
			return failed("outcome", "/stubs", "or hubs are empty")
		}
	case caseBodies:
		if len(r.Bodies)+len(r.Omitted) == 0 {
			return failed("outcome", "/bodies", "are empty, and so is omitted")
		}
	case caseNextPage:
		if len(r.Results) == 0 || r.Results[0].Rank < 2 {
			return failed("outcome", "/results", "is not a later page")
		}
	case caseNoMatch:
		if len(r.Results) > 0 || r.AvailableVersions != nil {
			return failed("outcome", "/results", "is not empty")
		}
	case caseAbsentVersion:
		if len(r.AvailableVersions) == 0 {
			return failed("outcome", "/available_versions", "is empty")
		}
	}
	return nil
}

// checkReadCall checks that r reads the handle that args name, which a search of the recording must have issued.
func checkReadCall(args gen.ReadDocumentationArguments, r *gen.ReadResult, issued issued) error {
	token := args.ReadToken
	if args.Handle != nil {
		token = &args.Handle.ReadToken
	}
	if args.Handle == nil && issued.tokens[*token] {
		return checkToken(*token, r)
	}
	h, ok := issued.handles[*token]
	if !ok || args.Handle != nil && *args.Handle != h {
		return failed("issued", "", "no search of the recording issued what was read")
	}
	return client.CheckReadOf(&h, r)
}

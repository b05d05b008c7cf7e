// Package record runs a scripted session against a server, started as a child process, and writes down what it saw:
// every frame in both directions, every verdict, and how a start with one changed byte of the snapshot failed. The
// faults are real: requests are sent and files are changed.
package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docpin/gen"
	"docpin/internal/client"
	"docpin/internal/corpus"
	"docpin/internal/digest"
)

// Options say which server to record and what to ask it.
type Options struct {
	Command         []string // server command; --corpus FILE in it names the snapshot that is served
	URL             string   // address of /mcp of a server that runs; Command is then not used
	Version         string   // of docpin
	ProtocolVersion string   // to ask for; empty is the newest
	Snapshot        []byte   // snapshot that is served when the command names none
	Lock            []byte   // its lock file
	Query           string   // words that match in Release, and in the other version if there is one
	Release         string   // version to search
	Library         string   // library to search; empty if the version is in one library only
}

// Run records a session. The recording is complete also when cases failed; the error is for what prevented it.
func Run(ctx context.Context, o Options) (gen.Recording, error) {
	s := &script{ctx: ctx, o: o, rec: gen.Recording{Recorder: "docpin " + o.Version, Cases: []gen.RecordedCase{}, Processes: []gen.RecordedProcess{}}}
	if err := s.main(); err != nil {
		return gen.Recording{}, err
	}
	if err := s.fresh(); err != nil {
		return gen.Recording{}, err
	}
	if err := s.changed(); err != nil {
		return gen.Recording{}, err
	}
	s.rec.Frames = s.frames.list
	s.rec.RecordingSha256 = gen.Digest(sum(&s.rec).String())
	return s.rec, s.rec.Validate()
}

// sum returns the digest of r without its recording_sha256.
func sum(r *gen.Recording) digest.Sum { return digest.Of(r.AppendCanonical(nil, "recording_sha256")) }

// Failed returns the cases whose outcome was not the wanted one.
func Failed(r *gen.Recording) (failed []gen.RecordedCase) {
	for _, c := range r.Cases {
		if c.Verdict == gen.RecordingCasesElemVerdictFail {
			failed = append(failed, c)
		}
	}
	return failed
}

// script is a session in progress.
type script struct {
	ctx    context.Context
	o      Options
	frames frames
	rec    gen.Recording
	proc   *process // the one that is asked
	first  gen.SearchResult
}

// call makes one case of a tool call: it sends args and judges the outcome by want, which describes it or returns why
// it is not the wanted one.
func (s *script) call(id string, args json.RawMessage, want func(json.RawMessage, error) (string, error)) {
	from := s.frames.count()
	raw, callErr := s.proc.session.Call(s.ctx, stepOf(id).tool, args)
	observed, err := want(raw, callErr)
	c := s.judge(id, string(args), observed, err)
	request, response := from, s.frames.count()-1
	c.RequestFrame, c.ResponseFrame = &request, &response
}

// judge adds a case and returns it.
func (s *script) judge(id, args, observed string, err error) *gen.RecordedCase {
	verdict := gen.RecordingCasesElemVerdictPass
	if err != nil {
		verdict, observed = gen.RecordingCasesElemVerdictFail, err.Error()
	}
	step := stepOf(id)
	s.rec.Cases = append(s.rec.Cases, gen.RecordedCase{
		CaseID: id, Process: step.process, Tool: step.tool, Arguments: args, Expected: step.expected, Observed: cut(observed, 4096), Verdict: verdict,
	})
	return &s.rec.Cases[len(s.rec.Cases)-1]
}

// skip adds a case that the corpus gives no occasion for.
func (s *script) skip(id, why string) {
	s.judge(id, "", why, nil).Verdict = gen.RecordingCasesElemVerdictSkip
}

// skipProcess skips the cases of a process that a server which runs elsewhere can't give.
func (s *script) skipProcess(name string) {
	for _, step := range steps {
		if step.process == name {
			s.skip(step.id, "the server runs elsewhere: it is neither started anew nor given another snapshot")
		}
	}
}

// cut shortens s to at most n bytes at a character boundary.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// changed starts the server on a snapshot with one changed byte; it must end before it initializes.
func (s *script) changed() error {
	if s.o.URL != "" {
		s.skipProcess(changedProcess)
		return nil
	}
	dir, err := os.MkdirTemp("", "docpin-record-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	snapshot, lock, err := s.served()
	if err != nil {
		return err
	}
	offset := len(snapshot) / 2
	snapshot = slices.Clone(snapshot)
	snapshot[offset] ^= 1
	file := filepath.Join(dir, "changed"+corpus.Ext)
	if err := os.WriteFile(file, snapshot, 0o600); err != nil {
		return err
	}
	if lock != nil {
		if err := os.WriteFile(corpus.LockPath(file), lock, 0o600); err != nil {
			return err
		}
	}
	p, startErr := start(s.ctx, &s.frames, changedProcess, withCorpus(s.o.Command, file), s.o)
	if p == nil {
		return startErr
	}
	s.proc = p
	status := gen.RecordingChangedSnapshotStartStatusFailedBeforeInitialize
	if startErr == nil {
		status = gen.RecordingChangedSnapshotStartStatusInitialized
		if err := p.stop(); err != nil {
			return err
		}
	}
	s.rec.Processes = append(s.rec.Processes, p.record())
	s.rec.ChangedSnapshotStart = &gen.ChangedSnapshotStart{Status: status, ByteOffset: offset, Stderr: p.stderr.String(), ExitCode: p.exitCode()}
	var verdict error
	switch {
	case startErr == nil:
		verdict = errors.New("the server started on a changed snapshot")
	case p.exitCode() == 0:
		verdict = errors.New("the server ended with status 0")
	case !strings.Contains(p.stderr.String(), corpus.ErrFileHash.Error()):
		verdict = fmt.Errorf("stderr does not say %s: %q", corpus.ErrFileHash, cut(p.stderr.String(), 256))
	}
	s.judge(caseChanged, "", stepOf(caseChanged).expected, verdict)
	return nil
}

// served returns the snapshot that the server command serves and its lock.
func (s *script) served() (snapshot, lock []byte, err error) {
	file := corpusFlag(s.o.Command)
	if file == "" {
		return s.o.Snapshot, s.o.Lock, nil
	}
	snapshot, err = os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	lock, err = os.ReadFile(corpus.LockPath(file))
	if errors.Is(err, fs.ErrNotExist) {
		return snapshot, nil, nil // the command pins the snapshot itself
	}
	return snapshot, lock, err
}

// corpusFlag returns the value of --corpus in a command.
func corpusFlag(command []string) string {
	for i, a := range command {
		if v, ok := strings.CutPrefix(a, "--corpus="); ok {
			return v
		}
		if a == "--corpus" && i+1 < len(command) {
			return command[i+1]
		}
	}
	return ""
}

// withCorpus returns the command with --corpus set to file.
func withCorpus(command []string, file string) []string {
	out := slices.Clone(command)
	for i, a := range out {
		if strings.HasPrefix(a, "--corpus=") {
			out[i] = "--corpus=" + file
			return out
		}
		if a == "--corpus" && i+1 < len(out) {
			out[i+1] = file
			return out
		}
	}
	return append(out, "--corpus", file)
}

// tools copies what the server published.
func (s *script) tools() ([]gen.RecordedTool, error) {
	out := []gen.RecordedTool{}
	for _, t := range s.proc.session.Tools() {
		recorded, err := recordTool(&t)
		if err != nil {
			return nil, err
		}
		out = append(out, recorded)
	}
	return out, nil
}

func recordTool(t *client.Tool) (gen.RecordedTool, error) {
	in, err := digest.OfJSON(t.Input)
	if err != nil {
		return gen.RecordedTool{}, err
	}
	result, err := digest.OfJSON(t.Output)
	return gen.RecordedTool{
		Name: t.Name, InputSchemaSha256: gen.Digest(in.String()), OutputSchemaSha256: gen.Digest(result.String()), Definition: string(t.Definition),
	}, err
}

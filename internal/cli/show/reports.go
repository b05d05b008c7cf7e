package show

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"docpin/gen"
	"docpin/internal/client"
	"docpin/internal/eval"
	"docpin/internal/record"
	"docpin/internal/replay"
	"docpin/internal/retrieval"
)

func Eval(printf Printf, r *eval.Report, misses int) {
	printf("%-20s %8s %8s %10s %10s\n", "", "queries", "MRR@10", "recall@10", "success@1")
	line := func(name string, f eval.Figures) {
		printf("%-20s %8d %8.3f %10.3f %10.3f\n", name, f.Queries, f.MRR, f.Recall, f.Success)
	}
	for _, kind := range slices.Sorted(maps.Keys(r.Kinds)) {
		line(kind, r.Kinds[kind])
	}
	line("all", r.Figures)
	printf("mean length of the passages found: %.0f bytes\n", r.MeanBytes)
	for _, m := range r.Misses[:min(misses, len(r.Misses))] {
		printf("rank %d: %s (%s), wanted %v\n", m.Rank, m.Query.Text, m.Query.Kind, m.Query.Targets)
	}
}

// Explained prints how hits came by their scores.
func Explained(printf Printf, query string, all []retrieval.Explained) {
	terms := strings.Split(query, " ")
	if len(all) == 0 {
		printf("nothing matches %q in this version\n", query)
	}
	for _, e := range all {
		printf("%d. %s, line %d: score %d, %d of %d terms matched\n", e.Rank, e.SourceID, e.StartLine, e.Score, e.Matched, e.Terms)
		for _, p := range e.Parts {
			of := "boost"
			if p.Term > 0 && p.Term <= len(terms) {
				of = terms[p.Term-1]
			}
			printf("   %-20.20s %-12s %-28.28q %12d", of, p.Role, p.Key, p.Score)
			if p.Passages > 0 {
				printf("  in %d passages", p.Passages)
			}
			for _, f := range p.Fields {
				printf("  %s %.1f", f.Field, f.Times)
			}
			printf("\n")
		}
		printf("   score = sum of the terms x %d + boosts x %d\n", e.Matched, e.Terms)
	}
}

func Replay(printf Printf, r *replay.Report) {
	printf("%d searches, %d reads of their hits, %d other reads, %d refused calls\n", r.Searches, r.Reads, r.Others, r.Refused)
	printf("MRR of what was read: %.4f before, %.4f after\n", r.MRRBefore, r.MRRAfter)
	printf("%d moved up, %d down, %d gained, %d lost\n", r.Up, r.Down, r.Gained, r.Lost)
	if r.Unasked > 0 {
		printf("%d reads are left out: their searches are refused by this corpus, such as for want of a library\n", r.Unasked)
	}
	rank := func(n int) string {
		if n == 0 {
			return "-"
		}
		return fmt.Sprint("#", n)
	}
	for _, m := range r.Moves {
		printf("%5s -> %-5s %s, version %s, passage %.12s\n", rank(m.Before), rank(m.After), m.Query, m.Version, m.Passage)
	}
}

// Recording prints the session for people and returns an error if a case failed.
func Recording(printf Printf, r *gen.Recording) error {
	printf("server    %s %s, MCP %s\ncorpus_id %s\n", r.ServerName, r.ServerVersion, r.ProtocolVersion, r.CorpusID)
	for _, t := range r.Tools {
		printf("tool      %s, input schema %.12s, output schema %.12s\n", t.Name, t.InputSchemaSha256, t.OutputSchemaSha256)
	}
	printf("\n%-5s %-26s %s\n", "", "case", "outcome")
	for _, c := range r.Cases {
		printf("%-5s %-26s %s\n", c.Verdict, c.CaseID, c.Observed)
		if c.Verdict == gen.RecordingCasesElemVerdictFail {
			printf("%-5s %-26s wanted: %s\n", "", "", c.Expected)
		}
	}
	failed := len(record.Failed(r))
	printf("\n%d cases, %d failed, %d frames, recording_sha256 %s\n", len(r.Cases), failed, len(r.Frames), r.RecordingSha256)
	if failed > 0 {
		return fmt.Errorf("%d of %d cases failed", failed, len(r.Cases))
	}
	return nil
}

// Verified prints what was checked and returns the failures.
func Verified(printf Printf, r *client.Report) error {
	for _, i := range r.Items {
		printf("%-8s %-8s %s\n", i.Status, i.Kind, i.Name)
	}
	for _, u := range r.Unproven {
		printf("not proven: %s\n", u)
	}
	for _, kind := range []string{client.KindEnvelope, client.KindText} {
		printf("%ss: %d checked, %d failed, %d skipped\n", kind, r.Count(kind, client.StatusChecked), r.Count(kind, client.StatusFailed), r.Count(kind, client.StatusSkipped))
	}
	printf("listed %d: %d checked, %d failed, %d skipped\n", len(r.Items), r.Count("", client.StatusChecked), r.Count("", client.StatusFailed), r.Count("", client.StatusSkipped))
	return r.Err()
}

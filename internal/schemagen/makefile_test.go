package schemagen

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// "make breaking" takes the allowed breaks for the release, however that is named, and for nothing else.
func TestMakeBreaking(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	_, release, _ := strings.Cut(string(makefile), "\nRELEASE := ")
	release, _, _ = strings.Cut(release, "\n")
	commit, err := git(".", "rev-parse", "--verify", release+"^{commit}")
	if err != nil {
		t.Skip(err) // a shallow clone, or none
	}
	commit = strings.TrimSpace(commit)
	for base, want := range map[string]bool{release: true, commit: true, commit[:12]: true, release + "~1": false, "schema": false} {
		out, err := exec.Command("make", "-n", "-C", "../..", "breaking", "BASE="+base).Output()
		if err != nil {
			t.Skip(err)
		}
		if got := strings.Contains(string(out), "-allow schema/allowed.txt"); got != want {
			t.Errorf("BASE=%s: allowed breaks are taken: %t, want %t", base, got, want)
		}
	}
}

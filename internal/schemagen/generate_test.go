package schemagen

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"docpin/schema"

	"github.com/google/go-cmp/cmp"
)

// TestDrift is what makes a plain "go test" fail when gen is not what the schemas generate, extra files included.
func TestDrift(t *testing.T) {
	files, err := Generate(schema.Files)
	if err != nil {
		t.Fatal(err)
	}
	if err := Drift("../../gen", files); err != nil {
		t.Errorf("%v; run go generate ./...", err)
	}
}

// The output depends on the schemas' bytes alone: not on the run, the folder, the locale or the time zone.
func TestGenerateIsReproducible(t *testing.T) {
	want, err := Generate(schema.Files)
	if err != nil {
		t.Fatal(err)
	}
	for _, env := range []struct{ folder, lang, zone string }{
		{"a", "C", "UTC"},
		{"b/deeper folder", "tr_TR.UTF-8", "Asia/Kathmandu"},
		{"ñ", "ja_JP.EUC-JP", "Pacific/Apia"},
	} {
		t.Run(env.folder, func(t *testing.T) {
			t.Setenv("LANG", env.lang)
			t.Setenv("LC_ALL", env.lang)
			t.Setenv("TZ", env.zone)
			dir := filepath.Join(t.TempDir(), env.folder)
			if err := os.CopyFS(dir, schema.Files); err != nil {
				t.Fatal(err)
			}
			t.Chdir(dir)
			got, err := Generate(os.DirFS("."))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range slices.Sorted(maps.Keys(want)) {
				if !bytes.Equal(got[name], want[name]) {
					t.Errorf("%s differs", name)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%d files, want %d", len(got), len(want))
			}
		})
	}
}

func TestDriftAndWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gen")
	files := map[string][]byte{"a.go": []byte("a"), "published/b.json": []byte("b")}
	drift := func() []string {
		t.Helper()
		err := Drift(dir, files)
		if err == nil {
			return nil
		}
		var drift *DriftError
		if !errors.As(err, &drift) {
			t.Fatal(err)
		}
		return drift.Files
	}
	check := func(want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, drift()); diff != "" {
			t.Errorf("drift (-want +got):\n%s", diff)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	check("a.go is missing", "published/b.json is missing")
	if err := Write(dir, files); err != nil {
		t.Fatal(err)
	}
	check()
	write("a.go", "a ")
	write("published/c.json", "")
	check("a.go differs", "published/c.json is not generated")
	if err := Write(dir, files); err != nil {
		t.Fatal(err)
	}
	check()
}

// What go-jsonschema would warn of, or silently merge or drop, is refused before or by the generator.
func TestGenerateRefuses(t *testing.T) {
	head := `{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"a.schema.json","description":"d","title":"T","type":"object","additionalProperties":false,"properties":`
	const boolean = `{"m":{"description":"d","type":"boolean"}}}`
	inner := func(title string) string {
		return `{"description":"d","title":"` + title + `","type":"object","additionalProperties":false,"properties":` + boolean
	}
	for text, want := range map[string]string{
		`{`: "a.schema.json: ",
		head + `{"m":{"description":"d","type":"string"}}}`:                                                "string without maxLength",
		head + `{"a_b":{"description":"d","type":"boolean"},"a_b_":{"description":"d","type":"boolean"}}}`: "field",
		// Names that Go would find declared twice.
		head + `{"validate":{"description":"d","type":"boolean"}}}`:                               "the Go name T.Validate is declared twice, by the title T in a.schema.json; rename",
		head + `{"append_canonical":{"description":"d","type":"boolean"}}}`:                       "the Go name T.AppendCanonical is declared twice, by the title T in a.schema.json; rename",
		strings.Replace(head, `"T"`, `"Published"`, 1) + boolean:                                  "the Go name Published is declared twice, by the title Published in a.schema.json; rename",
		strings.Replace(head, `"T"`, `"OpenAPI"`, 1) + boolean:                                    "the Go name OpenAPI is declared twice, by the title OpenAPI in a.schema.json; rename",
		head + `{"m":` + strings.TrimSuffix(inner("DecodeT"), "}") + `}}}`:                        "the Go name DecodeT is declared twice, by the title DecodeT in a.schema.json, by the title T in a.schema.json; rename",
		head + `{"b":{"description":"d","type":"string","maxLength":1},"m":` + inner("TB") + `}}`: "the Go name tBRule is declared twice, by the title T in a.schema.json, by the title TB in a.schema.json; rename",
		head + `{"m":{"description":"d","type":"number","const":1e400}}}`:                         "a.schema.json: /properties/m: const 1e400 is beyond float64",
	} {
		_, err := Generate(fstest.MapFS{"a.schema.json": {Data: []byte(text)}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", text, err, want)
		}
	}
}

func TestMainStatus(t *testing.T) {
	for _, test := range []struct {
		want int
		args []string
	}{
		{0, []string{"-schemas", "../../schema", "-out", "../../gen", "-check"}},
		{1, []string{"-schemas", "../../schema", "-out", t.TempDir(), "-check"}},
		{2, []string{"extra"}},
		{2, []string{"-unknown"}},
	} {
		var stderr bytes.Buffer
		if got := Main(test.args, io.Discard, &stderr); got != test.want {
			t.Errorf("Main(%q) = %d, want %d: %s", test.args, got, test.want, &stderr)
		}
	}
}

package schemagen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"docpin/internal/schemagen/gocode"
	"docpin/internal/schemagen/profile"
)

// runProgram compiles and runs a main package of the given files with stdin, and returns what it prints. The
// package appears to lie in this module, so that it can import what is internal, but nothing is written there.
func runProgram(t *testing.T, files map[string][]byte, stdin []byte) []byte {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	overlay := map[string]map[string]string{"Replace": {}}
	for name, text := range files {
		path := filepath.Join(temp, name)
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		overlay["Replace"][filepath.Join(here, "program", name)] = path
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	overlayFile := filepath.Join(temp, "overlay.json")
	if err := os.WriteFile(overlayFile, text, 0o644); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(temp, "program.exe")
	build := exec.Command("go", "build", "-overlay", overlayFile, "-o", binary, "./program")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	run := exec.Command(binary)
	run.Stdin = bytes.NewReader(stdin)
	var stderr bytes.Buffer
	run.Stderr = &stderr
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	return out
}

// document is a text for one of the types of a generated program.
type document struct {
	Type, Text string
}

// verdict is what the generated code makes of a document.
type verdict struct {
	Error     string // of the decoder
	Validate  string // the error of Validate on what was decoded
	JSON      string // what encoding/json makes of it
	Canonical string // what AppendCanonical makes of it, if it is an object
}

const driver = `package main

import (
	"encoding/json"
	"os"
)

func main() {
	var documents []struct{ Type, Text string }
	if err := json.NewDecoder(os.Stdin).Decode(&documents); err != nil {
		panic(err)
	}
	verdicts := make([]struct{ Error, Validate, JSON, Canonical string }, len(documents))
	for i, d := range documents {
		value, err := decoders[d.Type]([]byte(d.Text))
		if err != nil {
			verdicts[i].Error = err.Error()
			continue
		}
		if err := value.(interface{ Validate() error }).Validate(); err != nil {
			verdicts[i].Validate = err.Error()
		}
		text, err := json.Marshal(value)
		if err != nil {
			panic(err)
		}
		verdicts[i].JSON = string(text)
		if c, ok := value.(interface{ AppendCanonical([]byte, string) []byte }); ok {
			verdicts[i].Canonical = string(c.AppendCanonical(nil, ""))
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(verdicts); err != nil {
		panic(err)
	}
}

var decoders = map[string]func([]byte) (any, error){
`

// runSchemas generates from the schemas, compiles the result and runs it on the documents.
func runSchemas(t *testing.T, schemas fs.FS, documents []document) []verdict {
	t.Helper()
	files, err := Generate(schemas)
	if err != nil {
		t.Fatal(err)
	}
	roots, err := profile.Load(schemas)
	if err != nil {
		t.Fatal(err)
	}
	main := driver
	for _, s := range gocode.Titled(roots) {
		main += fmt.Sprintf("%q: func(text []byte) (any, error) { v, err := Decode%[1]s(text); return &v, err },\n", s.Title)
	}
	program := map[string][]byte{"main.go": []byte(main + "}\n")}
	for _, name := range []string{modelsFile, decodersFile} {
		program[name] = bytes.Replace(files[name], []byte("package gen\n"), []byte("package main\n"), 1)
	}
	stdin, err := json.Marshal(documents)
	if err != nil {
		t.Fatal(err)
	}
	var verdicts []verdict
	if err := json.Unmarshal(runProgram(t, program, stdin), &verdicts); err != nil {
		t.Fatal(err)
	}
	return verdicts
}

package schema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"docpin/gen"

	googleschema "github.com/google/jsonschema-go/jsonschema"
	"github.com/xeipuuv/gojsonschema"
)

// BenchmarkDecodeRatios measures the generated decoders against the ways to get from bytes to a checked Go value
// without them, and prints how many times longer those take. All take turns within one run, so that what else the
// machine does falls on all alike; the medians count. It fails if a ratio that the design promises is missed.
func BenchmarkDecodeRatios(b *testing.B) {
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(out, "document\tbytes\tgenerated ns\tgojsonschema + Unmarshal\tpromised\tDisallowUnknownFields\tgoogle/jsonschema-go + Unmarshal\t\n")
	for _, d := range benchDocuments(b) {
		medians := takeTurns(b, d.contenders(b))
		ratio := func(i int) float64 { return medians[i] / medians[0] }
		fmt.Fprintf(out, "%s\t%d\t%.0f\t%.1f x\t%.0f x\t%.1f x\t%.1f x\t\n", d.name, len(d.text), medians[0], ratio(1), d.promised, ratio(2), ratio(3))
		if ratio(1) < d.promised {
			b.Errorf("%s: gojsonschema + Unmarshal takes %.1f times as long; promised are %.0f times", d.name, ratio(1), d.promised)
		}
	}
	if err := out.Flush(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(0, "ns/op") // the table has the figures
}

type benchDocument struct {
	name, published string
	text            []byte
	promised        float64
	decode          func([]byte) error
	value           any // the generated type
}

func benchDocuments(b *testing.B) []benchDocument {
	b.Helper()
	handle, err := gen.DecodeHandle(readDir(b, "examples")["handle.json"])
	if err != nil {
		b.Fatal(err)
	}
	search, err := gen.DecodeSearchResult(readDir(b, "examples")["search_result.json"])
	if err != nil {
		b.Fatal(err)
	}
	read, err := gen.DecodeReadResult(readDir(b, "examples")["read_result.json"])
	if err != nil {
		b.Fatal(err)
	}
	ten := search
	ten.Previews = nil
	ten.Results = slices.Repeat(search.Results, 10)
	full := search
	full.Results, full.Previews = ten.Results, slices.Repeat(search.Previews, 10)
	read.Text = strings.Repeat("Path.read_text opens a file in \"text mode\".\n", 4096/44+1)[:4096]
	k := gen.SearchDocumentationArguments{Query: "path read_text", Version: "3.12", K: 2, Format: gen.SearchDocumentationArgumentsFormatResults}
	marshal := func(v any) []byte {
		text, err := json.Marshal(v)
		if err != nil {
			b.Fatal(err)
		}
		return text
	}
	return []benchDocument{
		{"search arguments", "search_documentation.input", marshal(k), 0, decoded(gen.DecodeSearchDocumentationArguments), k},
		{"handle", "handle", marshal(handle), 12, decoded(gen.DecodeHandle), handle},
		{"search result, 10 handles", "search_documentation.output", marshal(ten), 12, decoded(gen.DecodeSearchResult), ten},
		{"the same with previews", "search_documentation.output", marshal(full), 0, decoded(gen.DecodeSearchResult), full},
		{"read result, 4 KiB text", "read_documentation.output", marshal(read), 6, decoded(gen.DecodeReadResult), read},
	}
}

func decoded[T any](decode func([]byte) (T, error)) func([]byte) error {
	return func(text []byte) error {
		_, err := decode(text)
		return err
	}
}

// contenders returns what takes turns, the generated decoder first.
func (d benchDocument) contenders(b *testing.B) []func() error {
	b.Helper()
	published := gen.Published(d.published)
	compiled, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(published))
	if err != nil {
		b.Fatal(err)
	}
	var google googleschema.Schema
	if err := json.Unmarshal(published, &google); err != nil {
		b.Fatal(err)
	}
	resolved, err := google.Resolve(nil)
	if err != nil {
		b.Fatal(err)
	}
	plain := plainType(reflect.TypeOf(d.value))
	return []func() error{
		func() error { return d.decode(d.text) },
		func() error {
			result, err := compiled.Validate(gojsonschema.NewBytesLoader(d.text))
			if err != nil {
				return err
			}
			if !result.Valid() {
				return fmt.Errorf("%v", result.Errors())
			}
			return json.Unmarshal(d.text, reflect.New(plain).Interface())
		},
		func() error {
			decoder := json.NewDecoder(bytes.NewReader(d.text))
			decoder.DisallowUnknownFields()
			return decoder.Decode(reflect.New(plain).Interface())
		},
		func() error {
			var v any
			if err := json.Unmarshal(d.text, &v); err != nil {
				return err
			}
			if err := resolved.Validate(v); err != nil {
				return err
			}
			return json.Unmarshal(d.text, reflect.New(plain).Interface())
		},
	}
}

// plainType returns a type of the same shape whose parts have no methods, so that encoding/json goes its own way.
func plainType(t reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Struct:
		fields := make([]reflect.StructField, t.NumField())
		for i := range fields {
			f := t.Field(i)
			fields[i] = reflect.StructField{Name: f.Name, Type: plainType(f.Type), Tag: f.Tag}
		}
		return reflect.StructOf(fields)
	case reflect.Pointer:
		return reflect.PointerTo(plainType(t.Elem()))
	case reflect.Slice:
		return reflect.SliceOf(plainType(t.Elem()))
	case reflect.String:
		return reflect.TypeFor[string]()
	}
	return t
}

// takeTurns returns the median time of each function in nanoseconds. Turns are many and short, so that most of them
// pass undisturbed on a machine that has other things to do.
func takeTurns(b *testing.B, functions []func() error) []float64 {
	b.Helper()
	const rounds, turn = 201, 300 * time.Microsecond
	measure := func(f func() error, n int) time.Duration {
		start := time.Now()
		for range n {
			if err := f(); err != nil {
				b.Fatal(err)
			}
		}
		return time.Since(start)
	}
	calls := make([]int, len(functions)) // in a turn
	for i, f := range functions {
		measure(f, 10)
		calls[i] = 1 + int(10*turn/measure(f, 10))
	}
	times := make([][]float64, len(functions))
	for range rounds {
		for i, f := range functions {
			times[i] = append(times[i], float64(measure(f, calls[i]).Nanoseconds())/float64(calls[i]))
		}
	}
	medians := make([]float64, len(functions))
	for i, t := range times {
		slices.Sort(t)
		medians[i] = t[len(t)/2]
	}
	return medians
}

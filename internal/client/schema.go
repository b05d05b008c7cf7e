package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/xeipuuv/gojsonschema"

	"docpin/internal/digest"
)

// Limits of a discovered schema, which comes from a server that is not trusted.
const (
	maxSchemaBytes = 64 << 10
	maxSchemaDepth = 16
)

// Tool is one tool as the server published it.
type Tool struct {
	Name       string
	Definition json.RawMessage
	Input      json.RawMessage
	Output     json.RawMessage
	output     schema
}

// NewTool reads a tool's definition and compiles its schemas.
func NewTool(definition json.RawMessage) (Tool, error) {
	var d struct {
		Name   string          `json:"name"`
		Input  json.RawMessage `json:"inputSchema"`
		Output json.RawMessage `json:"outputSchema"`
	}
	if err := json.Unmarshal(definition, &d); err != nil {
		return Tool{}, err
	}
	if _, err := compile(d.Input); err != nil {
		return Tool{}, fmt.Errorf("tool %q: input schema: %w", d.Name, err)
	}
	output, err := compile(d.Output)
	if err != nil {
		return Tool{}, fmt.Errorf("tool %q: output schema: %w", d.Name, err)
	}
	return Tool{d.Name, definition, d.Input, d.Output, output}, nil
}

// schema is a discovered schema, compiled.
type schema struct{ compiled *gojsonschema.Schema }

// compile checks raw before gojsonschema sees it, since that follows $ref to files and hosts.
func compile(raw json.RawMessage) (schema, error) {
	if len(raw) == 0 {
		return schema{}, fmt.Errorf("is absent")
	}
	if len(raw) > maxSchemaBytes {
		return schema{}, fmt.Errorf("has %d bytes; the limit is %d bytes", len(raw), maxSchemaBytes)
	}
	canonical, err := digest.Canonical(raw)
	if err != nil {
		return schema{}, err
	}
	if err := checkProfile(canonical); err != nil {
		return schema{}, err
	}
	l := gojsonschema.NewSchemaLoader()
	l.AutoDetect, l.Draft = false, gojsonschema.Draft7
	c, err := l.Compile(gojsonschema.NewBytesLoader(canonical))
	return schema{c}, err
}

// validate returns a [*CheckError] unless canonical, the bytes of canonical JSON, is valid.
func (s schema) validate(canonical json.RawMessage) error {
	r, err := s.compiled.Validate(gojsonschema.NewBytesLoader(canonical))
	if err != nil {
		return failed("published_schema", "", "%v", err)
	}
	if !r.Valid() {
		return failed("published_schema", "", "%s", r.Errors()[0])
	}
	return nil
}

// keywords are those that a published schema may use.
var keywords = []string{
	"title", "description", "type", "additionalProperties", "required", "properties", "items", "minItems", "maxItems",
	"minLength", "maxLength", "pattern", "minimum", "maximum", "enum", "const", "default", "minProperties", "maxProperties",
}

// checkProfile refuses keywords outside the profile, above all $ref, and deep nesting.
func checkProfile(raw []byte) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err
	}
	return checkNode(v, 1)
}

func checkNode(v any, depth int) error {
	m, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("a schema is not an object")
	}
	if depth > maxSchemaDepth {
		return fmt.Errorf("is nested deeper than %d schemas", maxSchemaDepth)
	}
	for k := range m {
		if !slices.Contains(keywords, k) {
			return fmt.Errorf("keyword %q is outside the profile", k)
		}
	}
	if items, ok := m["items"]; ok {
		if err := checkNode(items, depth+1); err != nil {
			return err
		}
	}
	properties, ok := m["properties"].(map[string]any)
	if _, has := m["properties"]; has && !ok {
		return fmt.Errorf("properties is not an object")
	}
	for _, p := range properties {
		if err := checkNode(p, depth+1); err != nil {
			return err
		}
	}
	return nil
}

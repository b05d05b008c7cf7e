// Package openapi describes docpin's HTTP routes as an OpenAPI 3.1 document whose schemas are the published ones.
package openapi

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// operation is one route and method.
type operation struct {
	method, path, id, summary string
	arguments                 string   // schema of the arguments; empty if there are none
	without                   []string // members of the arguments that the route fixes or does not take
	body                      bool     // the arguments are the body, not the query
	result                    string   // schema of the result
	tagged                    bool     // has an ETag, and answers 304
	statuses                  []int    // of problems, besides those that every route has
}

const (
	searchArguments = "SearchDocumentationArguments"
	searchResult    = "SearchResult"
)

// notIndex and notContext are the members that the routes of fixed shapes leave out.
var (
	notIndex   = []string{"format", "cursor", "max_bytes"}
	notContext = []string{"format", "cursor"}
)

var operations = []operation{
	{"get", "/v1/search", "search", "Search one version, in the shape that format names", searchArguments, nil, false, searchResult, true, []int{400}},
	{"post", "/v1/search", "searchByObject", "Search one version, with the arguments as an object", searchArguments, nil, true, searchResult, false, []int{400, 408, 413, 415}},
	{"get", "/v1/index", "index", "Search in the shape stubs", searchArguments, notIndex, false, searchResult, true, []int{400}},
	{"post", "/v1/index", "indexByObject", "Search in the shape stubs, with the arguments as an object", searchArguments, notIndex, true, searchResult, false, []int{400, 408, 413, 415}},
	{"get", "/v1/context", "context", "Search in the shape bodies", searchArguments, notContext, false, searchResult, true, []int{400}},
	{"post", "/v1/context", "contextByObject", "Search in the shape bodies, with the arguments as an object", searchArguments, notContext, true, searchResult, false, []int{400, 408, 413, 415}},
	{"post", "/v1/read", "read", "Read the passage that a handle or a token was issued for", "ReadDocumentationArguments", nil, true, "ReadResult", false, []int{400, 404, 408, 409, 413, 415}},
	{"get", "/v1/passages", "passages", "Enumerate the passages of one version in document order", "ListPassagesArguments", nil, false, "PassageList", true, []int{400}},
	{"get", "/v1/corpus", "corpus", "What is served", "", nil, false, "CorpusInfo", true, []int{400}},
	{"get", "/healthz", "health", "Whether the process answers", "", nil, false, "Status", false, []int{400}},
	{"get", "/readyz", "ready", "Whether the corpus is served", "", nil, false, "Status", false, []int{400}},
	{"get", "/openapi.json", "description", "This document", "", nil, false, "", true, []int{400}},
}

// problems are the statuses of problem details and what they mean.
var problems = map[int]string{
	400: "The arguments are not valid, or the request is no good HTTP",
	403: "Host or Origin is not allowed",
	404: "No live receipt covers what is to be read",
	408: "The body did not arrive in time",
	409: "The handle is from another corpus",
	413: "The body is too large",
	415: "The body is not application/json",
	431: "The headers are too large",
	500: "A fault of the server, or the corpus failed a check",
	503: "The server is shutting down or has no free slot; Retry-After says when to try again",
}

// unrouted are the statuses that net/http answers in plain text before there is a route, and whether it alone does.
var unrouted = map[int]bool{400: false, 431: true}

type object = map[string]any

// Render returns the document. The schemas are the published ones, by title.
func Render(schemas map[string]json.RawMessage) ([]byte, error) {
	components := object{}
	for _, name := range []string{searchResult, "ReadResult", "PassageList", "CorpusInfo", "Problem"} {
		s, ok := schemas[name]
		if !ok {
			return nil, fmt.Errorf("openapi: there is no schema of title %s", name)
		}
		components[name] = s
	}
	components["Status"] = object{
		"type": "object", "additionalProperties": false, "required": []string{"status"}, "description": "How the server is.",
		"properties": object{"status": object{"type": "string", "enum": []string{"ok"}, "description": "It is well."}},
	}
	paths := map[string]object{}
	for _, op := range operations {
		o, err := op.render(schemas, components)
		if err != nil {
			return nil, err
		}
		if paths[op.path] == nil {
			paths[op.path] = object{}
		}
		paths[op.path][op.method] = o
	}
	doc, err := json.MarshalIndent(object{
		"openapi": "3.1.0",
		"info": object{
			"title": "docpin", "version": "1", "summary": "Documentation of exactly the version in use, every answer checkable",
			"description": "The routes give the answers of the MCP tools. Integers of a query string are JSON numbers. A refusal is a problem " +
				"(RFC 9457) that carries it.",
		},
		"servers":    []object{{"url": "/", "description": "This server"}},
		"security":   []object{},
		"tags":       []object{{"name": "documentation", "description": "Search and read"}, {"name": "operation", "description": "For those who run the server"}},
		"paths":      paths,
		"components": object{"schemas": components},
	}, "", "  ")
	return append(doc, '\n'), err
}

var tagHeader = object{"ETag": object{"description": "Digest of the answer.", "schema": object{"type": "string"}}}

func ref(name string) object { return object{"$ref": "#/components/schemas/" + name} }

func (op *operation) render(schemas map[string]json.RawMessage, components object) (object, error) {
	tag := "documentation"
	if !strings.HasPrefix(op.path, "/v1/") {
		tag = "operation"
	}
	o := object{"operationId": op.id, "summary": op.summary, "description": op.summary + ".", "tags": []string{tag}}
	if op.arguments != "" {
		raw, ok := schemas[op.arguments]
		if !ok {
			return nil, fmt.Errorf("openapi: there is no schema of title %s", op.arguments)
		}
		var s object
		if err := json.Unmarshal(raw, &s); err != nil {
			return nil, err
		}
		op.drop(s)
		if op.body {
			name := op.arguments
			if op.without != nil {
				name = strings.ToUpper(op.id[:1]) + strings.TrimSuffix(op.id[1:], "ByObject") + "Arguments"
				s["title"] = name
			}
			components[name] = s
			o["requestBody"] = object{"required": true, "description": "The arguments.", "content": object{"application/json": object{"schema": ref(name)}}}
		} else {
			o["parameters"] = parameters(s)
		}
	}
	responses := object{"200": op.answer()}
	if op.tagged {
		responses["304"] = object{"description": "What If-None-Match names is still the answer.", "headers": tagHeader}
	}
	for _, status := range append([]int{403, 431, 500, 503}, op.statuses...) {
		content := object{"application/problem+json": object{"schema": ref("Problem")}}
		if alone, ok := unrouted[status]; ok {
			content["text/plain"] = object{"schema": object{"type": "string", "description": "What is wrong with the request."}}
			if alone {
				delete(content, "application/problem+json")
			}
		}
		response := object{"description": problems[status] + ".", "content": content}
		if status == 503 {
			response["headers"] = object{"Retry-After": object{"description": "Seconds to wait.", "schema": object{"type": "string"}}}
		}
		responses[fmt.Sprint(status)] = response
	}
	o["responses"] = responses
	return o, nil
}

// drop removes what the route does not take.
func (op *operation) drop(arguments object) {
	properties := arguments["properties"].(object)
	for _, name := range op.without {
		delete(properties, name)
	}
}

func (op *operation) answer() object {
	schema := object{"type": "object", "description": "An OpenAPI document."}
	if op.result != "" {
		schema = ref(op.result)
	}
	a := object{"description": "The answer, as canonical JSON.", "content": object{"application/json": object{"schema": schema}}}
	if op.tagged {
		a["headers"] = tagHeader
	}
	return a
}

// parameters returns the members of an argument schema as parameters of the query.
func parameters(arguments object) []object {
	properties := arguments["properties"].(object)
	required, _ := arguments["required"].([]any)
	names := make([]string, 0, len(properties))
	for name := range properties {
		names = append(names, name)
	}
	slices.Sort(names)
	var list []object
	for _, name := range names {
		schema := properties[name].(object)
		list = append(list, object{
			"name": name, "in": "query", "required": slices.Contains(required, any(name)), "description": schema["description"], "schema": schema,
		})
	}
	return list
}

// Routes returns the methods of each path, for the test that compares them with what the server has.
func Routes() map[string][]string {
	routes := map[string][]string{}
	for _, op := range operations {
		routes[op.path] = append(routes[op.path], strings.ToUpper(op.method))
	}
	return routes
}

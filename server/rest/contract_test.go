package rest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"guardrails/internal/fortests/golden"
	"guardrails/server/rest"
)

// contract is the OpenAPI document of the API. The answers in all tests are checked against it.
type contract struct {
	document struct {
		Paths      map[string]map[string]operation
		Components struct {
			Responses map[string]response
		}
	}
	compiler *jsonschema.Compiler
}

type operation struct {
	Responses map[string]response
}

type response struct {
	Ref     string `json:"$ref"`
	Headers map[string]struct {
		Schema struct{ Pattern string }
	}
	Content map[string]struct {
		Schema map[string]any
	}
}

func loadContract(t testing.TB) *contract {
	t.Helper()
	c := &contract{compiler: jsonschema.NewCompiler()}
	text := rest.Document()
	check(t, json.Unmarshal(text, &c.document))
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	check(t, err)
	components, _ := whole.(map[string]any)["components"].(map[string]any)
	strict(components["schemas"])
	c.compiler.AssertFormat()
	check(t, c.compiler.AddResource("openapi.json", whole))
	return c
}

// strict() makes a schema forbid all fields that the schema does not describe. The tests then find such fields in
// answers. Real clients must accept such fields.
func strict(schema any) {
	switch at := schema.(type) {
	case map[string]any:
		if _, condition := at["if"]; condition {
			return
		}
		_, properties := at["properties"]
		if _, said := at["additionalProperties"]; properties && !said {
			at["additionalProperties"] = false
		}
		for _, inner := range at {
			strict(inner)
		}
	case []any:
		for _, inner := range at {
			strict(inner)
		}
	}
}

// check() fails if an answer does not match the OpenAPI document.
func (c *contract) check(t testing.TB, method, path string, r *reply) {
	t.Helper()
	if r.status == http.StatusMethodNotAllowed || r.status == http.StatusNotFound && c.operation(method, path) == nil {
		c.matches(t, "Problem", r)
		return
	}
	o := c.operation(method, path)
	if o == nil {
		t.Fatalf("%s %s is not in the document", method, path)
	}
	found, ok := o.Responses[fmt.Sprint(r.status)]
	if name, is := strings.CutPrefix(found.Ref, "#/components/responses/"); is {
		found, ok = c.document.Components.Responses[name]
	}
	if !ok {
		t.Fatalf("%s %s answers %d, which is not in the document: %s", method, path, r.status, r.text)
	}
	for name, h := range found.Headers {
		if got := r.header.Get(name); got == "" || !regexp.MustCompile(h.Schema.Pattern).MatchString(got) {
			t.Errorf("%s %s answers with the header %s: %q, which does not match the document", method, path, name, got)
		}
	}
	contentType, _, _ := strings.Cut(r.header.Get("Content-Type"), ";")
	content, described := found.Content[contentType]
	if !described && len(found.Content) > 0 && r.status != http.StatusNotModified {
		t.Errorf("%s %s answers %d in %q, which is not in the document", method, path, r.status, contentType)
	}
	if name, is := content.Schema["$ref"].(string); is && strings.HasSuffix(contentType, "json") {
		c.matches(t, strings.TrimPrefix(name, "#/components/schemas/"), r)
	}
}

// operation() finds the operation that the OpenAPI document defines for a request. It returns nil if there is none.
func (c *contract) operation(method, path string) *operation {
	segments := strings.Split(path, "/")
	var best *operation
	for template, operations := range c.document.Paths {
		parts := strings.Split(template, "/")
		fits := len(parts) == len(segments)
		for i := range parts {
			fits = fits && (parts[i] == "{id}" || parts[i] == "{delivery}" || parts[i] == segments[i])
		}
		if o, ok := operations[strings.ToLower(method)]; fits && ok && (best == nil || !strings.Contains(template, "{")) {
			best = &o
		}
	}
	return best
}

func (c *contract) matches(t testing.TB, name string, r *reply) {
	t.Helper()
	schema, err := c.compiler.Compile("openapi.json#/components/schemas/" + name)
	check(t, err)
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(r.text))
	if err != nil {
		t.Fatalf("%d %s", r.status, r.text)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("the answer does not match %s: %v\n%s", name, err, r.text)
	}
}

func TestTheServedDocumentMatchesTheCommittedOne(t *testing.T) {
	api := newAPI(t)
	golden.Check(t, *update, "../../docs/openapi.json", api.get("/api/openapi.json").text)
}

package rest_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"guardrails/internal/fortests/forbidden"
	"guardrails/server/rest"
)

// TestEveryLimitOfTheDocumentHolds sends each field of each body with a value that the document forbids: a list that is
// too long, a text that is too long or too short, a number that is too large or too small, or a value of another type.
func TestEveryLimitOfTheDocumentHolds(t *testing.T) {
	api, limits := newAPI(t), documentedLimits(t)
	const known = 300
	if len(limits) < known {
		t.Fatalf("the document has %d limits in bodies; the test does not see all of them", len(limits))
	}
	for _, l := range limits {
		t.Run(l.method+" "+strings.TrimPrefix(l.path, base)+" "+l.Path, func(t *testing.T) {
			body, err := json.Marshal(l.Document)
			check(t, err)
			path := strings.NewReplacer("{id}", "tests-first", "{delivery}", "d").Replace(l.path)
			r := api.send(l.method, path, string(body))
			if r.status == http.StatusNotFound { // the guideline or webhook does not exist, so nobody reads the body
				return
			}
			if r.status != http.StatusBadRequest || !strings.Contains(r.text, `"path":"`+l.Path+`"`) {
				t.Errorf("%s: the answer has no problem with this path: %d %.300s", body, r.status, r.text)
			}
		})
	}
}

// limit is a body with one value that the document forbids.
type limit struct {
	method, path string
	forbidden.Value
}

func documentedLimits(t *testing.T) (out []limit) {
	t.Helper()
	var document struct {
		Paths map[string]map[string]struct {
			RequestBody struct {
				Content map[string]struct{ Schema map[string]any }
			}
		}
		Components struct{ Schemas map[string]map[string]any }
	}
	check(t, json.Unmarshal(rest.Document(), &document))
	for _, path := range slices.Sorted(maps.Keys(document.Paths)) {
		for method, o := range document.Paths[path] {
			schema, ok := o.RequestBody.Content["application/json"]
			if !ok {
				continue
			}
			for _, v := range forbidden.Values(schema.Schema, document.Components.Schemas) {
				out = append(out, limit{strings.ToUpper(method), path, v})
			}
		}
	}
	return out
}

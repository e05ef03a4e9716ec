package elastic_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/elastic"
)

// products() returns the products. For each product, it returns the environment variable that has the address of a
// server.
func products() map[string]string {
	return map[string]string{"Elasticsearch": "GUARDRAILS_TEST_ELASTICSEARCH", "OpenSearch": "GUARDRAILS_TEST_OPENSEARCH"}
}

// onEachProduct runs a test on a server of each product.
func onEachProduct(t *testing.T, test func(t *testing.T, url string)) {
	for product, variable := range products() {
		t.Run(product, func(t *testing.T) {
			t.Parallel()
			test(t, address(t, variable))
		})
	}
}

// address() returns the address of a server. If the variable is not set, the test fails. The test is not skipped,
// because a skipped test proves nothing.
func address(t *testing.T, variable string) string {
	t.Helper()
	url := os.Getenv(variable)
	if url == "" {
		t.Fatalf("%s is not set; run scripts/stores.sh, or first eval \"$(scripts/stores.sh start)\"", variable)
	}
	return url
}

// newPrefix returns an unused index prefix. Its indices are deleted when the test ends.
func newPrefix(t testing.TB, url string) string {
	t.Helper()
	prefix := strings.ToLower(store.NewID(time.Now())) + "-"
	t.Cleanup(func() {
		if names := indicesOf(t, url, prefix); len(names) > 0 {
			ask(t, http.MethodDelete, url+"/"+strings.Join(names, ","), "")
		}
	})
	return prefix
}

// indicesOf returns the names of the indices of a store, including closed ones.
func indicesOf(t testing.TB, url, prefix string) []string {
	t.Helper()
	return slices.Sorted(maps.Keys(ask(t, http.MethodGet, url+"/"+prefix+"guardrails-*/_alias?expand_wildcards=all", "")))
}

func open(t *testing.T, o elastic.Options) *elastic.Store {
	t.Helper()
	s, err := elastic.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ask() sends a request directly to a server, without a Store.
func ask(t testing.TB, method, url, body string) map[string]any {
	t.Helper()
	r, err := http.NewRequest(method, url, bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode >= 400 {
		t.Errorf("%s %s: %s %s", method, url, answer.Status, text)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("%s %s: %v in %s", method, url, err, text)
	}
	return out
}

func newWrite() store.Write {
	return store.Write{ID: store.NewID(time.Now()), Tenant: "a", Actor: "ann"}
}

func small(id string) guideline.Guideline {
	return guideline.Guideline{
		ID: id, Name: id, Category: guideline.Custom, Action: guideline.Action{Type: guideline.Instruction},
	}
}

func decision(id string) store.Entry {
	return store.Entry{
		ID: id, Kind: store.KindDecision, Event: "tool_call", Actor: "ann", Session: "s", Guideline: "one",
		Decision: &store.Decision{Result: "allow"},
	}
}

// isGone reports whether an error is one that makes a program open the store again.
func isGone(err error) bool { return errors.Is(err, store.ErrGone) }

package proof

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"guardrails/store"
	"guardrails/store/elastic"
)

// openElastic returns a function that opens two handles on a new store. The parameter "variable" is the name of the
// environment variable that has the server's address. If this environment variable is not set, the test fails.
func openElastic(variable string) func(t *testing.T) [2]store.Store {
	return func(t *testing.T) (handles [2]store.Store) {
		url := address(t, variable)
		prefix := strings.ToLower(store.NewID(time.Now())) + "-"
		t.Cleanup(func() { deleteIndices(t, url, prefix) })
		for i := range handles {
			s, err := elastic.Open(t.Context(), elastic.Options{Addresses: []string{url}, Prefix: prefix})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
			handles[i] = s
		}
		return handles
	}
}

// address() returns the address of a server.
func address(t *testing.T, variable string) string {
	t.Helper()
	url := os.Getenv(variable)
	if url == "" {
		t.Fatalf("%s is not set; run scripts/stores.sh, or first eval \"$(scripts/stores.sh start)\"", variable)
	}
	return url
}

// deleteIndices deletes the indices of a store.
func deleteIndices(t *testing.T, url, prefix string) {
	var list []string
	for _, name := range []string{"config-v1", "audit-v1", "audit-v1-000001", "state-v1", "state-moved"} {
		list = append(list, prefix+"guardrails-"+name)
	}
	names := strings.Join(list, ",")
	r, err := http.NewRequest(http.MethodDelete, url+"/"+names+"?ignore_unavailable=true", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Body.Close(); err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("deleting the indices of %s: %v, %s", prefix, err, answer.Status)
	}
}

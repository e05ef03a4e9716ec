package elastic

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"guardrails/store"
)

func TestAChangeThatFindsAnotherDocumentInItsPlaceIsNotAcknowledged(t *testing.T) {
	for _, variable := range []string{"GUARDRAILS_TEST_ELASTICSEARCH", "GUARDRAILS_TEST_OPENSEARCH"} {
		t.Run(variable, func(t *testing.T) {
			s := openOld(t, Options{
				Addresses: []string{os.Getenv(variable)}, Prefix: strings.ToLower(store.NewID(time.Now())) + "-",
			})
			create := func(id string) error {
				_, err := s.Create(
					t.Context(), store.Write{ID: store.NewID(time.Now()), Tenant: "a", Actor: "ann"}, anyGuideline(id),
				)
				return err
			}
			if err := create("one"); err != nil {
				t.Fatal(err)
			}
			other := storedRevision{store.Revision{Guideline: anyGuideline("two"), Event: "created", At: time.Now()}, 9, 0}
			other.Guideline.TenantID, other.Guideline.Version = "a", 1
			putRevision(t, s, &other)
			if err := create("two"); store.CodeOf(err) != store.Internal || !strings.Contains(err.Error(), "a different document") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// putRevision writes a revision outside of any transaction.
func putRevision(t *testing.T, s *Store, k *storedRevision) {
	t.Helper()
	doc, err := k.encode()
	if err != nil {
		t.Fatal(err)
	}
	g := &k.Guideline
	a, err := newAction(configIndex, revisionID(g.TenantID, store.KeyOf(g), g.Version), false, doc)
	if err == nil {
		err = s.execute(context.Background(), []action{a})
	}
	if err != nil {
		t.Fatal(err)
	}
}

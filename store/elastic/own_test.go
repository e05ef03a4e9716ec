package elastic_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/elastic"
)

// ownStore returns a store with two guidelines and two later changes. The same process made these guidelines and
// changes through a proxy. The result "first" is the moment after the guidelines were made and before the two later
// changes.
func ownStore(t *testing.T, url string) (p *proxy, s *elastic.Store, first store.Moment) {
	p = newProxy(t, url)
	p.options = elastic.Options{Addresses: []string{p.URL}, Prefix: newPrefix(t, url)}
	s = open(t, p.options)
	t.Cleanup(func() { _ = s.Close() })
	create(t, s, "one")
	create(t, s, "two")
	all, err := s.All(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	create(t, s, "three")
	if err := s.Delete(t.Context(), newWrite(), store.Ref{Key: "two", Version: 1}); err != nil {
		t.Fatal(err)
	}
	return p, s, all.Moment
}

func create(t *testing.T, s *elastic.Store, id string) {
	t.Helper()
	if _, err := s.Create(t.Context(), newWrite(), small(id)); err != nil {
		t.Fatal(err)
	}
}

func TestAProcessNeedNotSearchForItsOwnChanges(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		p, s, since := ownStore(t, url)
		other := open(t, p.options)
		defer other.Close()
		want := changes(t, other, since)
		p.set(func(_ int, r *http.Request) fault {
			if strings.HasSuffix(r.URL.Path, "/_search") || strings.HasSuffix(r.URL.Path, "/_refresh") {
				t.Errorf("there is a request for %s", r.URL.Path)
			}
			return nil
		})
		if got := changes(t, s, since); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if n := p.requests(); n != 2 {
			t.Errorf("there were %d requests", n)
		}
	})
}

func TestAChangeNeedNotWaitUntilSearchesSeeIt(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		p, s, _ := ownStore(t, url)
		p.set(func(_ int, r *http.Request) fault {
			if strings.HasSuffix(r.URL.Path, "/_refresh") {
				t.Errorf("there is a request for %s", r.URL.Path)
			}
			return nil
		})
		create(t, s, "four")
		g := small("four")
		g.Version, g.Description = 1, "of the second version"
		if updated, err := s.Update(t.Context(), newWrite(), g); err != nil || updated.Version != 2 {
			t.Fatalf("version %d: %v", updated.Version, err)
		}
		if err := s.Delete(t.Context(), newWrite(), store.Ref{Key: "four", Version: 2}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Create(t.Context(), newWrite(), small("three")); store.CodeOf(err) != store.Conflict {
			t.Errorf("an existing guideline was created: %v", err)
		}
		p.set(nil)
		if _, err := s.Get(t.Context(), "a", "four"); store.CodeOf(err) != store.NotFound {
			t.Errorf("after the deletion: %v", err)
		}
	})
}

func TestChangesOfOthersBetweenOwnOnesAreFound(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		p, s, since := ownStore(t, url)
		other := open(t, p.options)
		defer other.Close()
		create(t, other, "of-another")
		if got, want := changes(t, s, since), changes(t, other, since); got != want || !strings.Contains(got, "of-another") {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		create(t, s, "four")
		if got, want := changes(t, s, since), changes(t, other, since); got != want || !strings.Contains(got, "four") {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func TestMoreOwnChangesThanAProcessRemembersAreFound(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		p, s, since := ownStore(t, url)
		other := open(t, p.options)
		defer other.Close()
		var many []guideline.Guideline
		for i := range 200 {
			many = append(many, small(fmt.Sprint("many-", i)))
		}
		if _, err := s.Import(t.Context(), newWrite(), many, store.ImportOptions{}); err != nil {
			t.Fatal(err)
		}
		create(t, s, "four")
		if got, want := changes(t, s, since), changes(t, other, since); got != want || !strings.Contains(got, "many-199") {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func TestOwnChangesDoNotHideThatTheAuditLostAnEntry(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		p, s, since := ownStore(t, url)
		head := since.ChangeHeads()[0]
		body := `{"query": {"term": {"hash": "` + head.Hash + `"}}}`
		audit := url + "/" + p.options.Prefix + "guardrails-audit/"
		ask(t, http.MethodPost, audit+"_refresh", "")
		if gone := ask(t, http.MethodPost, audit+"_delete_by_query?refresh=true", body)["deleted"]; gone != 1.0 {
			t.Fatalf("%v entries were deleted", gone)
		}
		c, err := s.Changes(t.Context(), "a", since)
		if err != nil || !c.Whole {
			t.Errorf("whole: %v, error: %v", c.Whole, err)
		}
	})
}

// changes() returns what changed since a moment, as JSON.
func changes(t *testing.T, s *elastic.Store, since store.Moment) string {
	t.Helper()
	c, err := s.Changes(t.Context(), "a", since)
	if err != nil || c.Whole {
		t.Fatalf("whole: %v, error: %v", c.Whole, err)
	}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

package elastic_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"guardrails/store"
	"guardrails/store/elastic"
)

func TestHandlesThatOpenANewStoreAtOnceCreateItOnce(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		prefix := newPrefix(t, url)
		stores := make([]*elastic.Store, 4)
		var all sync.WaitGroup
		for i := range stores {
			all.Go(func() {
				s, err := elastic.Open(t.Context(), elastic.Options{Addresses: []string{url}, Prefix: prefix})
				if err != nil {
					t.Error(err)
					return
				}
				stores[i] = s
				if _, err := s.Append(t.Context(), "a", decision(strings.Repeat("d", i+1))); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for _, s := range stores {
			if heads, err := s.Heads(t.Context(), "a"); err != nil || len(heads) != 1 || heads[0].Seq != 4 {
				t.Errorf("got %+v, %v", heads, err)
			}
			s.Close()
		}
	})
}

func TestAnIndexOfAnotherProgramIsNotOpened(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		prefix := newPrefix(t, url)
		name := url + "/" + prefix + "guardrails-config"
		ask(t, http.MethodPut, name, `{}`)
		cannotOpen(
			t, elastic.Options{Addresses: []string{url}, Prefix: prefix}, store.Unavailable, "another index has this name",
		)
		ask(t, http.MethodDelete, name, "")
		ask(t, http.MethodPut, name+"-v1", `{"aliases": {"`+prefix+`guardrails-config": {}}}`)
		cannotOpen(
			t, elastic.Options{Addresses: []string{url}, Prefix: prefix}, store.Internal, "does not belong to guardrails",
		)
	})
}

func TestAnIndexOfANewerVersionIsNotOpened(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		prefix := newPrefix(t, url)
		ask(t, http.MethodPut, url+"/"+prefix+"guardrails-config-v1",
			`{"aliases": {"`+prefix+`guardrails-config": {}}, "mappings": {"_meta": {"version": 99}}}`)
		cannotOpen(t, elastic.Options{Addresses: []string{url}, Prefix: prefix}, store.Unavailable, "newer version 99, not 1")
	})
}

func TestAWriteDoesNotCreateARemovedIndex(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		prefix := newPrefix(t, url)
		s := open(t, elastic.Options{Addresses: []string{url}, Prefix: prefix})
		defer s.Close()
		ask(t, http.MethodDelete, url+"/"+prefix+"guardrails-state-v1", "")
		_, err := s.Create(t.Context(), newWrite(), small("one"))
		checkError(t, err, store.Internal, "no longer has an index that guardrails needs")
		if left := indicesOf(t, url, prefix); slices.Contains(left, prefix+"guardrails-state-v1") || len(left) != 4 {
			t.Errorf("got the indices %v", left)
		}
	})
}

func TestAnInvalidGuidelineInTheIndexIsNotUsed(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		prefix := newPrefix(t, url)
		s := open(t, elastic.Options{Addresses: []string{url}, Prefix: prefix})
		defer s.Close()
		if _, err := s.Create(t.Context(), newWrite(), small("one")); err != nil {
			t.Fatal(err)
		}
		config := url + "/" + prefix + "guardrails-config/"
		ask(t, http.MethodPost, config+"_refresh", "")
		changed := ask(t, http.MethodPost, config+"_update_by_query?refresh=true",
			`{"script": {"source": "ctx._source.category = 'none'"}}`)["updated"]
		if changed != 1.0 {
			t.Fatalf("%v documents were changed", changed)
		}
		_, err := s.Get(t.Context(), "a", "one")
		checkError(t, err, store.Internal, "another program has probably changed the index")
	})
}

package elastic_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"guardrails/store/elastic"
)

// The test delays the first change until all other changes have begun. Meanwhile, the other changes wait.
func TestWaitingChangesShareOneTransaction(t *testing.T) {
	onEachProduct(t, func(t *testing.T, url string) {
		p := newProxy(t, url)
		s := open(t, elastic.Options{Addresses: []string{p.URL}, Prefix: newPrefix(t, url)})
		t.Cleanup(func() { s.Close() })
		create := func(id string) {
			if _, err := s.Create(t.Context(), newWrite(), small(id)); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
		create("warm")
		p.set(nil)
		create("alone")
		alone := p.requests()

		const waiting = 63
		var begun, all sync.WaitGroup
		begun.Add(waiting)
		held := make(chan struct{})
		var once sync.Once
		p.set(onFirst(1, "", func(p *proxy, w http.ResponseWriter, r *http.Request) {
			once.Do(func() { close(held) })
			begun.Wait()
			p.passOn(w, r)
		}))
		all.Go(func() { create("first") })
		<-held
		for i := range waiting {
			all.Go(func() {
				begun.Done()
				create(fmt.Sprint("waiting", i))
			})
		}
		all.Wait()
		// Some of the changes may begin to wait only after the first one is made, so they are in a third transaction.
		if got, most := p.requests(), 8*alone; got > most {
			t.Errorf("%d changes at once needed %d requests, and one change alone needed %d", waiting+1, got, alone)
		}
		set, err := s.All(t.Context(), "a")
		if err != nil || len(set.Guidelines) != waiting+3 {
			t.Errorf("%d guidelines, %v", len(set.Guidelines), err)
		}
	})
}

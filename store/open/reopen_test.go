package open_test

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"guardrails/config"
	"guardrails/store"
	"guardrails/store/open"
)

func TestAStoreCanBeReopenedWhileItIsUsed(t *testing.T) {
	s, err := newFolder(t).open(&config.Config{}, true)
	check(t, err)
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := range 25 {
				if _, err := tenant(s).Create(t.Context(), small(fmt.Sprintf("g-%d-%d", w, i))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 5 {
		check(t, s.Reopen(t.Context()))
	}
	writers.Wait()
	set, err := tenant(s).All(t.Context())
	if err != nil || len(set.Guidelines) != 100 {
		t.Errorf("got %d guidelines, %v", len(set.Guidelines), err)
	}
}

func TestAStoreThatCannotBeReopenedStaysInUse(t *testing.T) {
	f := newFolder(t)
	s, err := f.open(&config.Config{}, true)
	check(t, err)
	if _, err := tenant(s).Create(t.Context(), small("kept")); err != nil {
		t.Fatal(err)
	}
	file, err := open.DefaultPath(f.env)
	check(t, err)
	check(t, os.Rename(file, file+".away"))
	if err := s.Reopen(t.Context()); store.CodeOf(err) != store.Unavailable {
		t.Errorf("got %v", err)
	}
	check(t, os.Rename(file+".away", file))
	if g, err := tenant(s).Get(t.Context(), "kept"); err != nil || g.Version != 1 {
		t.Errorf("got %+v, %v", g, err)
	}
}

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

func TestAStoreIsOpenedAnewWhileItIsUsed(t *testing.T) {
	c, err := newPlace(t).open(&config.Config{}, true)
	check(t, err)
	var writing sync.WaitGroup
	for w := range 4 {
		writing.Go(func() {
			for i := range 25 {
				if _, err := book(c).Create(t.Context(), small(fmt.Sprintf("g-%d-%d", w, i))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 5 {
		check(t, c.Reopen(t.Context()))
	}
	writing.Wait()
	set, err := book(c).All(t.Context())
	if err != nil || len(set.Guidelines) != 100 {
		t.Errorf("%v, %d guidelines", err, len(set.Guidelines))
	}
}

func TestAStoreThatCannotBeOpenedAnewIsUsedAsItWas(t *testing.T) {
	p := newPlace(t)
	c, err := p.open(&config.Config{}, true)
	check(t, err)
	if _, err := book(c).Create(t.Context(), small("kept")); err != nil {
		t.Fatal(err)
	}
	file, err := open.DefaultPath(p.env)
	check(t, err)
	check(t, os.Rename(file, file+".away"))
	if err := c.Reopen(t.Context()); store.CodeOf(err) != store.Unavailable {
		t.Errorf("told: %v", err)
	}
	check(t, os.Rename(file+".away", file))
	if g, err := book(c).Get(t.Context(), "kept"); err != nil || g.Version != 1 {
		t.Errorf("%+v, %v", g, err)
	}
}

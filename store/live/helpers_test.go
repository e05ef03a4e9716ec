package live_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/sqlite"
)

// open opens a database as a catalog.
func open(t *testing.T, path string) *live.Catalog {
	t.Helper()
	return catalogOf(t, database(t, path))
}

func database(t *testing.T, path string) store.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
	check(t, err)
	return s
}

func catalogOf(t *testing.T, s store.Store) *live.Catalog {
	t.Helper()
	c := live.New(live.Options{
		Store: s, Place: "sqlite:test", Now: time.Now, Mask: func(text string) string { return strings.ReplaceAll(text, "geheim", "***") },
	})
	t.Cleanup(func() { check(t, c.Close()) })
	return c
}

func newFile(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "data", "guardrails.db")
}

func small(id string) guideline.Guideline {
	return guideline.Guideline{ID: id, Name: id, Enabled: true, Priority: 500, Category: guideline.Custom, Action: guideline.Action{Type: guideline.Instruction, Instruction: "Do."}}
}

func as(tenant string) live.Who { return live.Who{Tenant: tenant, Actor: "ann"} }

// seen are the ids that a view has, those of disabled guidelines in brackets.
func seen(t *testing.T, c *live.Catalog, tenant string) string {
	t.Helper()
	v, err := c.View(t.Context(), tenant)
	check(t, err)
	var out []string
	for i := range v.Guidelines {
		id := v.Guidelines[i].ID
		if !v.Guidelines[i].Enabled {
			id = "(" + id + ")"
		}
		out = append(out, id)
	}
	return strings.Join(out, " ")
}

// eventually waits until something is so.
func eventually(t *testing.T, within time.Duration, is func() bool) {
	t.Helper()
	for end := time.Now().Add(within); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it did not come about within %s", within)
		}
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// troubled is a store that can be made to fail, or to say nothing.
type troubled struct {
	store.Store
	state atomic.Int32
	asked atomic.Int32
}

const (
	well int32 = iota
	failing
	silent
)

func (s *troubled) trouble(ctx context.Context) error {
	s.asked.Add(1)
	switch s.state.Load() {
	case failing:
		return store.Errorf(store.Unavailable, "the cluster does not answer")
	case silent:
		<-ctx.Done()
		return store.Interrupted(ctx)
	}
	return nil
}

func (s *troubled) All(ctx context.Context, tenant string) (store.Set, error) {
	if err := s.trouble(ctx); err != nil {
		return store.Set{}, err
	}
	return s.Store.All(ctx, tenant)
}

func (s *troubled) Generation(ctx context.Context, tenant string) (int64, error) {
	if err := s.trouble(ctx); err != nil {
		return 0, err
	}
	return s.Store.Generation(ctx, tenant)
}

func codeOf(err error) store.Code {
	var e *store.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

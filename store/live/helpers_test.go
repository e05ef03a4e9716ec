package live_test

import (
	"context"
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

func open(t *testing.T, path string) *live.Store {
	t.Helper()
	return newStore(t, database(t, path))
}

func database(t *testing.T, path string) store.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
	check(t, err)
	return s
}

func newStore(t *testing.T, s store.Store) *live.Store {
	t.Helper()
	l := live.New(live.Options{
		Open: live.Opened(s), Location: "sqlite:test", Now: time.Now,
		Mask: func(text string) string { return strings.ReplaceAll(text, "geheim", "***") },
	})
	t.Cleanup(func() { check(t, l.Close()) })
	return l
}

func newFile(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "data", "guardrails.db")
}

func small(id string) guideline.Guideline {
	return guideline.Guideline{
		ID: id, Name: id, Enabled: true, Priority: 500, Category: guideline.Custom,
		Action: guideline.Action{Type: guideline.Instruction, Instruction: "Do."},
	}
}

func as(tenant string) live.Caller { return live.Caller{Tenant: tenant, Actor: "ann"} }

// snapshotIDs returns the ids in the snapshot. The ids of disabled guidelines are in parentheses.
func snapshotIDs(t *testing.T, s *live.Store, tenant string) string {
	t.Helper()
	v, err := s.Snapshot(t.Context(), tenant)
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

// eventually() waits until the condition is true. If that takes longer than the given duration ("within"), the test
// fails.
func eventually(t *testing.T, within time.Duration, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(within); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the condition did not become true within %s", within)
		}
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The type "faulty" is a store that can be made to fail, or not to answer.
type faulty struct {
	store.Store
	state atomic.Int32
	calls atomic.Int32
}

const (
	healthy int32 = iota
	failing
	silent
)

func (s *faulty) fault(ctx context.Context) error {
	s.calls.Add(1)
	switch s.state.Load() {
	case failing:
		return store.Errorf(store.Unavailable, "the cluster does not answer")
	case silent:
		<-ctx.Done()
		return store.Interrupted(ctx)
	}
	return nil
}

func (s *faulty) Changes(ctx context.Context, tenant string, since store.Moment) (store.Changes, error) {
	if err := s.fault(ctx); err != nil {
		return store.Changes{}, err
	}
	return s.Store.Changes(ctx, tenant, since)
}

func (s *faulty) Generations(ctx context.Context, tenants ...string) ([]int64, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	return s.Store.Generations(ctx, tenants...)
}

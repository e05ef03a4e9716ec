package live_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/notedheads"
)

// The type "headless" is a store that cannot read the heads of some tenants.
type headless struct {
	store.Store
	fails map[string]error
	asked []string
}

func (s *headless) Heads(ctx context.Context, tenant string) ([]store.Head, error) {
	s.asked = append(s.asked, tenant)
	if err := s.fails[tenant]; err != nil {
		return nil, err
	}
	return s.Store.Heads(ctx, tenant)
}

func TestHeadsOfOtherTenantsAreNotedIfATenantIsDamaged(t *testing.T) {
	damaged := store.Errorf(store.Internal, "the chain is damaged")
	down := store.Errorf(store.Unavailable, "the store does not answer")
	for name, c := range map[string]struct {
		fails       map[string]error
		first, next string // the tenants whose heads were read by the first call and by the next call
	}{
		"a tenant is damaged":       {map[string]error{"b": damaged}, "a b c", "b"},
		"the store does not answer": {map[string]error{"a": down, "b": down, "c": down}, "a", "a b c"},
		"a tenant's part is older": {
			map[string]error{"a": store.Errorf(store.Unavailable, "old").CausedBy(store.ErrOlder)}, "a b c", "a",
		},
		"every tenant can be noted":   {nil, "a b c", ""},
		"several tenants are damaged": {map[string]error{"a": damaged, "c": damaged}, "a b c", "a c"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &headless{Store: database(t, newFile(t))}
			state := t.TempDir()
			notes := notedheads.Open(func() (string, error) { return state, nil }, "x", time.Now)
			l := live.New(live.Options{Open: live.Opened(s), Now: time.Now, Notes: notes})
			t.Cleanup(func() { check(t, l.Close()) })
			for _, tenant := range []string{"a", "b", "c"} {
				_, err := l.For(as(tenant)).Append(t.Context(), decision("d1", "because"))
				check(t, err)
			}
			s.fails = c.fails
			if err := l.NoteHeads(t.Context()); (err != nil) != (c.fails != nil) {
				t.Errorf("%v", err)
			}
			if got := strings.Join(s.asked, " "); got != c.first {
				t.Errorf("asked for %s, want %s", got, c.first)
			}
			s.fails, s.asked = nil, nil
			check(t, l.NoteHeads(t.Context()))
			if got := strings.Join(s.asked, " "); got != c.next {
				t.Errorf("then asked for %s, want %s", got, c.next)
			}
		})
	}
}

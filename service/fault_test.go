package service_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"guardrails/service/fallback"
	"guardrails/service/storefault"
	"guardrails/store"
	"guardrails/store/live"
)

func TestFaultsHaveNames(t *testing.T) {
	for want, err := range map[string]error{
		"":                     nil,
		storefault.Older:       store.Errorf(store.ReadOnly, "refused: %w", &fallback.OlderStoreError{}),
		storefault.Lost:        store.Missing("there is none"),
		storefault.Full:        store.Errorf(store.ReadOnly, "no space: %w", errors.New("28")).CausedBy(store.ErrFull),
		storefault.Clock:       &storefault.ClockError{},
		"read_only":            store.Errorf(store.ReadOnly, "the file is read-only"),
		"unavailable":          store.Errorf(store.Unavailable, "no answer"),
		string(store.Internal): errors.New("a surprise"),
	} {
		if got := storefault.Of(err); got != want {
			t.Errorf("%v: got %q, want %q", err, got, want)
		}
	}
	for _, err := range []error{
		store.Errorf(store.Unavailable, "old").CausedBy(store.ErrOlder),
		&live.LostEntriesError{Lost: make([]store.Head, 1)},
	} {
		if got := storefault.Of(err); got != storefault.Older {
			t.Errorf("%v: got %q", err, got)
		}
	}
	if got := storefault.Of(store.Errorf(store.Unavailable, "gone").CausedBy(store.ErrLost)); got != storefault.Lost {
		t.Errorf("got %q", got)
	}
}

func TestACallerWhoMustNotLearnThePlaceLearnsTheFault(t *testing.T) {
	for want, err := range map[string]error{
		"older: the store lacks": store.Errorf(store.ReadOnly, "refused: %w", &fallback.OlderStoreError{Place: "/here"}),
		"lost: the store":        store.Missing("/here is missing"),
		"full: the disk":         store.Errorf(store.ReadOnly, "/here is full").CausedBy(store.ErrFull),
		"the store cannot be":    store.Errorf(store.ReadOnly, "/here is read-only"),
		"no such guideline":      store.Errorf(store.NotFound, "no such guideline"),
	} {
		got := storefault.WithoutPlace(err)
		if !strings.HasPrefix(got.Error(), want) || strings.Contains(got.Error(), "/here") || store.CodeOf(got) != store.CodeOf(err) {
			t.Errorf("%v: got %v", err, got)
		}
	}
}

func TestAClockThatIsBehindTheNewestEntryIsNamed(t *testing.T) {
	p := newUsersProject(t, "packs: []\n")
	of := p.tenantStore("")
	log(t, of, "now")
	check(t, p.newService(false).CheckClock(t.Context())) // the clock of this service is an hour ahead
	_, err := of.Append(t.Context(), store.Entry{
		ID: "later", Kind: store.KindDecision, Event: "tool_call", Time: time.Now().Add(2 * time.Hour),
	})
	check(t, err)
	err = p.newService(false).CheckClock(t.Context())
	if _, wrong := errors.AsType[*storefault.ClockError](err); !wrong || !strings.Contains(err.Error(), "behind the newest entry") {
		t.Errorf("got %v", err)
	}
}

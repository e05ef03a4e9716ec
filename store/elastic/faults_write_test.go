package elastic_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"guardrails/guideline"
	"guardrails/store"
)

// steps is how many requests one create makes, when nothing is in its way.
const steps = 8

// Whatever step of a change an answer is lost at, in whatever way, the change happens once.
func TestAnAnswerThatIsLostIsAskedForAgain(t *testing.T) {
	over(t, func(t *testing.T, url string) {
		for name, f := range map[string]fault{"lost": lost, "gone": gone, "half": half, "cut": cut} {
			p, s, past := behind(t, url, nil)
			for step := 1; step <= steps; step++ {
				p.set(only(step, f))
				g, err := s.Create(t.Context(), newWrite(), small(fmt.Sprint("g", step)))
				if err != nil || g.Version != 1 || p.requests() < step {
					t.Errorf("%s at step %d of %d: got %+v, %v", name, step, p.requests(), g, err)
				}
			}
			p.set(nil)
			whole(t, past, steps)
		}
	})
}

// A writer that is gone in the middle of a change leaves all of it or nothing, and the next one finishes it.
func TestAChangeThatWasLeftInTheMiddleIsFinishedByTheNextWriter(t *testing.T) {
	over(t, func(t *testing.T, url string) {
		for name, f := range map[string]fault{"before": gone, "after": lost} {
			p, s, past := behind(t, url, nil)
			made := 0
			for step := 1; step <= steps; step++ {
				repeated, id := newWrite(), fmt.Sprint("g", step)
				p.set(from(step, f))
				_, err := s.Create(t.Context(), repeated, small(id))
				if err == nil {
					t.Errorf("%s step %d: it was acknowledged", name, step)
				}
				readersSeeNothingByHalf(t, past)
				if _, err := past.Create(t.Context(), newWrite(), small(fmt.Sprint("next", step))); err != nil {
					t.Fatal(err)
				}
				if g, err := past.Create(t.Context(), repeated, small(id)); err != nil || g.Version != 1 {
					t.Errorf("%s step %d, repeated: %+v, %v", name, step, g, err)
				}
				made += 2
				whole(t, past, made)
				p.set(nil)
				s.Close()
				s = open(t, p.options)
			}
			s.Close()
		}
	})
}

// An import that was left in the middle is not seen, or seen whole.
func TestAnImportThatWasLeftInTheMiddleIsSeenWholeOrNotAtAll(t *testing.T) {
	over(t, func(t *testing.T, url string) {
		var items []guideline.Guideline
		for i := range 1500 { // more than one request takes, and than the journal has room for
			g := small(fmt.Sprint("g", i))
			g.Description = strings.Repeat("d", 500)
			items = append(items, g)
		}
		for step := 5; step <= 14; step += 3 {
			p, s, past := behind(t, url, nil)
			p.set(from(step, lost))
			write := newWrite()
			_, err := s.Import(t.Context(), write, items, store.ImportOptions{})
			if err == nil {
				t.Errorf("step %d: it was acknowledged", step)
			}
			readersSeeNothingByHalf(t, past)
			p.set(nil)
			result, err := past.Import(t.Context(), write, items, store.ImportOptions{})
			if err != nil || !result.Applied || result.Count(store.ItemCreated) != len(items) {
				t.Errorf("step %d, repeated: %d created, %v", step, result.Count(store.ItemCreated), err)
			}
			list, err := past.List(t.Context(), "a", store.ListQuery{})
			if err != nil || list.Total != len(items) {
				t.Errorf("step %d: %d guidelines, %v", step, list.Total, err)
			}
		}
	})
}

func readersSeeNothingByHalf(t *testing.T, s store.Store) {
	t.Helper()
	set, err := s.All(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.List(t.Context(), "a", store.ListQuery{})
	if err != nil || list.Total != len(set.Guidelines) || set.Generation == 0 && list.Total > 0 {
		t.Errorf("%d listed, %d in all at generation %d, %v", list.Total, len(set.Guidelines), set.Generation, err)
	}
	verdicts, err := s.Verify(t.Context(), "a")
	for _, v := range verdicts {
		if v.Fault != nil {
			t.Errorf("%+v: %+v", v.Chain, *v.Fault)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// Documents of a request for many that the servers had no room for are written again, and only those.
func TestPartsThatWereRefusedAreWrittenAgain(t *testing.T) {
	over(t, func(t *testing.T, url string) {
		p, s, past := behind(t, url, nil)
		busy := true
		p.set(func(_ int, r *http.Request) fault {
			if !busy || !strings.HasSuffix(r.URL.Path, "/_bulk") {
				return nil
			}
			busy = false
			return refuse(200, `{"errors":true,"items":[{"create":{"status":429,"error":{"type":"es_rejected_execution_exception","reason":"full queue"}}},
				{"create":{"status":503,"error":{"type":"unavailable_shards_exception","reason":"no primary"}}}]}`)
		})
		if _, err := s.Create(t.Context(), newWrite(), small("one")); err != nil || busy {
			t.Errorf("got %v", err)
		}
		whole(t, past, 1)
	})
}

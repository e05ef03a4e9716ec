package proof

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"

	"guardrails/store"
	"guardrails/store/live"
)

// version is a version of a guideline.
type version struct {
	id     string
	number int
}

// The type "acknowledgements" has the ids that were acknowledged until a moment, and the problems that occurred.
type acknowledgements struct {
	decided            [2][]string
	appended, problems []string
}

func (l *ledger) acknowledged() acknowledgements {
	l.lock.Lock()
	defer l.lock.Unlock()
	decided := [2][]string{slices.Clone(l.decided[0]), slices.Clone(l.decided[1])}
	return acknowledgements{decided, slices.Clone(l.appended), slices.Clone(l.problems)}
}

// The type "contents" has several counts of the entries of the audit: for each id, for each refused call, for each name
// that a client gave to a decision, and for each version of a guideline.
type contents struct {
	ids, refused, decisions map[string]int
	made                    map[version]int
}

// read() reads the audit and verifies its chains.
func (x *chaos) read() contents {
	x.t.Helper()
	have := contents{map[string]int{}, map[string]int{}, map[string]int{}, map[version]int{}}
	b := x.past.For(live.Caller{Tenant: tenant})
	for e, err := range b.Entries(x.t.Context(), store.AuditFilter{}) {
		must(x.t, err)
		have.count(&e)
	}
	verdicts, err := b.Verify(x.t.Context(), live.Verifying{Full: true})
	must(x.t, err)
	for _, v := range verdicts.Verdicts {
		if v.Fault != nil {
			x.t.Errorf("%+v: %+v", v.Chain, *v.Fault)
		}
	}
	return have
}

func (h *contents) count(e *store.Entry) {
	h.ids[e.ID]++
	if e.Kind == store.KindChange {
		h.made[version{e.Guideline, e.Version}]++
		return
	}
	if e.Event == "gate" {
		h.decisions[e.Decision.Reason]++
	}
	if call := refusedCall(e); call != "" {
		h.refused[call]++
	}
}

// refusedCall returns the id of the tool call whose refusal the entry records, or "".
func refusedCall(e *store.Entry) (id string) {
	if e.Context != nil && e.Decision != nil && e.Decision.Result == "deny" {
		id, _ = e.Context.Metadata["tool_use_id"].(string)
	}
	return id
}

// expect() reports acknowledged entries that are missing, and entries that exist more than once.
func (h *contents) expect(t *testing.T, when string, want acknowledgements) {
	t.Helper()
	h.once(t, when+": entries", want.appended, h.ids)
	for what, counted := range map[string]map[string]int{"ids": h.ids, "refused calls": h.refused, "decisions": h.decisions} {
		for id, n := range counted {
			if n > 1 {
				t.Errorf("%s: %s: %s exists %d times", when, what, id, n)
			}
		}
	}
	for v, n := range h.made {
		if n > 1 {
			t.Errorf("%s: version %d of %s exists %d times in the audit", when, v.number, v.id, n)
		}
	}
}

// The method once() fails the test for each acknowledged id that is missing or that occurs more than once.
func (h *contents) once(t *testing.T, what string, acknowledged []string, have map[string]int) {
	t.Helper()
	missing := slices.DeleteFunc(slices.Clone(acknowledged), func(id string) bool { return have[id] == 1 })
	if len(missing) > 0 {
		t.Errorf("%s: %d of %d acknowledged are missing or exist twice: %s", what, len(missing), len(acknowledged),
			strings.Join(missing[:min(3, len(missing))], ", "))
	}
}

// changes() checks that the audit has every acknowledged change, and every version of a guideline up to the newest.
func (h *contents) changes(t *testing.T, log []porcupine.Operation) {
	t.Helper()
	for _, o := range log {
		c, a := o.Input.(call), o.Output.(answer)
		if c.isRead() || c.what == remove || a.unknown || a.code != "" {
			continue
		}
		if v := (version{c.id, a.version}); h.made[v] != 1 {
			t.Errorf("version %d of %s was acknowledged and exists %d times in the audit", v.number, v.id, h.made[v])
		}
	}
	for v := range maps.Keys(h.made) {
		if v.number > 1 && h.made[version{v.id, v.number - 1}] != 1 {
			t.Errorf("the audit has version %d of %s, and not the one before", v.number, v.id)
		}
	}
}

package proof

import (
	"testing"

	"github.com/anishathalye/porcupine"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/live"
)

// settle() finds the results of the changes whose result is unknown. The history of a guideline shows which of these
// changes were made, and which versions they created. The returned calls all have a known result. If there were calls
// with an unknown result, checkOrder would have to try all combinations.
func settle(log []porcupine.Operation, history func(id string) []store.Revision) (out []porcupine.Operation) {
	made, read := map[string]store.Revision{}, map[string]bool{}
	for _, o := range log {
		id := o.Input.(call).id
		if read[id] {
			continue
		}
		read[id] = true
		for _, r := range history(id) {
			made[r.WriteID] = r
		}
	}
	known := map[string]bool{}
	for _, o := range log {
		known[o.Input.(call).write] = known[o.Input.(call).write] || isSuccess(&o)
	}
	for _, o := range log {
		c, a := o.Input.(call), o.Output.(answer)
		if a.unknown {
			r, isMade := made[c.write]
			if a.untouched || c.isRead() || !isMade || known[c.write] {
				continue
			}
			known[c.write], o.Output = true, answerFor(&r)
		}
		out = append(out, o)
	}
	return out
}

func isSuccess(o *porcupine.Operation) bool {
	a := o.Output.(answer)
	return !a.unknown && a.code == ""
}

// answerFor returns the answer to a change that made a revision.
func answerFor(r *store.Revision) answer {
	if r.Deleted {
		return answer{}
	}
	return answer{version: r.Guideline.Version, name: r.Guideline.Name, enabled: r.Guideline.Enabled}
}

// revisions() returns all revisions of a guideline.
func (x *chaos) revisions(id string) []store.Revision {
	x.t.Helper()
	of := x.past.For(live.Caller{Tenant: tenant})
	page, err := of.History(x.t.Context(), id, store.Paging{Page: 1, Size: 1000})
	if store.CodeOf(err) == store.NotFound {
		return nil
	}
	must(x.t, err)
	if page.Total != len(page.Items) {
		x.t.Fatalf("the guideline %s has %d revisions, and a page has only %d", id, page.Total, len(page.Items))
	}
	return page.Items
}

// If the result of a call is unknown but the store has the change of this call, the change must be part of the
// sequential order. If the answer to a call says that nothing was changed, the store must not have the change of this
// call.
func TestSettledCallsAreChecked(t *testing.T) {
	revision := func(version int, write string) store.Revision {
		return store.Revision{Guideline: guideline.Guideline{Version: version, Name: write, Enabled: true}, WriteID: write}
	}
	created := func(a answer) porcupine.Operation {
		return porcupine.Operation{Input: call{what: create, id: "a", name: "one", write: "one"}, Output: a, Return: 10}
	}
	read := func(a answer) porcupine.Operation {
		return porcupine.Operation{ClientId: 1, Input: call{what: get, id: "a"}, Output: a, Call: 20, Return: 30}
	}
	one := answer{version: 1, name: "one", enabled: true}
	for name, c := range map[string]struct {
		log  []porcupine.Operation
		made []store.Revision
		want porcupine.CheckResult
	}{
		"made, and read": {
			[]porcupine.Operation{created(answer{unknown: true}), read(one)}, []store.Revision{revision(1, "one")}, porcupine.Ok,
		},
		"repeated, and read": {
			[]porcupine.Operation{created(answer{unknown: true}), created(answer{unknown: true}), read(one)},
			[]store.Revision{revision(1, "one")},
			porcupine.Ok,
		},
		"not made, and not there": {
			[]porcupine.Operation{created(answer{unknown: true}), read(answer{code: store.NotFound})}, nil, porcupine.Ok,
		},
		"not made, and read": {
			[]porcupine.Operation{created(answer{unknown: true}), read(one)}, nil, porcupine.Illegal,
		},
		"made, although the answer says no": {
			[]porcupine.Operation{created(answer{unknown: true, untouched: true}), read(one)},
			[]store.Revision{revision(1, "one")},
			porcupine.Illegal,
		},
		"acknowledged, and not there": {
			[]porcupine.Operation{created(one), read(answer{code: store.NotFound})},
			[]store.Revision{revision(1, "one")},
			porcupine.Illegal,
		},
	} {
		t.Run(name, func(t *testing.T) {
			log := settle(c.log, func(string) []store.Revision { return c.made })
			if got, _ := checkOrder(t, log); got != c.want {
				t.Errorf("got %s, want %s: %+v", got, c.want, log)
			}
		})
	}
}

package live

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/footprint"
)

// heap() returns the size of everything that is in use on the heap.
func heap() int64 {
	runtime.GC()
	runtime.GC() // the first collection does not free objects that have a finalizer
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The kinds of guidelines for which the estimated size is compared with the memory that they take on the heap. The
// number i is different for each guideline.
var kinds = map[string]func(i int) guideline.Guideline{
	"ordinary guidelines": func(i int) guideline.Guideline {
		return guideline.Guideline{
			ID: fmt.Sprint("guideline-", i), Name: fmt.Sprint("Guideline ", i), Description: "Says how part " + fmt.Sprint(i) + " is built.",
			Enabled: true, Category: guideline.Custom, Priority: 500, CreatedBy: "ann",
			Condition: guideline.Condition{
				Agents: []string{fmt.Sprint("agent-", i%100)}, Domains: []string{fmt.Sprintf("P%02d", i%20)},
				Paths: []string{fmt.Sprintf("src/area%d/**", i%50)},
			},
			Action: guideline.Action{
				Type: guideline.Instruction, Instruction: strings.Repeat(fmt.Sprintf("Build part %d with care. ", i), 8),
			},
			Metadata: map[string]any{"tags": []any{fmt.Sprint("tag-", i%10)}},
		}
	},
	"copies of one text": func(i int) guideline.Guideline {
		return guideline.Guideline{
			ID: fmt.Sprint("g", i), Name: "g", Action: guideline.Action{Instruction: strings.Repeat("The same text. ", 600)},
			Metadata: map[string]any{"note": strings.Repeat("The same note. ", 100)},
		}
	},
	"long texts in metadata": func(i int) guideline.Guideline {
		return guideline.Guideline{ID: fmt.Sprint("g", i), Metadata: map[string]any{"note": fmt.Sprint(i, strings.Repeat("n", 20_000))}}
	},
	"many fields in metadata": func(i int) guideline.Guideline {
		many := map[string]any{}
		for n := range 100 {
			many[fmt.Sprint("field-", i, "-", n)] = float64(n)
		}
		return guideline.Guideline{ID: fmt.Sprint("g", i), Metadata: many}
	},
	"deep parameters": func(i int) guideline.Guideline {
		deep := map[string]any{"end": []any{fmt.Sprint(i), true, nil, 1.5}}
		for range 20 {
			deep = map[string]any{"in": deep, "of": []any{fmt.Sprint(i)}}
		}
		return guideline.Guideline{ID: fmt.Sprint("g", i), Action: guideline.Action{Parameters: deep}}
	},
	"long lists": func(i int) guideline.Guideline {
		var paths, tools []string
		for n := range 200 {
			paths, tools = append(paths, fmt.Sprintf("src/%d/%d/**", i, n)), append(tools, fmt.Sprintf("Bash(make p%d-%d)", i, n))
		}
		return guideline.Guideline{
			ID: fmt.Sprint("g", i), Condition: guideline.Condition{Paths: paths}, Action: guideline.Action{ToolsDenied: tools},
		}
	},
	"custom fields and gates": func(i int) guideline.Guideline {
		return guideline.Guideline{
			ID: fmt.Sprint("g", i), Condition: guideline.Condition{Custom: map[string]any{"team": fmt.Sprint("t", i), "level": 3.0}},
			Action: guideline.Action{Type: guideline.HITLGate, GateType: fmt.Sprint("gate-", i, strings.Repeat("x", 100))},
		}
	},
}

func list(kind string, n int) (out []guideline.Guideline) {
	for i := range n {
		out = append(out, kinds[kind](i))
	}
	return out
}

func TestTheSizeOfGuidelinesIsTheMemoryThatTheyTake(t *testing.T) {
	for kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			before := heap()
			kept := compact(list(kind, 500))
			took, size := heap()-before, footprint.Of(kept)
			if size > 2*took || took > 2*size {
				t.Errorf("%d bytes were counted, and the heap grew by %d", size, took)
			}
			runtime.KeepAlive(kept)
		})
	}
}

func TestTheSizeStaysRightWhileGuidelinesChange(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	names := slices.Sorted(maps.Keys(kinds))
	c := &cache{}
	var had []*guideline.Guideline
	for round := range 400 {
		g := kinds[names[random.IntN(len(names))]](random.IntN(50))
		changes := &store.Changes{Changed: []guideline.Guideline{g}, Whole: round == 0}
		if random.IntN(3) == 0 {
			changes = &store.Changes{Removed: []string{store.KeyOf(&g)}}
		}
		after := apply(had, changes)
		c.measure(had, after, changes)
		had = after
		real, size := footprint.Of(had), c.size.Load()
		if off := real / 4; size < real-off || size > real+off {
			t.Fatalf("after %d changes, %d bytes were counted instead of %d", round, size, real)
		}
	}
}

func TestTenantsWithMuchMetadataStayBelowTheLimitOfTheMemory(t *testing.T) {
	const limit, tenants, large = 8 << 20, 24, 1 << 20
	c := newCrowded(t)
	c.memory = limit
	database := c.database()
	for i := range tenants {
		w := store.Write{ID: store.NewID(time.Now()), Tenant: fmt.Sprint("t", i), Actor: "ann"}
		if _, err := database.Create(t.Context(), w, guideline.Guideline{
			ID: "one", Name: "one", Enabled: true, Category: guideline.Custom, Action: guideline.Action{Type: guideline.Instruction},
			Metadata: map[string]any{"note": fmt.Sprint(i, strings.Repeat("n", large))},
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := database.Close(); err != nil {
		t.Fatal(err)
	}
	before := heap()
	for i := range tenants {
		c.ask(fmt.Sprint("t", i))
	}
	c.poll(make(chan struct{}, 1))
	if took := heap() - before; took > 2*limit {
		t.Errorf("the guidelines take %d bytes, and the limit is %d", took, limit)
	}
	if n := len(c.Tenants()); n < 4 {
		t.Errorf("only %d tenants are in memory", n)
	}
}

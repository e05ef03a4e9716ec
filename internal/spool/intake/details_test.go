package intake_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"guardrails/internal/spool"
	"guardrails/store"
	"guardrails/webhook"
)

// If very many policies apply to a message, its details are long. The shortened details must still have the mode, which
// says that nothing was blocked.
func TestDetailsThatAreTooLongKeepTheModeAndTheFirstItems(t *testing.T) {
	long := func(n int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprintf("proactive.event_%04d", i))
		}
		return out
	}
	fired := func(n int) (out []map[string]string) {
		for i := range n {
			out = append(out, map[string]string{"rule": fmt.Sprintf("r_%d", i), "event": fmt.Sprintf("proactive.event_%04d", i)})
		}
		return out
	}
	for _, c := range []struct {
		name    string
		details map[string]any
		want    map[string]any
	}{
		{"short ones", map[string]any{"mode": "observe", "events": long(2)}, map[string]any{"mode": "observe", "events": long(2)}},
		{
			"a long list",
			map[string]any{"mode": "observe", "risk_score": 0.92, "events": long(2000)},
			map[string]any{"mode": "observe", "risk_score": 0.92, "events": long(2000)[:853], "shortened": true},
		},
		{
			"fired events beside many rules",
			map[string]any{"mode": "observe", "policies": long(2000), "events": long(300), "fired": fired(300)},
			map[string]any{"mode": "observe", "policies": long(2000)[:20], "events": long(300), "fired": fired(300), "shortened": true},
		},
		{
			"a long text and a large object",
			map[string]any{"mode": "observe", "preview": strings.Repeat("x", 9000), "more": map[string]any{"a": strings.Repeat("x", 9000)}},
			map[string]any{"mode": "observe", "preview": strings.Repeat("x", 497) + "…", "shortened": true},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newFixture(t)
			text, err := json.Marshal(c.details)
			check(t, err)
			record := spool.Record{
				ID: "chk_1", Kind: "safety_input", Outcome: "block", Project: "/p", Source: spool.FromService,
				Time: w.now.Format("2006-01-02T15:04:05Z07:00"), Details: string(text),
			}
			w.write(string(record.Line()))
			w.all(w.intake())
			e := w.entries("main", "acme")[0]
			got, err := json.Marshal(e.Context.Metadata["details"])
			check(t, err)
			want, err := json.Marshal(c.want)
			check(t, err)
			if !reflect.DeepEqual(plain(t, got), plain(t, want)) {
				t.Errorf("got %s", got)
			}
			if names := namesOf(&e); !slices.Contains(names, webhook.SafetyObserved) || slices.Contains(names, webhook.SafetyBlocked) {
				t.Errorf("the events are %q", names)
			}
		})
	}
}

func plain(t *testing.T, text []byte) (out any) {
	t.Helper()
	check(t, json.Unmarshal(text, &out))
	return out
}

func namesOf(e *store.Entry) (out []string) {
	for _, event := range webhook.Events(e) {
		out = append(out, event.Name)
	}
	return out
}

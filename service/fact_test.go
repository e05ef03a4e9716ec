package service_test

import (
	"context"
	"strings"
	"testing"

	"guardrails/guideline"
	"guardrails/service"
)

const fridayRule = `condition: {events: [deploy], custom: {weekday: friday, team: shop}}
action: {type: hitl_gate, gate_type: friday}`

func TestFactsOfACallStayOpenUnlessTheyAreStated(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails/a.yaml": rule("friday", fridayRule)})
	for _, c := range []struct {
		name, want string
		metadata   map[string]any
		hook       bool
	}{
		{"nothing is stated", "", nil, false},
		{"only another key is stated", "friday if custom", map[string]any{"team": "shop"}, false},
		{"another key has another value", "", map[string]any{"team": "bank"}, false},
		{"the fact is stated", "friday", map[string]any{"team": "shop", "weekday": "friday"}, false},
		{"another day is stated", "", map[string]any{"team": "shop", "weekday": "monday"}, false},
		{"a hook asks for the guidelines of a session", "friday", map[string]any{"team": "shop"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := service.Request{Context: guideline.Context{Event: "deploy", Metadata: c.metadata}, Hook: c.hook}
			a, err := p.service().GetContext(context.Background(), r)
			check(t, err)
			if c.hook {
				if got := ids(a); got != c.want {
					t.Errorf("got %q, want %q", got, c.want)
				}
				return
			}
			var got []string
			for _, g := range a.Guidelines {
				if g.Residual != nil && g.Residual.Custom != nil {
					g.ID += " if custom"
				}
				got = append(got, g.ID)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

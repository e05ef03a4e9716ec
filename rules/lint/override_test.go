package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"guardrails/rules"
	"guardrails/rules/lint"
)

func TestAGuidelineOverridesAnother(t *testing.T) {
	const gate = "name: G, category: custom, action: {type: hitl_gate, gate_type: devops}}"
	for _, c := range []struct{ name, draft, other, want string }{
		{
			"a gate of a lower priority",
			"{id: d, priority: 700, " + gate, "{id: o, priority: 500, " + gate,
			"o by d: gate: devops",
		},
		{
			"a gate of a higher priority",
			"{id: d, priority: 300, " + gate, "{id: o, priority: 500, " + gate,
			"d by o: gate: devops",
		},
		{
			"an allow list",
			"{id: d, name: D, priority: 700, allow: [Write(src/*)], because: x}", "{id: o, name: O, allow: [Write(docs/*)], because: x}",
			"o by d: tools_allowed: Write(docs/*)",
		},
		{
			"a denial of a lower priority wins",
			"{id: d, name: D, priority: 700, allow: [Read], because: x}", "{id: o, name: O, priority: 100, deny: [Read], because: x}",
			"d by o: tools_allowed: Read",
		},
		{
			"other agents",
			"{id: d, priority: 700, agents: [a], " + gate,
			"{id: o, agents: [b], " + gate, "",
		},
		{
			"a guideline that is off",
			"{id: d, priority: 700, " + gate,
			"{id: o, enabled: false, " + gate, "",
		},
		{"nothing in common", "{id: d, name: D, tell: x}", "{id: o, name: O, tell: y}", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, problems := rules.Parse("a.yaml", []byte("- "+c.draft+"\n- "+c.other+"\n"))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			found, err := lint.Overrides(&file.Guidelines[0], file.Guidelines[1:])
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, o := range found {
				if o.Reason == "" {
					t.Errorf("%v has no reason", o)
				}
				got = append(got, fmt.Sprintf("%s by %s: %s", o.ID, o.By, o.What))
			}
			if text := strings.Join(got, "\n"); text != c.want {
				t.Errorf("got %q, want %q", text, c.want)
			}
		})
	}
}

func TestGuidelinesWithTheSameIDDoNotOverrideEachOther(t *testing.T) {
	const gate = "- {id: d, priority: %d, name: G, category: custom, action: {type: hitl_gate, gate_type: devops}}\n"
	var list []rules.Source
	for _, priority := range []int{700, 500} {
		file, problems := rules.Parse("a.yaml", fmt.Appendf(nil, gate, priority))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		list = append(list, file.Guidelines...)
	}
	if found, err := lint.Overrides(&list[0], list[1:]); err != nil || len(found) > 0 {
		t.Errorf("got %v, %v", found, err)
	}
}

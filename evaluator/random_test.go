package evaluator_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/guideline/pattern"
)

// chooser chooses a number from 0 up to, but not including, its argument. The numbers come from a random generator or
// from the bytes of a fuzzer.
type chooser func(below int) int

func seeded(seed uint64) chooser {
	return rand.New(rand.NewPCG(seed, 0)).IntN
}

// fromBytes returns a chooser that takes its numbers from data, and returns 0 after the end of data.
func fromBytes(data []byte) chooser {
	return func(below int) int {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int(b) % below
	}
}

// There are only a few values for each field, so that matches, conflicts and ties are common.
func (c chooser) agent() string    { return c.pick("backend", "frontend", "") }
func (c chooser) domain() string   { return c.pick("P01", "P05", "") }
func (c chooser) action() string   { return c.pick("implement", "review", "") }
func (c chooser) event() string    { return c.pick("commit", "push", "") }
func (c chooser) gateType() string { return c.pick("deploy", "merge", "") }
func (c chooser) tenant() string   { return c.pick("", "", "acme", "globex") }
func (c chooser) env() string      { return c.pick("prod", "test") }

func (c chooser) glob() string {
	return c.pick("src/*", "*", "contracts/**", "/etc/*", "~/*", "*.go", "{a,b}/x", "a/[!b]/c", "./src/*")
}

func (c chooser) path() string {
	return c.pick("src/main.go", "src/../contracts/x", "../out.go", "a/../../b/x", "~/../src/a.go", "/etc/passwd",
		"a/x", "a/c/c", "./src/a", "contracts", "", "C:/../src/a", "~/../../x")
}

func (c chooser) tool() string {
	return c.pick("Write", "Write(src/*)", "Edit(src/*)", "MultiEdit", "NotebookEdit(src/*)", "Bash(go*)", "Bash", "*",
		"Task(backend)", "Agent(backend)", "mcp__github", "mcp__github__*")
}

func (c chooser) pick(options ...string) string { return options[c(len(options))] }

// oneIn returns true with the probability 1/in. For example, oneIn(8) returns true in about one of eight calls.
func (c chooser) oneIn(in int) bool { return c(in) == in-1 }

// list() returns a list that has at most the given number of items. Usually the list is empty.
func (c chooser) list(most int, item func() string) []string {
	if c(3) != 2 {
		return nil
	}
	var out []string
	for range c(most + 1) {
		out = append(out, item())
	}
	return out
}

func (c chooser) guidelines() []guideline.Guideline {
	count := 1 + c(12)
	if c.oneIn(60) {
		count = 60 + c(80) // enough for an index
	}
	out := make([]guideline.Guideline, count)
	for i := range out {
		out[i] = c.guideline(fmt.Sprintf("%s-%d", c.pick("a", "b", "c"), i))
	}
	return out
}

func (c chooser) guideline(id string) guideline.Guideline {
	return guideline.Guideline{
		ID: id, Name: "Name of " + id, Enabled: !c.oneIn(8), Priority: 100 * c(4),
		Category: guideline.Security, TenantID: c.tenant(),
		Condition: guideline.Condition{
			Agents: c.list(2, c.agent), Domains: c.list(2, c.domain), Actions: c.list(2, c.action),
			Paths: c.list(2, c.glob), Events: c.list(2, c.event), GateTypes: c.list(2, c.gateType), Custom: c.custom(),
		},
		Action: guideline.Action{
			Type: guideline.ToolRestriction, Instruction: c.instruction(),
			ToolsAllowed: c.list(3, c.tool), ToolsDenied: c.list(3, c.tool), ToolsAsked: c.asked(),
			GateType: c.gateType(), GateThreshold: guideline.Threshold(c.pick("", "mandatory", "advisory")),
			MaxFiles: optional(c, func() int { return 1 + c(3) }), RequireTests: optional(c, c.flag), RequireReview: optional(c, c.flag),
		},
	}
}

func (c chooser) asked() []string {
	if c.oneIn(4) {
		return c.list(3, c.tool)
	}
	return nil
}

func (c chooser) flag() bool { return c(2) == 1 }

func optional[T any](c chooser, value func() T) *T {
	if c(3) != 2 {
		return nil
	}
	v := value()
	return &v
}

func (c chooser) instruction() string {
	switch c(40) {
	case 0, 1, 2, 3, 4:
		return ""
	case 5:
		return " \n"
	case 6:
		return strings.Repeat("é", 1000*(1+c(10)))
	default:
		return " Keep to the plan.\n"
	}
}

func (c chooser) custom() map[string]any {
	switch c(8) {
	case 0:
		return map[string]any{"env": c.env()}
	case 1:
		return map[string]any{"env": []any{"prod", "test"}, "team": 1.0}
	default:
		return nil
	}
}

func (c chooser) query() *evaluator.Query {
	q := &evaluator.Query{Context: guideline.Context{
		Agent: c.agent(), Domain: c.domain(), Action: c.action(), Paths: c.list(3, c.path),
		Event: c.event(), GateType: c.gateType(), TenantID: c.tenant(), Metadata: c.metadata(),
	}}
	if c.flag() {
		q.Unknown = guideline.Fields(c(128))
	}
	if c.oneIn(4) {
		q.Places = c.places()
	}
	return q
}

func (c chooser) metadata() map[string]any {
	switch c(4) {
	case 0:
		return nil
	case 1:
		return map[string]any{"env": c.env()}
	case 2:
		return map[string]any{"env": []any{c.env(), "stage"}, "team": c(2)}
	default:
		return map[string]any{"team": []any{1.0, true}}
	}
}

func (c chooser) places() []pattern.Path {
	out := []pattern.Path{}
	for range c(3) {
		out = append(out, pattern.Path{
			Name: c.pick("src/main.go", "src", "contracts", "/etc", "~/.ssh", "*.go", "con*"), Tree: c.flag(), Glob: c.flag(),
		})
	}
	return out
}

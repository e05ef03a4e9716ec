package cache_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/hooks/cache"
	"guardrails/internal/fortests/labeledcommands"
	"guardrails/rules"
)

var environment = toolcall.Env{Root: "/home/dev/code/app", Cwd: "/home/dev/code/app", Home: "/home/dev"}

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// labelledCalls returns the analyses of all labelled commands of the project, and of some calls of tools that are not
// Bash.
func labelledCalls(t testing.TB) []*effect.Analysis {
	t.Helper()
	var out []*effect.Analysis
	for _, command := range labeledcommands.Commands(t, "../..", "dangerous*.json", "harmless*.json") {
		out = append(out, toolcall.AnalyzeCommand(&environment, command))
	}
	for _, command := range []string{"cp /tmp/pri?es.go docs", "cp /tmp/[a]b.go contracts/current", "cp /tmp/a* src-x", "mv x/?.md docs"} {
		out = append(out, toolcall.AnalyzeCommand(&environment, command))
	}
	many := &effect.Analysis{Tool: "Bash"}
	for _, call := range out[:min(len(out), 200)] {
		many.Effects = append(many.Effects, call.Effects...)
	}
	out = append(out, many)
	for _, path := range []string{"src/core/a.go", "/home/dev/code/app/SRC/ui/b.ts", "../other/x", "~/.ssh/id_rsa", "contracts/current/a.yaml", ".claude/settings.json", "docs/a.md"} {
		for _, tool := range []string{"Write", "Edit", "Read", "NotebookEdit", "Glob", "mcp__files__write", "mcp__files__delete"} {
			out = append(out, toolcall.Analyze(&environment, tool, fmt.Appendf(nil, `{%q:%q}`, toolcall.PathArgument(tool), path)))
		}
	}
	for tool, input := range map[string]string{
		"Agent": `{"subagent_type":"backend","prompt":"x"}`, "Task": `{"subagent_type":"devops","prompt":"x"}`, "WebFetch": `{"url":"https://Docs.Example.com/x"}`,
		"mcp__db__query": `{"sql":"drop table x"}`, "Skill": `{"skill":"deploy"}`, "ExitPlanMode": `{"plan":"x"}`, "Unknown": `{}`,
	} {
		out = append(out, toolcall.Analyze(&environment, tool, []byte(input)))
	}
	return out
}

func packs(t testing.TB) []guideline.Guideline {
	t.Helper()
	var out []guideline.Guideline
	for _, name := range []string{"core", "roles"} {
		pack, err := rules.Pack(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, pack.Plain()...)
	}
	return out
}

// randomGuidelines returns guidelines whose random conditions and patterns match the calls in many ways.
func randomGuidelines(r *rand.Rand, count int) []guideline.Guideline {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	path := func() string {
		return pick("src/*", "src/core/*", "*.go", "**/x/**", "contracts/current/*", ".claude/*", "~/.ssh/**",
			"/etc/*", "{src,docs}/*", "[sd]*/a*", "build/*", "docs/prices.go", "contracts/current/ab.go",
			"src-[]abcdefgh]x", "{docs,[}]longer}/a",
			"a", "*", "docs/?.md", "node_modules/*", "./src/*", "/tmp/*", "src/UI/*", "*id_rsa*", "~/*", "/home/dev/code/app/*")
	}
	tool := func() string {
		return pick("Write", "Edit", "Read", "Bash", "*", "Agent", "WebFetch", "mcp__files", "mcp__*", "mcp__db__query", "NotebookEdit", "Write("+path()+")", "Edit("+path()+")",
			"Read("+path()+")", "Bash(rm *)", "Bash(git push:*)", "Bash(npm run test:*)", "Bash(*curl*)", "Bash(python*)", "WebFetch(domain:*.example.com)",
			"Agent(backend)", "Task(dev*)", "Skill(dep*)")
	}
	event := func() string { return string(effect.Events()[r.IntN(len(effect.Events()))].Event) }
	some := func(chance float64, f func() string) (out []string) {
		for r.Float64() < chance && len(out) < 3 {
			out = append(out, f())
		}
		return out
	}
	out := make([]guideline.Guideline, count)
	for i := range out {
		g := guideline.Guideline{ID: fmt.Sprintf("g%d", i), Name: "n", Enabled: r.IntN(10) > 0, Category: guideline.Custom, Priority: r.IntN(5) * 100}
		g.Condition = guideline.Condition{Agents: some(.2, func() string { return pick("backend", "frontend") }), Paths: some(.3, path), Events: some(.3, event)}
		g.Action = guideline.Action{Type: guideline.ToolRestriction, ToolsAllowed: some(.15, tool), ToolsDenied: some(.4, tool)}
		if r.IntN(3) == 0 {
			g.Action.Type, g.Action.GateType = guideline.HITLGate, pick("a", "b")
			g.Action.GateThreshold = guideline.Threshold(pick("mandatory", "advisory"))
		}
		if g.Action.GateType != "" {
			g.Action.ToolsAsked = some(.3, tool)
		}
		if r.IntN(3) == 0 {
			g.Action.Instruction = "do"
		}
		out[i] = g
	}
	return out
}

func read(t testing.TB, guidelines []guideline.Guideline) *cache.Cache {
	t.Helper()
	doc, err := cache.Encode(&cache.Body{Layers: []cache.Layer{{Guidelines: guidelines}}, TTL: 300, Source: "files"})
	if err != nil {
		t.Fatal(err)
	}
	seal(t, doc, now)
	if !json.Valid(doc) {
		t.Fatalf("not JSON: %s", doc)
	}
	c, err := cache.Read(bytes.NewReader(doc), int64(len(doc)), now, key)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func compiled(t testing.TB, guidelines []guideline.Guideline) *evaluator.Set {
	t.Helper()
	set, err := evaluator.Compile(guidelines)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// summary() formats a decision as text, so that two decisions can be compared.
func summary(d *decide.Decision) string {
	var b strings.Builder
	fmt.Fprintln(&b, d.Outcome, d.Reason)
	for _, f := range d.Findings {
		fmt.Fprintln(&b, f.Guideline.ID, f.Outcome, f.Effect, f.Pattern, f.Allowed, f.Event)
	}
	for _, g := range d.Advice {
		fmt.Fprintln(&b, "advice", g.ID)
	}
	return b.String()
}

func TestRelevantGuidelinesDecideLikeAllGuidelines(t *testing.T) {
	sets := map[string][]guideline.Guideline{"packs": packs(t)}
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 25
	if testing.Short() {
		rounds = 3
	}
	for i := range rounds {
		sets[fmt.Sprintf("invented %d", i)] = randomGuidelines(r, 1+r.IntN(25))
	}
	list := labelledCalls(t)
	context := guideline.Context{Agent: "backend"}
	for name, guidelines := range sets {
		all, c := compiled(t, guidelines), read(t, guidelines)
		for _, call := range list {
			some, err := c.Relevant(call)
			if err != nil {
				t.Fatal(err)
			}
			want := summary(decide.Judge(decide.Alone(all, context), call, decide.Facts{}))
			got := summary(decide.Judge(decide.Alone(compiled(t, some[0].Guidelines), context), call, decide.Facts{}))
			if got != want {
				t.Fatalf("%s: %s %+v\ngot  %s\nwant %s", name, call.Tool, call.Effects, got, want)
			}
		}
	}
}

// The document contains a thousand guidelines about different folders. For a call that changes one folder, only one of
// these guidelines is relevant.
func TestOnlyRelevantGuidelinesAreRead(t *testing.T) {
	var guidelines []guideline.Guideline
	for i := range 1000 {
		guidelines = append(guidelines, guideline.Guideline{
			ID: fmt.Sprintf("module-%d", i), Name: "n", Enabled: true, Category: guideline.Security, Priority: 500,
			Condition: guideline.Condition{Agents: []string{"backend"}},
			Action: guideline.Action{
				Type:        guideline.ToolRestriction,
				ToolsDenied: []string{fmt.Sprintf("Write(src/module%04d/*)", i), fmt.Sprintf("Bash(tool%04d *)", i)},
			},
		})
	}
	c := read(t, guidelines)
	for command, want := range map[string]int{
		"go test ./...": 0, "echo x > src/module0007/a.go": 1, "tool0042 run": 1, "rm -rf src/module0009": 1, "grep -r x .": 0, "rm -rf src": 1000,
	} {
		got, err := c.Relevant(toolcall.AnalyzeCommand(&environment, command))
		if err != nil || len(got[0].Guidelines) != want {
			t.Errorf("%s: %d guidelines, want %d (%v)", command, len(got[0].Guidelines), want, err)
		}
	}
}

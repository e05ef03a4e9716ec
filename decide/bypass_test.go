package decide_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/detect/toolcall"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/internal/fortests/golden"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// bypass is one way around the guard, and the decision that is expected.
type bypass struct {
	Way     string            `json:"way"`
	What    string            `json:"what"`
	Limit   string            `json:"limit"`
	Stopped []string          `json:"stopped"`
	Passed  []string          `json:"passed"`
	Resolve map[string]string `json:"resolve"`
	// Scripts are files in the project. Worktrees are folders in the project. Each of these folders is a worktree of
	// the project's repository.
	Scripts   map[string]string `json:"scripts"`
	Worktrees []string          `json:"worktrees"`
	Tools     []struct {
		Tool    string          `json:"tool"`
		Input   json.RawMessage `json:"input"`
		Stopped bool            `json:"stopped"`
	} `json:"tools"`
}

func readBypasses(t *testing.T) []bypass {
	t.Helper()
	text, err := os.ReadFile("testdata/bypasses.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []bypass
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestBypasses(t *testing.T) {
	set := core(t)
	for _, b := range readBypasses(t) {
		t.Run(b.Way, func(t *testing.T) {
			env := environment
			env.Resolve = func(path string) string {
				for link, target := range b.Resolve {
					if path == env.Root+"/"+link {
						return env.Root + "/" + target
					}
				}
				return path
			}
			env.Script = func(path string, _ int64) ([]byte, bool) {
				text, ok := b.Scripts[strings.TrimPrefix(path, env.Root+"/")]
				return []byte(text), ok
			}
			env.Worktree = func(path string) string {
				for _, root := range b.Worktrees {
					if strings.HasPrefix(path, env.Root+"/"+root+"/") {
						return env.Root + "/" + root
					}
				}
				return ""
			}
			for _, command := range b.Stopped {
				expect(t, set, toolcall.AnalyzeCommand(&env, command), command, true)
			}
			for _, command := range b.Passed {
				expect(t, set, toolcall.AnalyzeCommand(&env, command), command, false)
			}
			for _, call := range b.Tools {
				expect(t, set, toolcall.Analyze(&env, call.Tool, call.Input), call.Tool, call.Stopped)
			}
		})
	}
}

func expect(t *testing.T, set *evaluator.Set, call *effect.Analysis, what string, wantStopped bool) {
	t.Helper()
	d := decide.Judge(decide.Alone(set, guideline.Context{}), call, decide.Facts{})
	if got := d.Outcome == decide.Deny || d.Outcome == decide.Ask; got != wantStopped {
		t.Errorf("%q: %s, %s", what, d.Outcome, d.Reason)
	}
}

func TestBypassPageIsCurrent(t *testing.T) {
	golden.Check(t, *update, "../docs/bypasses.md", bypassPage(readBypasses(t)))
}

func bypassPage(list []bypass) string {
	var b strings.Builder
	b.WriteString(`# Ways around a tool guard

These are the known ways to get a command past a guard, and what guardrails does about each. A test runs every row
(` + "`decide/testdata/bypasses.json`" + `) with the core pack, the built-in guidelines for any project. The calls in the third
column are *stopped*: they are blocked or need your approval. Similar calls in the fourth column run. On this page, the
*client* is Claude Code, and the *guard* is guardrails itself. ⏎ stands for the end of a line.

| way | what guardrails does | stopped, for example | runs, for example |
|---|---|---|---|
`)
	for _, w := range list {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", strings.ReplaceAll(w.Way, "|", `\|`), w.What, example(w.Stopped), example(w.Passed))
	}
	b.WriteString(`
## What it cannot see

After each call, guardrails compares its own files with their earlier state. So it notices even changes of these files
that the analysis does not see: see [trust.md](trust.md#after-each-call). In this list, a program *without a row* is a
program that is not in the [tables of programs](adding-a-program.md).

`)
	for _, w := range list {
		if w.Limit != "" {
			fmt.Fprintf(&b, "* **%s**: %s\n", w.Way, w.Limit)
		}
	}
	return b.String()
}

// example returns the first of the commands in the form for a cell of a table.
func example(commands []string) string {
	if len(commands) == 0 {
		return ""
	}
	quoted := strings.NewReplacer("|", `\|`, "\n", "⏎", "\u202e", "<U+202E>", "\u200b", "<U+200B>", "\x00", "<NUL>").Replace(commands[0])
	if strings.Contains(quoted, "`") {
		return "`` " + quoted + " ``"
	}
	return "`" + quoted + "`"
}

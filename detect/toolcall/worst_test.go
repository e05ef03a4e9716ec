package toolcall_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"guardrails/detect/toolcall"
	"guardrails/detect/toolcall/trace"
	"guardrails/internal/fortests/worstcase"
)

// worstEnv describes a machine that answers every question of the analysis quickly. The machine has the scripts that a
// call runs.
func worstEnv(c worstcase.Call) *trace.Env {
	return &toolcall.Env{
		Root: "/home/dev/app", Cwd: "/home/dev/app", Home: "/home/dev",
		Resolve: func(path string) string { return path },
		Guarded: []string{
			"/home/dev/.local/state/guardrails/key", "/home/dev/.local/share/guardrails", "/home/dev/.config/guardrails",
			"/usr/local/bin/guardrails", "/usr/local/bin/guardrails-enforce", "/usr/local/bin/guardrails-server",
		},
		Script: func(path string, limit int64) ([]byte, bool) {
			text, ok := c.Files[path]
			if int64(len(text)) > limit {
				return []byte(text[:limit]), false
			}
			return []byte(text), ok
		},
		Variable: os.Getenv, OnPath: func(string) bool { return false }, Missing: func(string) bool { return false },
		List:     func(string) ([]string, []string) { return nil, nil },
		Worktree: func(string) string { return "" }, HasRepository: func(string) bool { return false },
		Repository: func(string) toolcall.Repository { return toolcall.Repository{} },
		Guardless:  func(toolcall.TreeChange) bool { return false },
		Pending:    func(string, bool) *toolcall.Pending { return &toolcall.Pending{} },
	}
}

// TestNoCallTakesTooLong analyzes the calls that are hard to analyze. On an idle machine, each of them takes at most
// 50 ms. A busy machine needs much longer, so the test accepts 5 s.
func TestNoCallTakesTooLong(t *testing.T) {
	size := 120 << 10
	if testing.Short() {
		size = 8 << 10
	}
	for _, c := range worstcase.Calls(size) {
		start := time.Now()
		call, steps := toolcall.AnalyzeInSteps(worstEnv(c), c.Tool, c.Input)
		if took := time.Since(start); took > slowest {
			t.Errorf("%s: takes %v", c.Name, took)
		}
		mustNotFail(t, c.Name, call)
		if steps > trace.MaxSteps && c.Files == nil && len(tooLarge(call)) == 0 {
			t.Errorf("%s: takes too many steps, and no effect says so", c.Name)
		}
	}
}

// TestACallThatTakesTooManyStepsIsTooLarge checks that the analysis reports a call as too large if it does not analyze
// the end of the call.
func TestACallThatTakesTooManyStepsIsTooLarge(t *testing.T) {
	items := strings.Repeat("a ", 60)
	loop := "for i in " + items + "; do for j in " + items + "; do for k in " + items + "; do [[ a ]]; done; done; done; "
	for name, c := range map[string]struct{ command, reason string }{
		"loops":                  {loop + "rm -rf /etc", "takes too many steps"},
		"arrays that are copied": {"a=(" + strings.Repeat("b ", 4000) + ");" + strings.Repeat(`a=("${a[@]}" c);`, 500) + "rm -rf /etc", "takes too many steps"},
		"large texts":            {"x='" + strings.Repeat("a ", 30_000) + "';" + strings.Repeat(`y="$x$x";`, 2000) + "rm -rf /etc", "takes too many steps"},
	} {
		reasons := tooLarge(toolcall.AnalyzeCommand(nil, c.command))
		if len(reasons) != 1 || !strings.Contains(reasons[0], c.reason) {
			t.Errorf("%s: reasons %q, want one with %q", name, reasons, c.reason)
		}
	}
}

// TestOrdinaryLongCallsAreAnalyzedCompletely checks that the scripts, programs and texts that agents send never exceed
// the limit on the number of steps.
func TestOrdinaryLongCallsAreAnalyzedCompletely(t *testing.T) {
	const size = 100 << 10
	for name, command := range map[string]string{
		"script":        scriptOf(size),
		"here-document": "cat > a.go <<'E'\n" + prose(size) + "\nE\n",
		"message":       "git commit -m '" + strings.ReplaceAll(prose(size), "'", "") + "'",
		"Python":        "python3 <<'E'\n" + pythonOf(size) + "E\n",
		"JavaScript":    "node <<'E'\n" + javascriptOf(size) + "E\n",
		"SQL":           "psql <<'E'\n" + rowsOf(size) + "E\n",
		"files":         "git add " + filesOf(size/2),
	} {
		input, _ := json.Marshal(map[string]string{"command": command})
		call, steps := toolcall.AnalyzeInSteps(worstEnv(worstcase.Call{}), "Bash", input)
		t.Logf("%s: %d steps, %d effects", name, steps, len(call.Effects))
		for _, reason := range tooLarge(call) {
			if !strings.Contains(reason, "5,000 effects") {
				t.Errorf("%s: %s", name, reason)
			}
		}
		if steps > trace.MaxSteps {
			t.Errorf("%s: takes %d steps", name, steps)
		}
	}
}

// made() returns a text of at least the given size in bytes. The text consists of copies of a part with different
// numbers.
func made(size int, part string) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString(strings.ReplaceAll(part, "#", fmt.Sprint(i)))
	}
	return b.String()
}

func pythonOf(size int) string {
	return made(size, "def parse_#(path, limit=10):\n    \"\"\"Reads one file and returns its rows.\"\"\"\n"+
		"    with open(path) as source:\n        rows = [line.strip().split(',') for line in source if line]\n"+
		"    total = sum(int(row[0]) for row in rows) + limit * 2\n    print(f'{path}: {total}')\n    return rows\n\n")
}

func javascriptOf(size int) string {
	return made(size, "function render#(items, options = {}) {\n  // Shows the items of one page.\n"+
		"  const { title, wide } = options;\n  const rows = items.filter(i => i.visible).map(i => `<li>${i.name}</li>`);\n"+
		"  return `<h1>${title}</h1><ul class=\"${wide ? 'wide' : ''}\">${rows.join('')}</ul>`;\n}\n\n")
}

func rowsOf(size int) string {
	return made(size, "insert into people (id, name) values (#, 'name #');\n")
}

func filesOf(size int) string { return made(size, "src/module/component-#.tsx ") }

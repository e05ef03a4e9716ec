package toolcall

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// tableCase is a test case: a call with the result that the analysis must have.
type tableCase struct {
	// Tool is the name of the tool that runs Command. If it is empty, the tool is Bash.
	Tool    string `json:"tool"`
	Command string `json:"command"`
	// Events lists the events of all effects, in any order. Events in Ignore are not compared.
	Events []string `json:"events"`
	Ignore []string `json:"ignore"`
	// Effects lists effects that the call must have. Each effect is written as its kind followed by its path, command,
	// host or name.
	Effects []string `json:"effects"`
	// None is set if the call must have no events.
	None bool `json:"none"`
}

// tableEnv describes the machine on which the commands in the tables run.
func tableEnv() *trace.Env {
	return &trace.Env{
		Root: "/home/dev/project", Cwd: "/home/dev/project", Home: "/home/dev",
		HasRepository: func(folder string) bool { return folder == "/home/dev/code" || folder == "/home/dev/code/shop" },
	}
}

// TestCommandTables analyzes the commands of every table in testdata/commands.
func TestCommandTables(t *testing.T) {
	files, err := filepath.Glob("testdata/commands/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tables found: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			for _, c := range readJSON[[]tableCase](t, file) {
				checkCase(t, c, analyzeCase(t, c))
			}
		})
	}
}

func readJSON[T any](t testing.TB, file string) T {
	t.Helper()
	var out T
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return out
}

func analyzeCase(t *testing.T, c tableCase) *effect.Analysis {
	t.Helper()
	if c.Tool == "" {
		return AnalyzeCommand(tableEnv(), c.Command)
	}
	input, err := json.Marshal(map[string]string{"command": c.Command})
	if err != nil {
		t.Fatal(err)
	}
	return Analyze(tableEnv(), c.Tool, input)
}

func checkCase(t *testing.T, c tableCase, got *effect.Analysis) {
	t.Helper()
	if events := eventsOf(got, c.Ignore); !slices.Equal(events, sorted(c.Events)) {
		t.Errorf("%s\n\tevents %v, want %v\n%s", c.Command, events, sorted(c.Events), report(got))
	}
	for _, want := range c.Effects {
		if !slices.ContainsFunc(got.Effects, func(e effect.Effect) bool { return hasLine(e, want) }) {
			t.Errorf("%s\n\tlacks the effect %q\n%s", c.Command, want, report(got))
		}
	}
}

// eventsOf returns the sorted events of all effects, each event once.
func eventsOf(a *effect.Analysis, ignore []string) []string {
	var out []string
	for _, e := range a.Effects {
		for _, event := range e.Events {
			if !slices.Contains(ignore, string(event)) {
				out = append(out, string(event))
			}
		}
	}
	return slices.Compact(sorted(out))
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

// effectLine returns an effect in the form that the tables use.
func effectLine(e effect.Effect) string {
	return strings.TrimSpace(string(e.Kind) + " " + e.Path + e.Command + e.Host + e.Name)
}

// hasLine reports whether a line of a table describes an effect. The line may contain the effect's path, or one of the
// paths in Inside.
func hasLine(e effect.Effect, line string) bool {
	return effectLine(e) == line || slices.ContainsFunc(e.Inside, func(p string) bool { return string(e.Kind)+" "+p == line })
}

func report(a *effect.Analysis) string {
	var b strings.Builder
	for _, e := range a.Effects {
		b.WriteString("\t\t" + strings.Join(append([]string{effectLine(e)}, e.Inside...), " or "))
		for _, event := range e.Events {
			b.WriteString(" [" + string(event) + "]")
		}
		if e.Reason != "" {
			b.WriteString(" (" + e.Reason + ")")
		}
		b.WriteString("\n")
	}
	return b.String()
}

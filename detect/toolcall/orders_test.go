package toolcall

import (
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/cloud"
	"guardrails/detect/toolcall/shell"
	"guardrails/detect/toolcall/trace"
	"guardrails/internal/fortests/golden"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// decidedBy returns the table rows that determine the result for a command, in the form "program: subcommand".
func decidedBy(command string) []string {
	var rows []string
	tr := newTrace(tableEnv(), "Bash")
	tr.OnRow = func(program, order string, _ []trace.Value) { rows = append(rows, program+": "+order) }
	shell.Bash(tr, command)
	return rows
}

func TestEveryRowHasALabelledCase(t *testing.T) {
	decided := map[string]bool{}
	files, err := filepath.Glob("testdata/commands/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, c := range readJSON[[]tableCase](t, file) {
			for _, row := range decidedBy(c.Command) {
				decided[row] = true
			}
		}
	}
	for _, table := range tables() {
		for line := range strings.Lines(table.Text) {
			if line[0] == '\t' || strings.TrimSpace(line) == "" {
				continue
			}
			names := strings.Fields(line)
			for _, row := range table.Rows(names[0]) {
				if !slices.ContainsFunc(names, func(name string) bool { return decided[name+": "+row.Order] }) {
					t.Errorf("no labelled command is decided by the row of %s: %s  %s", names[0], row.Order, row.Outcome)
				}
			}
		}
	}
}

// programsOf returns the names of all programs of a table.
func programsOf(table *program.Table) []string {
	var out []string
	for line := range strings.Lines(table.Text) {
		if line[0] != '\t' {
			out = append(out, strings.Fields(line)...)
		}
	}
	return out
}

func TestRowsAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, table := range tables() {
		for _, name := range programsOf(table) {
			if seen[name] {
				t.Errorf("%s is in two tables or twice in one", name)
			}
			seen[name] = true
			rows := table.Rows(name)
			if len(rows) == 0 || rows[len(rows)-1].Order != "*" {
				t.Errorf("%s: the last row must be \"*\", so that it is explicit what other orders mean", name)
			}
			for _, row := range rows {
				outcome, rest, _ := strings.Cut(row.Outcome, " ")
				rest = strings.TrimSpace(rest)
				switch {
				case row.Order == "" || outcome == "":
					t.Errorf("%s: the row %q %q has no order or no known outcome", name, row.Order, row.Outcome)
				case outcome == "code" && table.Code(rest) == nil:
					t.Errorf("%s: the row %s names the function %q, which codeOf does not know", name, row.Order, rest)
				case outcome == "marks":
					events, reason, _ := strings.Cut(rest, " ")
					for event := range strings.SplitSeq(events, ",") {
						if effect.Event(event).Number() == 0 || reason == "" {
							t.Errorf("%s: the row %s has an unknown event or no reason: %s", name, row.Order, rest)
						}
					}
				case outcome != "code" && outcome != "marks" && rest != "":
					t.Errorf("%s: %q follows the outcome of the row %s", name, rest, row.Order)
				}
			}
		}
	}
}

// TestProgramsWithUnlistedSubcommands compares a golden file with the programs that may have subcommands outside of the
// tables. After each program, the file lists such subcommands in the everyday commands, with their numbers of uses. A
// subcommand in no row is judged by its words.
func TestProgramsWithUnlistedSubcommands(t *testing.T) {
	uses := unlistedUses(t)
	var b strings.Builder
	for _, table := range tables() {
		for _, name := range programsOf(table) {
			rows := table.Rows(name)
			if last := rows[len(rows)-1]; last.Outcome != "unlisted" {
				continue
			}
			fmt.Fprintf(&b, "%s: %d rows\n", name, len(rows)-1)
			for _, order := range slices.Sorted(maps.Keys(uses[name])) {
				fmt.Fprintf(&b, "\t%s: %d\n", order, uses[name][order])
			}
		}
	}
	golden.Check(t, *update, "testdata/unlisted.txt", b.String())
}

// unlistedUses counts how often the everyday commands use each subcommand that no row matches, for each program. A
// subcommand has one or two words, because the second word of some programs is the verb.
func unlistedUses(t *testing.T) map[string]map[string]int {
	t.Helper()
	word := regexp.MustCompile(`^[a-z][a-z-]*$`)
	uses := map[string]map[string]int{}
	count := func(program, order string, operands []trace.Value) {
		var words []string
		for _, operand := range operands[:min(2, len(operands))] {
			if word.MatchString(operand.Text) {
				words = append(words, operand.Text)
			}
		}
		if order != "*" || len(words) == 0 {
			return
		}
		if uses[program] == nil {
			uses[program] = map[string]int{}
		}
		uses[program][strings.Join(words, " ")]++
	}
	for _, file := range []string{"everyday.json", "everyday_days.json"} {
		for _, c := range readJSON[[]struct{ Command string }](t, "../../decide/testdata/"+file) {
			tr := newTrace(tableEnv(), "Bash")
			tr.OnRow = count
			shell.Bash(tr, c.Command)
		}
	}
	return uses
}

// TestAProgramIsAddedByOneRow adds the program that CONTRIBUTING.md shows to a copy of a table.
func TestAProgramIsAddedByOneRow(t *testing.T) {
	copied := *cloud.Table()
	copied.Text += "shipctl\n\tscuttle  destroys\n\t*  unlisted\n"
	callbacks := wired
	callbacks.Find = func(name string) trace.Handler {
		if handle := copied.Handler(name); handle != nil {
			return handle
		}
		return handlerOf(name)
	}
	for _, c := range []tableCase{
		{Command: "shipctl scuttle web", Events: []string{"destructive_op", "devops_invocation"}},
		{Command: "shipctl status", None: true},
	} {
		tr := trace.New(&callbacks, tableEnv(), "Bash")
		shell.Bash(tr, c.Command)
		checkCase(t, c, tr.Finish())
	}
	if rows := copied.Rows("shipctl"); len(rows) != 2 || rows[0] != (program.Row{Order: "scuttle", Outcome: "destroys"}) {
		t.Errorf("the rows of shipctl are %v", rows)
	}
	checkCase(t, tableCase{None: true}, AnalyzeCommand(tableEnv(), "shipctl scuttle web")) // the table itself is the same
}

func BenchmarkTable(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		AnalyzeCommand(tableEnv(), "kubectl rollout status deploy/web -n prod")
	}
}

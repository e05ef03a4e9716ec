package toolcall

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guardrails/detect/effect"
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
	tr.OnRow = func(program, order string) { rows = append(rows, program+": "+order) }
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
				deciding := names
				if row.Order != "*" && row.Order[0] != '-' {
					deciding = table.Programs() // some rows apply to all programs of the table
				}
				if !slices.ContainsFunc(deciding, func(name string) bool { return decided[name+": "+row.Order] }) {
					t.Errorf("no labelled command is decided by the row of %s: %s  %s", names[0], row.Order, row.Outcome)
				}
			}
		}
	}
}

func TestRowsAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, table := range tables() {
		for _, name := range table.Programs() {
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

// TestProgramsWithUnlistedSubcommands compares a golden file with the list of the programs that may have subcommands
// outside the tables. Such a subcommand is judged by the words in its name.
func TestProgramsWithUnlistedSubcommands(t *testing.T) {
	var b strings.Builder
	for _, table := range tables() {
		for _, name := range table.Programs() {
			rows := table.Rows(name)
			if last := rows[len(rows)-1]; last.Outcome == "unlisted" {
				fmt.Fprintf(&b, "%s: %d rows\n", name, len(rows)-1)
			}
		}
	}
	golden.Check(t, *update, "testdata/unlisted.txt", b.String())
}

func TestAProgramIsAddedByOneRow(t *testing.T) {
	copied := *cloud.Table()
	copied.Text += "shipctl\n\tvalues  region\n\tquiet   dry-run\n\tterminate  destroys\n\t*  unlisted\n"
	for args, want := range map[string]effect.Event{
		"terminate web": effect.DestructiveOp, "--region eu terminate web": effect.DestructiveOp,
		"terminate web --dry-run": "", "status web": "",
	} {
		tr := newTrace(tableEnv(), "Bash")
		c := &trace.Command{Name: "shipctl", Scope: &trace.Scope{Cwd: tr.Env.Cwd}}
		for word := range strings.FieldsSeq("shipctl " + args) {
			c.Argv = append(c.Argv, trace.Value{Text: word})
		}
		tr.EmitRun(c)
		copied.Handler("shipctl")(tr, c)
		if got := tr.Effects[0].Events; want == "" && len(got) > 0 || want != "" && !tr.Effects[0].Has(want) {
			t.Errorf("shipctl %s: events %q, want %q", args, got, want)
		}
	}
	if cloud.Table().Handler("shipctl") != nil {
		t.Error("the table itself has changed")
	}
}

func BenchmarkTable(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		AnalyzeCommand(tableEnv(), "kubectl rollout status deploy/web -n prod")
	}
}

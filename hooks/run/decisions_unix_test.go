//go:build unix

package run_test

import (
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// scenario sets up the situation that a row of docs/decisions.md describes. Every field is optional.
type scenario struct {
	// The field "guidelines" has the text of the project's guidelines. If the field is empty, the project has the
	// usual guidelines.
	guidelines string
	// The field "cold" is set if the sessions have no cached guidelines yet.
	cold bool
	// The function before() prepares the machine before the sessions get their guidelines. The function spoil() breaks
	// something after the sessions have received their guidelines. Its argument is the list of the ids of these
	// sessions.
	before func(m *machine)
	spoil  func(m *machine, sessions []string)
	// The function document() changes the fields of the document that the client sends. The function send() returns
	// what the hook reads on stdin.
	document func(doc map[string]any)
	send     func(m *machine, doc []byte) io.Reader
	// The field "only" lists the probes that run. If the list is empty, all probes run.
	only []string
	// The field "slow" is set if a hook answers only at its deadline.
	slow bool
}

type row struct {
	what, call, prompt string
	recorded, shown    []string
	eachTime           bool
}

const nothing = "–"

// rows() reads the tables in docs/decisions.md whose first column is "what is wrong".
func rows(t *testing.T) []row {
	t.Helper()
	text, err := os.ReadFile("../../docs/decisions.md")
	must(t, err)
	var out []row
	inTable := false
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case !strings.HasPrefix(line, "|"):
			inTable = false
		case cells[0] == "what is wrong":
			inTable = true
		case inTable && !strings.HasPrefix(line, "|---"):
			if len(cells) != 5 {
				t.Fatalf("%d cells in %s", len(cells), line)
			}
			out = append(out, row{
				what: cells[0], call: cells[1], prompt: cells[2],
				recorded: textsBetween(cells[3], "`", "`"), shown: textsBetween(cells[4], "“", "”"), eachTime: strings.HasSuffix(cells[4], "each time"),
			})
		}
	}
	return out
}

// textsBetween returns all parts of a table cell that are between an opening and a closing mark.
func textsBetween(cell, begin, end string) []string {
	var out []string
	for {
		_, rest, ok := strings.Cut(cell, begin)
		if !ok {
			return out
		}
		part, rest, _ := strings.Cut(rest, end)
		out, cell = append(out, part), rest
	}
}

func TestEveryRowOfTheDecisionTableHasAScenario(t *testing.T) {
	known, seen := scenarios(), map[string]bool{}
	for _, r := range rows(t) {
		if _, ok := known[r.what]; !ok {
			t.Errorf("no scenario for the row %q", r.what)
		}
		if seen[r.what] {
			t.Errorf("two rows for %q", r.what)
		}
		seen[r.what] = true
	}
	for what := range known {
		if !seen[what] {
			t.Errorf("no row for the scenario %q", what)
		}
	}
}

func scenarios() map[string]scenario {
	all := map[string]scenario{}
	for _, some := range []map[string]scenario{
		sentScenarios(), fieldScenarios(), cacheScenarios(), folderScenarios(), diskScenarios(), serverScenarios(), commandScenarios(),
		guidelineScenarios(), processScenarios(),
	} {
		maps.Copy(all, some)
	}
	return all
}

func TestTheHooksAnswerAsTheDecisionTableSays(t *testing.T) {
	notInShort(t)
	all := scenarios()
	// Only one scenario runs at a time, because its hooks already run in parallel. Slow scenarios mostly wait, so they
	// run in the background.
	var waiting sync.WaitGroup
	for _, r := range rows(t) {
		s, ok := all[r.what]
		test := func() { t.Run(r.what, func(t *testing.T) { play(t, &r, &s) }) }
		switch {
		case s.slow:
			waiting.Go(test)
		case ok:
			test()
		}
	}
	waiting.Wait()
}

// play() sets up a scenario, runs all hooks, and compares their answers with the row.
func play(t *testing.T, r *row, s *scenario) {
	m := newMachine(t)
	if s.guidelines != "" {
		m.guidelines(s.guidelines)
	}
	tried := probes(r, s)
	m.warm(s, tried)
	answers := m.ask(s, tried)
	wantVerdicts(t, r, answers)
	m.wantExplained(r, s, tried, answers)
	wantPrompts(t, r, answers)
	m.wantShown(r, s, answers)
	m.wantRecorded(r)
}

// wantRecorded compares the kinds of the records in the spool with the row. It ignores the records of calls and
// prompts, because every row has them.
func (m *machine) wantRecorded(r *row) {
	m.t.Helper()
	kinds := map[string]bool{}
	for _, record := range m.records() {
		if kind, _ := record["kind"].(string); kind != "decision" && kind != "gate" && kind != "prompt" {
			kinds[kind] = true
		}
	}
	want := map[string]bool{}
	for _, kind := range r.recorded {
		want[kind] = true
	}
	if !maps.Equal(kinds, want) {
		m.t.Errorf("recorded %q, want %q", slices.Sorted(maps.Keys(kinds)), r.recorded)
	}
}

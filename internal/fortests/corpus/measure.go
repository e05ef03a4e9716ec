package corpus

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// Measure counts the right and the wrong answers of a detector, for each split and category.
type Measure struct {
	counts map[string]map[string]counts
	wrong  []wrong
}

// The type "wrong" describes one wrong answer.
type wrong struct {
	id, split, category, what string
}

// Add counts one answer about an example. The parameter "wanted" says whether there is something to find, and the
// parameter "found" says whether the detector found it. If the answer is wrong, the report prints the text in the
// argument "what".
func (m *Measure) Add(h Header, category string, wanted, found bool, what string) {
	if m.counts == nil {
		m.counts = map[string]map[string]counts{"train": {}, "test": {}}
	}
	c := m.counts[h.Split][category]
	c.add(wanted, found)
	m.counts[h.Split][category] = c
	if wanted != found {
		kind := map[bool]string{true: "missed", false: "false alarm"}[wanted]
		m.wrong = append(m.wrong, wrong{h.ID, h.Split, category, kind + ": " + what})
	}
}

// Report prints the figures and every wrong answer, and checks the gates. The file knownFile contains the ids of the
// known wrong answers, each with a reason. The test fails if a wrong answer in a category with a gate is not known.
func (m *Measure) Report(t testing.TB, gates []Gate, knownFile string) {
	t.Helper()
	known := readKnown(t, knownFile)
	m.print(t, known)
	m.checkKnown(t, gates, known)
	m.Check(t, gates)
}

// Check prints the figures of the gates, but not the wrong answers, and checks the gates.
func (m *Measure) Check(t testing.TB, gates []Gate) {
	t.Helper()
	for _, g := range gates {
		for _, split := range splits() {
			_, _ = io.WriteString(t.Output(), row(split, "= "+g.Name, m.sum(split, g.Categories))+"\n")
		}
		m.check(t, &g)
	}
}

func readKnown(t testing.TB, file string) map[string]string {
	t.Helper()
	known := map[string]string{}
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &known)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return known
}

func (m *Measure) print(t testing.TB, known map[string]string) {
	lines := []string{fmt.Sprintf("%-6s%-26s%6s%7s%7s%7s  %-23s%-23s%s",
		"split", "category", "hits", "misses", "falses", "silent", "precision", "recall", "false alarms")}
	for _, split := range splits() {
		for _, category := range slices.Sorted(maps.Keys(m.counts[split])) {
			lines = append(lines, row(split, category, m.counts[split][category]))
		}
	}
	for _, x := range m.wrong {
		lines = append(lines, fmt.Sprintf("%s %s %s %s; %s", x.split, x.id, x.category, x.what, reason(known, x.id)))
	}
	_, _ = io.WriteString(t.Output(), strings.Join(lines, "\n")+"\n")
}

func row(split, name string, c counts) string {
	return fmt.Sprintf("%-6s%-26s%6d%7d%7d%7d  %-23v%-23v%v",
		split, name, c.hits, c.misses, c.falses, c.silent, c.precision(), c.recall(), c.falseAlarms())
}

func reason(known map[string]string, id string) string {
	if r := known[id]; r != "" {
		return "known: " + r
	}
	return "not known"
}

func (m *Measure) sum(split string, categories []string) (all counts) {
	for _, c := range categories {
		all = all.plus(m.counts[split][c])
	}
	return all
}

// checkKnown fails if a wrong answer is not in the list of known wrong answers. It also fails if an answer in this list
// is no longer wrong.
func (m *Measure) checkKnown(t testing.TB, gates []Gate, known map[string]string) {
	t.Helper()
	wrongIDs := map[string]bool{}
	for _, x := range m.wrong {
		wrongIDs[x.id] = true
		if known[x.id] == "" && slices.ContainsFunc(gates, func(g Gate) bool { return slices.Contains(g.Categories, x.category) }) {
			t.Errorf("%s %s: %s. Fix the detector, or add the id with a reason to the known wrong answers", x.id, x.category, x.what)
		}
	}
	for id := range known {
		if !wrongIDs[id] {
			t.Errorf("%s is among the known wrong answers, but its answer is right; remove it", id)
		}
	}
}

// check() fails if the figures are worse than a gate requires.
func (m *Measure) check(t testing.TB, g *Gate) {
	t.Helper()
	var low []string
	c := m.sum("test", g.Categories)
	if p := c.precision(); g.Precision > 0 && !(p.value() >= g.Precision) {
		low = append(low, fmt.Sprintf("precision %v, want %v", p, g.Precision))
	}
	if r := c.recall(); g.Recall > 0 && !(r.value() >= g.Recall) {
		low = append(low, fmt.Sprintf("recall %v, want %v", r, g.Recall))
	}
	if f := c.falseAlarms(); g.FalseAlarms > 0 && !(f.value() <= g.FalseAlarms) {
		low = append(low, fmt.Sprintf("share of false alarms %v, want at most %v", f, g.FalseAlarms))
	}
	for _, category := range g.Categories {
		all := m.counts["train"][category].plus(m.counts["test"][category])
		if all.hits+all.misses < g.Wanted || all.falses+all.silent < g.Silent {
			low = append(low, fmt.Sprintf("%s has too few examples (%+v), want %d with something to find and %d without",
				category, all, g.Wanted, g.Silent))
		}
	}
	if len(low) > 0 {
		t.Errorf("%s: %s", g.Name, strings.Join(low, "; "))
	}
}

package pii_test

import (
	"fmt"
	"slices"
	"testing"

	"guardrails/detect/pii"
	"guardrails/internal/fortests/corpus"
)

// sentence is a labelled text. A text with the label "personal" has the personal data in Expect, in the same order. A
// text with the label "look-alike" has no personal data.
type sentence struct {
	corpus.Header
	Text   string
	Expect []datum
}

type datum struct{ Category, Text string }

func TestCorpusOfPersonalData(t *testing.T) {
	lines := corpus.Load[sentence](t, "testdata/corpus")
	if len(lines) < corpus.PersonalDataLines {
		t.Errorf("the corpus has %d lines, want %d", len(lines), corpus.PersonalDataLines)
	}
	corpus.CheckTwins(t, lines, func(s sentence) string { return s.Text })
	var m corpus.Measure
	for _, s := range lines {
		measure(t, &m, s)
	}
	m.Report(t, corpus.PersonalData(), "testdata/known_misses.json")
}

// measure() compares the findings in a text with the expected findings. A finding counts only if it is exactly the
// expected text.
func measure(t *testing.T, m *corpus.Measure, s sentence) {
	if (s.Label == "personal") == (len(s.Expect) == 0) {
		t.Errorf("%s has the label %s and %d expected findings", s.ID, s.Label, len(s.Expect))
	}
	var got []datum
	for _, f := range pii.Find(s.Text, everything()) {
		got = append(got, datum{f.Category.String(), s.Text[f.Start:f.End]})
	}
	for _, want := range s.Expect {
		i := slices.Index(got, want)
		m.Add(s.Header, want.Category, true, i >= 0, fmt.Sprintf("%q in %q", want.Text, s.Text))
		if i >= 0 {
			got = slices.Delete(got, i, i+1)
		}
	}
	for _, extra := range got {
		m.Add(s.Header, extra.Category, false, true, fmt.Sprintf("%q in %q", extra.Text, s.Text))
	}
	if len(s.Expect) == 0 && len(got) == 0 {
		m.Add(s.Header, s.Category, false, false, "")
	}
}

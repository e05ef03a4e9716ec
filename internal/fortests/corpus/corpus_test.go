package corpus

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// example is a line of the corpora in these tests.
type example struct {
	Header
	Text string
}

// recorder keeps the failures that a test reports.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestTheIntervalIsTheWilsonInterval(t *testing.T) {
	for _, c := range []struct {
		s         share
		low, high float64
	}{
		{share{0, 10}, 0, 0.2775}, {share{10, 10}, 0.7225, 1}, {share{5, 10}, 0.2366, 0.7634}, {share{95, 100}, 0.8882, 0.9785},
	} {
		low, high := c.s.interval()
		if math.Abs(low-c.low) > 5e-5 || math.Abs(high-c.high) > 5e-5 {
			t.Errorf("%+v: %.4f to %.4f, want %v to %v", c.s, low, high, c.low, c.high)
		}
	}
}

func TestALineWithoutANeededFieldIsRefused(t *testing.T) {
	good := `{"id":"a","label":"x","note":"n","source":"written","split":"train","text":"t"}`
	for _, c := range []struct{ text, want string }{
		{good, ""},
		{good + "\n" + good, "occurs twice"},
		{strings.Replace(good, `"x"`, `""`, 1), "no label"},
		{strings.Replace(good, "written", "copied", 1), "source"},
		{strings.Replace(good, "train", "both", 1), "split"},
	} {
		r := &recorder{TB: t}
		Load[example](r, write(t, "a.jsonl", c.text))
		if got := strings.Join(r.failures, "; "); (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestTextsOfTrainAndTestThatDifferOnlyInNumbersAreTwins(t *testing.T) {
	for other, twins := range map[string]bool{
		"Call me on 555 now, please do": true,
		"call ME on 777 now please":     true,
		"Write me a letter, please":     false,
	} {
		r := &recorder{TB: t}
		lines := []example{{Header{ID: "a", Split: "train"}, "Call me on 12 now, please"}, {Header{ID: "b", Split: "test"}, other}}
		CheckTwins(r, lines, func(e example) string { return e.Text })
		if (len(r.failures) > 0) != twins {
			t.Errorf("%q: %v", other, r.failures)
		}
	}
}

func TestAGateFailsForLowFiguresFewExamplesAndUnknownMisses(t *testing.T) {
	for _, c := range []struct {
		name, known string
		gate        Gate
		want        int
	}{
		{"good enough", `{"b": "is rare"}`, Gate{Recall: 0.5, Precision: 0.5, FalseAlarms: 0.5, Wanted: 2, Silent: 1}, 0},
		{"an unknown miss", `{}`, Gate{}, 1},
		{"a known miss that is found", `{"a": "is rare", "b": "is rare"}`, Gate{}, 1},
		{"recall", `{"b": "is rare"}`, Gate{Recall: 0.6}, 1},
		{"too few", `{"b": "is rare"}`, Gate{Wanted: 3}, 1},
	} {
		r := &recorder{TB: t}
		var m Measure
		m.Add(Header{ID: "a", Split: "test"}, "k", true, true, "")
		m.Add(Header{ID: "b", Split: "test"}, "k", true, false, "here")
		m.Add(Header{ID: "c", Split: "test"}, "k", false, false, "")
		c.gate.Categories = []string{"k"}
		m.Report(r, []Gate{c.gate}, filepath.Join(write(t, "known.json", c.known), "known.json"))
		if len(r.failures) != c.want {
			t.Errorf("%s: %v", c.name, r.failures)
		}
	}
}

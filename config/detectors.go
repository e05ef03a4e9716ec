package config

import (
	"maps"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"guardrails/internal/document"
)

// Detectors says what the hooks do with the detectors. These settings are personal: the user's file overrides the
// project's file.
type Detectors struct {
	// The fields "Rumination" and "Hyperfocus" have the value Off or Note. The field "Sycophancy" can also have the
	// value Counter, and the field "ToolLoop" can also have the value Ask.
	Rumination, Hyperfocus, Sycophancy, ToolLoop string
	// NamesToolLoop is set if the settings contain a value for ToolLoop.
	NamesToolLoop bool
	// PatternsOff lists the patterns of sycophancy that are switched off.
	PatternsOff []string
	// WindowMinutes, ThresholdCount and SimilarityThreshold configure the detector named rumination.
	WindowMinutes, ThresholdCount int
	SimilarityThreshold           float64
	// BreakMinutes and EndOfDay configure the detector named hyperfocus. EndOfDay is HH:MM in local time, or "".
	BreakMinutes int
	EndOfDay     string
	// PauseMinutes is the length of the shortest pause after which a new stretch of work begins.
	PauseMinutes int
	// FeedbackURL is the address of the page on which a person reports a false alarm, or "".
	FeedbackURL string
	// Record is set if detections are written to the audit log.
	Record bool
}

// Display says what guardrails changes on the screen.
type Display struct {
	// Mask is set if personal data is masked on the screen.
	Mask bool
}

// These values say what a detector does.
const (
	Off  = "off"
	Note = "note"
	// The value Counter means that the model is asked for a second answer.
	Counter = "counter"
	// The value Ask means that the user is asked about the next identical call.
	Ask = "ask"
)

// SycophancyPatterns returns the patterns that sycophancy_patterns can switch off.
func SycophancyPatterns() []string {
	return []string{
		"repeated_reassurance_request", "unconditional_agreement", "praise_without_evidence", "escalating_validation",
	}
}

// The keys of personal settings.
const (
	detectorsKey = "detectors"
	displayKey   = "display"
)

func defaultDetectors() Detectors {
	return Detectors{
		Rumination: Off, Hyperfocus: Off, Sycophancy: Off, ToolLoop: Note,
		WindowMinutes: 90, ThresholdCount: 3, SimilarityThreshold: 0.55, BreakMinutes: 90, PauseMinutes: 20,
	}
}

// Tools returns the MCP tools of the detectors that the settings switch on. The list has the tool for loops only if the
// settings contain a value for this detector, because each tool takes up a part of the model's context in every
// session.
func (t *Detectors) Tools() []string {
	var out []string
	for _, tool := range []struct {
		name string
		on   bool
	}{
		{"check_rumination", t.Rumination != Off},
		{"check_hyperfocus", t.Hyperfocus != Off},
		{"check_sycophancy", t.Sycophancy != Off},
		{"check_tool_loop", t.ToolLoop != Off && t.NamesToolLoop},
	} {
		if tool.on {
			out = append(out, tool.name)
		}
	}
	return out
}

func (t *Detectors) specs(d *document.Decoder) []document.Spec {
	mode := func(name string, into *string, more ...string) document.Spec {
		choices := append([]string{Off, Note}, more...)
		return document.Spec{Name: name, Read: func(n *document.Node, path string) {
			keep(d, into, func() string { return d.Choice(offAsText(n), path, choices) })
		}}
	}
	number := func(name string, into *int, low, high int) document.Spec {
		return document.Spec{Name: name, Read: func(n *document.Node, path string) {
			keep(d, into, func() int { return d.Int(n, path, low, high) })
		}}
	}
	return []document.Spec{
		mode("rumination", &t.Rumination), mode("hyperfocus", &t.Hyperfocus),
		mode("sycophancy", &t.Sycophancy, Counter), mode("tool_loop", &t.ToolLoop, Ask),
		{Name: "sycophancy_patterns", Read: func(n *document.Node, path string) { t.readPatterns(d, n, path) }},
		number("window_minutes", &t.WindowMinutes, 1, 1440), number("threshold_count", &t.ThresholdCount, 2, 50),
		{Name: "similarity_threshold", Read: func(n *document.Node, path string) {
			keep(d, &t.SimilarityThreshold, func() float64 { return readShare(d, n, path) })
		}},
		number("break_minutes", &t.BreakMinutes, 15, 480),
		{Name: "end_of_day", Read: func(n *document.Node, path string) {
			keep(d, &t.EndOfDay, func() string { return readTimeOfDay(d, n, path) })
		}},
		number("pause_minutes", &t.PauseMinutes, 1, 480),
		{Name: "feedback_url", Read: func(n *document.Node, path string) {
			keep(d, &t.FeedbackURL, func() string { return readPage(d, n, path) })
		}},
		{Name: "record", Read: func(n *document.Node, path string) {
			keep(d, &t.Record, func() bool { return d.Bool(n, path) })
		}},
	}
}

func (v *Display) specs(d *document.Decoder) []document.Spec {
	return []document.Spec{{Name: "mask", Read: func(n *document.Node, path string) {
		keep(d, &v.Mask, func() bool { return d.Choice(offAsText(n), path, []string{Off, on}) == on })
	}}}
}

const on = "on"

// offAsText returns the text "off" for the value false, and the text "on" for the value true. It returns other values
// unchanged. The conversion is needed because some programs that write YAML change "off" to false and "on" to true.
func offAsText(n *document.Node) *document.Node {
	if n.Kind != document.Bool {
		return n
	}
	out := &document.Node{Kind: document.String, Text: Off, Line: n.Line}
	if n.Text == "true" {
		out.Text = on
	}
	return out
}

// readPatterns reads which patterns of sycophancy are off.
func (t *Detectors) readPatterns(d *document.Decoder, n *document.Node, path string) {
	var specs []document.Spec
	var off []string
	for _, name := range SycophancyPatterns() {
		specs = append(specs, document.Spec{Name: name, Read: func(n *document.Node, path string) {
			if d.Choice(offAsText(n), path, []string{Off, on}) == Off {
				off = append(off, name)
			}
		}})
	}
	keep(d, &t.PatternsOff, func() []string {
		d.Object(n, path, specs)
		return off
	})
}

// readShare reads a number from 0 to 1.
func readShare(d *document.Decoder, n *document.Node, path string) float64 {
	share, err := strconv.ParseFloat(n.Text, 64)
	if n.Kind != document.Number || err != nil || !(share >= 0 && share <= 1) {
		d.Report(n, path, "is not a number from 0 to 1", "write a number such as 0.55")
	}
	return share
}

// readTimeOfDay reads a time such as 18:30, or "".
func readTimeOfDay(d *document.Decoder, n *document.Node, path string) string {
	before := len(d.Problems)
	text := d.String(n, path, false)
	if len(d.Problems) > before || text == "" {
		return ""
	}
	const form = "15:04"
	if _, err := time.Parse(form, text); err != nil || len(text) != len(form) {
		d.Report(n, path, document.Excerpt(text)+" is not a time of day", `write one such as "18:30"`)
	}
	return text
}

// readPage reads the address of a page, or "".
func readPage(d *document.Decoder, n *document.Node, path string) string {
	const longest = 300
	before := len(d.Problems)
	text := d.String(n, path, false)
	if len(d.Problems) > before || text == "" {
		return ""
	}
	page, err := url.Parse(text)
	if err != nil || page.Scheme != "https" || page.Host == "" || page.User != nil ||
		len(text) > longest || strings.ContainsFunc(text, unicode.IsSpace) {
		d.Report(n, path, document.Excerpt(text)+" is not the address of a page", "write one such as https://github.com/you/project/issues/new")
	}
	return text
}

func (c *Config) readDetectors(d *document.Decoder, n *document.Node, path string) {
	if text := offAsText(n); text.Kind == document.String && text.Text == Off {
		n = allOff(text)
	}
	var trial Detectors
	c.readPersonal(d, n, path, detectorsKey, trial.specs(d))
}

func (c *Config) readDisplay(d *document.Decoder, n *document.Node, path string) {
	var trial Display
	c.readPersonal(d, n, path, displayKey, trial.specs(d))
}

// allOff returns the settings that switch off every detector.
func allOff(off *document.Node) *document.Node {
	out := &document.Node{Kind: document.Object, Line: off.Line}
	for _, name := range [...]string{"rumination", "hyperfocus", "sycophancy", "tool_loop"} {
		out.Fields = append(out.Fields, document.Field{Name: name, Value: off, Line: off.Line})
	}
	return out
}

// readPersonal reads a personal setting. It keeps only the fields that have no mistake.
func (c *Config) readPersonal(d *document.Decoder, n *document.Node, path, key string, specs []document.Spec) {
	if c.personal == nil {
		c.personal = map[string]*document.Node{}
	}
	c.forgetPersonal(key)
	for i := range specs {
		read := specs[i].Read
		specs[i].Read = func(n *document.Node, path string) {
			before := len(d.Problems)
			if read(n, path); len(d.Problems) == before {
				c.personal[document.Join(key, specs[i].Name)] = n
			}
		}
	}
	d.Object(n, path, specs)
}

// forgetPersonal removes all fields of a key.
func (c *Config) forgetPersonal(key string) {
	maps.DeleteFunc(c.personal, func(name string, _ *document.Node) bool { return strings.HasPrefix(name, key+".") })
}

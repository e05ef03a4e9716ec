package detect_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"guardrails/detect"
)

// example is a prompt and its expected result. An empty domain or action means that the detector must find none.
type example struct {
	Prompt    string   `json:"prompt"`
	Domain    string   `json:"domain"`
	Action    string   `json:"action"`
	Ambiguous bool     `json:"ambiguous"`
	Words     []string `json:"words"`
}

func TestDetect(t *testing.T) {
	var examples []example
	load(t, "prompts.json", &examples)
	d := build(t, detect.Options{})
	for _, e := range examples {
		t.Run(e.Prompt, func(t *testing.T) { check(t, d, e) })
	}
}

func TestUserDomains(t *testing.T) {
	var groups []struct {
		About   string              `json:"about"`
		Domains map[string][]string `json:"domains"`
		Prompts []example           `json:"prompts"`
	}
	load(t, "domains.json", &groups)
	for _, g := range groups {
		d := build(t, detect.Options{Domains: g.Domains})
		for _, e := range g.Prompts {
			t.Run(g.About+"/"+e.Prompt, func(t *testing.T) { check(t, d, e) })
		}
	}
}

func TestOnlyTheFormsOfTheTableMatch(t *testing.T) {
	w := loadWords(t)
	d := build(t, detect.Options{})
	for domain, forms := range w.Domain {
		for _, form := range forms {
			check(t, d, example{Prompt: "a " + form + ".", Domain: domain, Words: []string{form}})
		}
	}
	for action, forms := range w.Action {
		for _, form := range forms {
			check(t, d, example{Prompt: "a " + form + ".", Action: action, Words: []string{form}})
		}
	}
	for action, forms := range w.Command {
		for _, form := range forms {
			check(t, d, example{Prompt: "please " + form + ".", Action: action, Words: []string{form}})
		}
	}
	for _, other := range w.Nothing {
		check(t, d, example{Prompt: other})
		check(t, d, example{Prompt: "a " + upperASCII(other) + "."})
	}
}

func TestMatchesHaveFieldValueWordAndOffset(t *testing.T) {
	d := build(t, detect.Options{Domains: map[string][]string{"ops": {"build"}}})
	got := d.Detect(t.Context(), "é: Build the UI").Matches
	want := []detect.Match{
		{Field: "domain", Value: "ops", Word: "Build", Offset: 4},
		{Field: "action", Value: "implement", Word: "Build", Offset: 4},
		{Field: "domain", Value: "P05", Word: "UI", Offset: 14},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestWordsBeyondMaxMatchesStillCount(t *testing.T) {
	d := build(t, detect.Options{})
	r := d.Detect(t.Context(), strings.Repeat("test ", detect.MaxMatches+50)+"deploy the ui")
	if len(r.Matches) != detect.MaxMatches || !r.Ambiguous || r.Action != "" || r.Domain != "P05" {
		t.Errorf("%d matches, %+v", len(r.Matches), detect.Result{Domain: r.Domain, Action: r.Action, Ambiguous: r.Ambiguous})
	}
}

func TestDefaultsFillOpenFields(t *testing.T) {
	d := build(t, detect.Options{Default: detect.Default{Domain: "P11", Action: "design"}})
	for _, c := range []example{
		{Prompt: "hello", Domain: "P11", Action: "design"},
		{Prompt: "the ui", Domain: "P05", Action: "design", Words: []string{"ui"}},
		{Prompt: "test", Domain: "P11", Action: "test", Words: []string{"test"}},
		{Prompt: "test the ui", Domain: "P05", Action: "test", Words: []string{"test", "ui"}},
		{Prompt: "test the ui of the worker", Domain: "P11", Action: "test", Ambiguous: true, Words: []string{"test", "ui", "worker"}},
		{Prompt: "<task-notification> test the ui", Domain: "P11", Action: "design"},
	} {
		t.Run(c.Prompt, func(t *testing.T) { check(t, d, c) })
	}
}

func TestResultAsJSON(t *testing.T) {
	d := build(t, detect.Options{})
	for prompt, want := range map[string]string{
		"hello":  `{"domain":"","action":"","ambiguous":false,"matches":[]}`,
		"a Test": `{"domain":"","action":"test","ambiguous":false,"matches":[{"field":"action","value":"test","word":"Test","offset":2}]}`,
	} {
		got, err := json.Marshal(d.Detect(t.Context(), prompt))
		if err != nil || string(got) != want {
			t.Errorf("%q: %s, %v; want %s", prompt, got, err, want)
		}
	}
}

func check(t *testing.T, d *detect.Detector, e example) {
	t.Helper()
	r := d.Detect(t.Context(), e.Prompt)
	var words []string
	for _, m := range r.Matches {
		words = append(words, m.Word)
	}
	if r.Domain != e.Domain || r.Action != e.Action || r.Ambiguous != e.Ambiguous || !slices.Equal(words, e.Words) {
		t.Errorf("%q: domain %q, action %q, ambiguous %v, words %q; want %+v", e.Prompt, r.Domain, r.Action, r.Ambiguous, words, e)
	}
}

func build(t testing.TB, o detect.Options) *detect.Detector {
	t.Helper()
	d, err := detect.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// The type "words" holds the content of testdata/words.json: every form of every word, and words that only look
// similar.
type words struct {
	Domain  map[string][]string `json:"domain"`
	Action  map[string][]string `json:"action"`
	Command map[string][]string `json:"command"`
	Nothing []string            `json:"nothing"`
}

func loadWords(t testing.TB) words {
	t.Helper()
	var w words
	load(t, "words.json", &w)
	return w
}

func load(t testing.TB, name string, into any) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

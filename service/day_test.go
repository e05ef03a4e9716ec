package service_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/service"
)

// corpusOf returns texts about everyday work from a file of the safety gate's corpus. It returns only the texts of the
// training split, from which the words of the gate were chosen.
func corpusOf(t *testing.T, name string, categories ...string) (out []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "detect", "safety", "testdata", "corpus", name))
	check(t, err)
	for line := range strings.Lines(string(text)) {
		var row struct{ Text, Label, Category, Split string }
		check(t, json.Unmarshal([]byte(line), &row))
		if row.Label == "silent" && row.Split == "train" && slices.Contains(categories, row.Category) {
			out = append(out, row.Text)
		}
	}
	return out
}

// A day is a working day with everything switched on. The field "seen" has the lines that the person saw, each with
// its time.
type day struct {
	*project
	service          *service.Service
	prompts, answers []string
	said             int
	seen             []string
}

// turn() sends a prompt as if a person had typed it in a session, and then the answer of the model.
func (d *day) turn(session string) {
	d.t.Helper()
	prompt, answer := d.prompts[d.said%len(d.prompts)], d.answers[d.said%len(d.answers)]
	if usual := []string{"continue", "run the tests", "yes, do it", "commit it"}; d.said%5 == 4 {
		prompt = usual[d.said/5%len(usual)]
	}
	d.said++
	r := service.Request{Prompt: prompt, Hook: true, MainThread: true, Typed: "cli"}
	r.SessionID = session
	d.note("prompt", getContext(d.t, d.service, r))
	d.now = d.now.Add(2 * time.Minute)
	r.Prompt, r.Answer = "", answer
	d.note("answer", getContext(d.t, d.service, r))
	d.now = d.now.Add(2 * time.Minute)
}

func (d *day) note(of string, a *service.Answer) {
	for what, text := range map[string]string{"refused": a.Refusal, "asked again": a.Counter, "told": a.Message} {
		if text != "" {
			d.seen = append(d.seen, fmt.Sprintf("%s %s %s: %s", d.now.Format("15:04"), of, what, text))
		}
	}
}

// held() returns the number of verdicts of a day that were HOLD or BLOCK.
func (d *day) held() int {
	d.t.Helper()
	return strings.Count(d.spooled(), "hold") + strings.Count(d.spooled(), "block")
}

// A person works from nine to half past six, in eight sessions. Two sessions run at the same time, and the person rests
// for half an hour after each pair. Some short prompts are repeated. The only line that guardrails may show is the one
// about the time without a break.
func TestAWorkingDayWithEverythingSwitchedOnIsQuiet(t *testing.T) {
	prompts := corpusOf(t, "prompts.jsonl", "code", "ops", "data")
	answers := corpusOf(t, "answers.jsonl", "report", "code", "explanation")
	const days, pairs, turns, rest = 2, 4, 28, 30 * time.Minute
	for number := range days {
		p := newProject(t, nil)
		p.user(allDetectors + "safety: {mode: enforce}\noutput_guard: {mode: enforce}\n")
		p.now = time.Date(2026, 2, 5, 9, 0, 0, 0, time.UTC)
		d := &day{project: p, prompts: prompts[number*turns*pairs:], answers: answers[number*turns*pairs:]}
		d.service = service.New(service.Options{
			Env: func(name string) string { return p.vars[name] }, Now: func() time.Time { return p.now }, Dir: p.root, Memory: true,
		})
		for pair := range pairs {
			for turn := range turns {
				d.turn(fmt.Sprint("s", 2*pair+turn%2))
			}
			d.now = d.now.Add(rest)
		}
		others := slices.DeleteFunc(slices.Clone(d.seen), func(line string) bool { return strings.Contains(line, "without a break of") })
		t.Logf("%d prompts and answers until %s: %d lines about the time, %d others, %d verdicts that hold or block",
			d.said, d.now.Format("15:04"), len(d.seen)-len(others), len(others), d.held())
		if len(others) > 0 || d.held() > 0 || len(d.seen) > 2*pairs {
			t.Errorf("day %d is not quiet:\n%s", number+1, strings.Join(d.seen, "\n"))
		}
	}
}

//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/internal/private"
	"guardrails/setup/claude/fakemodel"
)

const everyDetector = "detectors: {rumination: note, hyperfocus: note, sycophancy: note, tool_loop: note}\n"

// setUpDetectors sets up a project whose user has switched on all detectors.
func setUpDetectors(t *testing.T, client string) *stage {
	t.Helper()
	s := setUp(t, client)
	s.file("../home/.config/guardrails/guardrails.yaml", everyDetector)
	return s
}

// keptFile returns the name of the only file of the detectors that matches a pattern.
func (s *stage) keptFile(pattern string) string {
	s.t.Helper()
	files, err := filepath.Glob(filepath.Join(s.run, pattern))
	if err != nil || len(files) != 1 {
		s.t.Fatalf("%s: %v, %v; want one file", pattern, files, err)
	}
	return filepath.Base(files[0])
}

// sessions() opens the folder with the files of sessions.
func (s *stage) sessions() *private.Dir {
	s.t.Helper()
	dir, err := private.Runtime(func(name string) string {
		return map[string]string{"HOME": s.home, "GUARDRAILS_CACHE_DIR": s.run}[name]
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return dir
}

// kept() reads a file that the detectors keep.
func (s *stage) kept(name string) (kept map[string]any) {
	s.t.Helper()
	text, err := s.sessions().ReadSigned(name, 1<<20)
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return kept
}

// moveBack sets times in a file of the detectors to a time in the past. The keys of the map "ago" are the names of
// the fields. The values say how long ago the new time is.
func (s *stage) moveBack(pattern string, ago map[string]time.Duration) {
	s.t.Helper()
	name, dir := s.keptFile(pattern), s.sessions()
	kept := s.kept(name)
	for field, before := range ago {
		kept[field] = time.Now().Add(-before)
	}
	text, err := json.Marshal(kept)
	if err == nil {
		err = dir.Write(name, dir.KeyOf(name).Sign(text))
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// noted() waits until the detectors have noted the given number of answers. Waiting is necessary because the client
// shows an answer before its hooks run.
func (s *stage) noted(answers int) {
	s.t.Helper()
	limit, tick := time.After(time.Minute), time.NewTicker(50*time.Millisecond)
	defer tick.Stop()
	for {
		kept := s.kept(s.keptFile("guardrails-*.talk"))
		list, _ := kept["answers"].([]any)
		if len(list) == answers && kept["skip_answer"] == nil {
			return
		}
		select {
		case <-limit:
			s.t.Fatalf("the detectors have noted %d answers, want %d", len(list), answers)
		case <-tick.C:
		}
	}
}

// passTime makes the detectors believe that more than a quarter of an hour has passed. The detectors are then allowed
// to show the person another line.
func (s *stage) passTime() {
	s.t.Helper()
	s.moveBack("guardrails-*.talk", map[string]time.Duration{"said": 16 * time.Minute})
}

// worked() makes the detectors believe that the person has worked for the given number of minutes.
func (s *stage) worked(minutes time.Duration) {
	s.t.Helper()
	s.passTime()
	s.moveBack("clock", map[string]time.Duration{"since": minutes * time.Minute, "said": 16 * time.Minute})
}

// countOf returns how often the screen shows a text.
func (t *terminal) countOf(text string) int {
	t.s.t.Helper()
	screen, err := t.Screen(t.ctx)
	t.must(err)
	dense := func(text string) string { return strings.Join(strings.Fields(text), "") }
	return strings.Count(dense(screen), dense(text))
}

// The test changes the times in the files of the detectors, because no program has an option to set its clock.
func TestOneSessionWithAllDetectors(t *testing.T) {
	t.Parallel()
	for _, client := range newest(t) {
		t.Run(version(client), func(t *testing.T) { playDetectors(setUpDetectors(t, client)) })
	}
}

func playDetectors(s *stage) {
	const first, second = "is the migration safe to run on prod?", "which database fits the billing reports?"
	var steps []fakemodel.Step
	for _, answer := range strings.Fields("one two three four five six seven eight nine ten eleven twelve thirteen") {
		steps = append(steps, fakemodel.Say("This is answer "+answer+"."))
	}
	missing := fakemodel.Use(fakemodel.Read(s.path("missing.txt")))
	terminal := s.terminal(append(steps, missing, missing, missing, fakemodel.Say("There is no such file."))...)
	// The session has many prompts, so it takes longer than others on a busy computer.
	ctx, cancel := context.WithTimeout(s.t.Context(), 3*plenty)
	defer cancel()
	terminal.ctx = ctx

	// When a question is asked for the fourth time, the detector shows one line, with the words that dismiss the line.
	for _, answer := range []string{"one", "two", "three", "four"} {
		if n := terminal.countOf("You already asked this"); n > 0 {
			s.t.Errorf("before answer %s, %d lines are shown", answer, n)
		}
		terminal.typePrompt(first, "This is answer "+answer+".")
	}
	terminal.shows("guardrails: You already asked this 3 times")
	for _, word := range []string{"fresh-context", "override-once", "disable-for-session", "lower-sensitivity"} {
		terminal.shows("guardrails: " + word)
	}

	// The detector shows a line about the same question only once in a stretch of work. So end this stretch, and check in
	// the next stretch that override-once has an effect.
	terminal.typePrompt("guardrails: commit-and-close", "This is answer five.")
	terminal.shows("this stretch of work ends here")
	s.noted(4)
	s.passTime()
	for _, answer := range []string{"six", "seven", "eight"} {
		terminal.typePrompt(second, "This is answer "+answer+".")
	}
	terminal.typePrompt("guardrails: override-once", "This is answer nine.")
	terminal.shows("the detectors ignore the next prompt")
	lines := terminal.countOf("You already asked this")
	terminal.typePrompt(second, "This is answer ten.")
	if n := terminal.countOf("You already asked this"); n > lines {
		s.t.Error("override-once is not obeyed")
	}

	// Each level of a long stretch is shown.
	for i, level := range []struct {
		minutes      time.Duration
		prompt, want string
		answer       string
	}{
		{66, "rename the package store", "You have worked for 6", "eleven"},
		{91, "add a test for the parser", "You have worked for 9", "twelve"},
		{121, "why does the build fail?", "You have worked for 12", "thirteen"},
	} {
		s.noted(7 + i)
		s.worked(level.minutes)
		terminal.typePrompt(level.prompt, "This is answer "+level.answer+".")
		terminal.shows("guardrails: " + level.want)
	}

	// An agent in a loop gets a note.
	terminal.typePrompt("what is in the file?", "There is no such file.")
	requests := terminal.model.All()
	if !requests[len(requests)-1].Saw("calls failed in") {
		s.t.Error("the agent gets no note")
	}
	terminal.quitClient()
}

// Without a terminal, nobody can say yes, so the client refuses a call about which a hook asks.
func TestALoopMakesTheNextIdenticalCallAsk(t *testing.T) {
	t.Parallel()
	for way, flags := range map[string][]string{"programs": nil, "direct": {"--direct"}} {
		for _, client := range newest(t) {
			t.Run(way+"/"+version(client), func(t *testing.T) {
				s := setUp(t, client, flags...)
				s.file("../home/.config/guardrails/guardrails.yaml", "detectors: {tool_loop: ask}\n")
				repeated, other := fakemodel.Bash("cat missing.txt"), fakemodel.Bash("cat other.txt")
				var steps []fakemodel.Step
				for _, id := range []string{"first", "second", "third", "fourth", "fifth", "asked"} {
					steps = append(steps, fakemodel.Use(repeated.Named(id)))
				}
				model := s.play(append(steps, fakemodel.Use(other.Named("different")), fakemodel.Say("done"))...)
				s.wantResults(model, map[string]string{
					"fifth": "No such file", "asked": "agent-loop", "different": "No such file",
				})
				s.wantRecorded("decision", map[string]string{"asked": "ask"})
			})
		}
	}
}

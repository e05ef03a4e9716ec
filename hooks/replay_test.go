package hooks_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"guardrails/guideline"
)

// A replay is a session of testdata/commits.jsonl. Its steps are
//
//	["edit", FILE]                    a file is written
//	["run", COMMAND, RESULT]          a command whose RESULT is "ok", "failed" or "failed-hidden"
//	["commit", COMMAND, [FILE, ...]]  a commit of these files
//
// The result "failed-hidden" means that the call succeeds although the test fails.
//
// The sessions are invented, because a Git history shows what a commit contains but not which commands ran before it.
// The sessions include common kinds of work: commits of only documents and settings, projects without tests, tests
// whose output goes through a pipe, and several commits after one test.
type replay struct {
	Kind  string
	Has   []string
	Steps [][]any
	Ask   int
}

func replays(t *testing.T) []replay {
	t.Helper()
	text, err := os.ReadFile("testdata/commits.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []replay
	for line := range strings.Lines(string(text)) {
		var r replay
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		out = append(out, r)
	}
	return out
}

func TestFewCommitsOfASessionAreAskedAbout(t *testing.T) {
	core := parsed(t, "pack:core")
	commits, asked := 0, 0
	for _, r := range replays(t) {
		all, asks := r.play(t, core)
		commits, asked = commits+all, asked+asks
		if (asks > 0) != (r.Ask > 0) {
			t.Errorf("%s: %d questions: %v", r.Kind, asks, r.Steps)
		}
	}
	t.Logf("%d of %d commits are asked about", asked, commits)
	if asked*100 > commits*15 {
		t.Errorf("%d of %d commits are asked about, more than 15 %%", asked, commits)
	}
}

// play() runs the steps of a session. It returns the number of commits in the session, and the number of commits about
// which a person is asked.
func (r *replay) play(t *testing.T, core []guideline.Guideline) (commits, asks int) {
	t.Helper()
	s := newStage(t, "guidelines: []")
	s.body.Layers[0].Guidelines = core
	for _, name := range r.Has {
		name, what, _ := strings.Cut(name, ":")
		s.withFiles(name)
		if name == "package.json" {
			s.packageFile(what == "test")
		}
	}
	for n, step := range r.Steps {
		text := step[1].(string)
		switch step[0] {
		case "edit":
			s.pre(s.write(text))
			s.withFiles(text)
			s.post(s.write(text))
		case "commit":
			commits++
			s.pending = nil
			for _, name := range step[2].([]any) {
				s.pending = append(s.pending, name.(string))
			}
			if verdict(s.pre(s.bash(text))) != "pass" {
				asks++
			}
			s.head += "1"
			s.post(s.bash(text))
		default:
			s.run(text, strconv.Itoa(n), step[2:])
		}
	}
	return commits, asks
}

func (s *stage) run(command, id string, result []any) {
	call := with(s.bash(command), "tool_use_id", id)
	s.pre(call)
	switch {
	case len(result) > 0 && result[0] == "failed":
		s.failed(call)
	case len(result) > 0 && result[0] == "failed-hidden":
		s.post(response(call, "1 failed, 3 passed"))
	default:
		s.post(response(call, "4 passed"))
	}
}

func (s *stage) packageFile(tested bool) {
	s.t.Helper()
	text := "{}"
	if tested {
		text = `{"scripts": {"test": "jest"}}`
	}
	if err := os.WriteFile(filepath.Join(s.project, "package.json"), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

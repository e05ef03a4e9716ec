package hooks_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/hooks"
	"guardrails/hooks/cache"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

const (
	rulesText = "These are the rules of this project, as it always has them.\n\nNot allowed:\n- deleting everything"
	withTask  = rulesText + "\n\nFor this task (action review):\n- be kind"
	addition  = "guardrails adds to what it said before:\n\nFor this task (action review):\n- be kind"
)

func newToldStage(t *testing.T) *stage {
	s := newStage(t, "guidelines: []")
	s.injection = rulesText
	return s
}

func (s *stage) wantContext(o wire.Outcome, want string) {
	s.t.Helper()
	if o.Context != want {
		s.t.Errorf("the model received\n%s\nwant\n%s", o.Context, want)
	}
}

func TestTheModelReceivesTheWholeTextWhenItsContextBegins(t *testing.T) {
	for _, source := range []string{"startup", "resume", "clear", "compact", "something new"} {
		t.Run(source, func(t *testing.T) {
			s := newToldStage(t)
			s.wantContext(s.start("startup"), rulesText)
			s.prompt("hello")
			s.wantContext(s.start(source), rulesText)
			s.wantContext(s.prompt("hello"), "")
		})
	}
}

func TestALaterPromptAddsOnlyWhatTheModelDoesNotKnow(t *testing.T) {
	s := newToldStage(t)
	s.start("startup")
	s.injection = withTask
	s.wantContext(s.prompt("review it"), addition)
	s.wantContext(s.prompt("review it again"), "")
	s.injection = rulesText
	s.wantContext(s.prompt("thanks"), "")
	s.injection = withTask
	s.wantContext(s.prompt("review it once more"), "")
}

func TestWithoutAHookAtTheStartEveryPromptAddsTheWholeText(t *testing.T) {
	s := newToldStage(t)
	for range 2 {
		s.wantContext(s.prompt("hello"), rulesText)
	}
}

func TestTheFirstPromptAddsWhatTheStartOfTheSessionCouldNot(t *testing.T) {
	s := newToldStage(t)
	s.down = errDown
	s.wantContext(s.start("startup"), "")
	if o := s.prompt("hello"); o.Context == "" || o.Message == "" {
		t.Errorf("nobody was told about the outage: %+v", o)
	}
	s.wantContext(s.prompt("hello"), "")
	s.down = nil
	s.wantContext(s.prompt("hello"), rulesText)
}

func TestEachSubagentReceivesTheWholeText(t *testing.T) {
	s := newToldStage(t)
	s.start("startup")
	for _, agent := range []string{"a1", "a2"} {
		e := s.event(wire.SubagentStart, map[string]any{"agent_id": agent, "agent_type": "backend"})
		s.wantContext(hooks.Subagent(s.host, e), rulesText)
	}
	s.wantContext(s.prompt("hello"), "")
}

func TestACompactionKeepsTheGuidelinesOfTheTask(t *testing.T) {
	s := newToldStage(t)
	s.start("startup")
	s.body.Layers[0].Context.Domain, s.body.Layers[0].Context.Action = "P01", "review"
	s.prompt("review it")
	file := s.host.Dir.Path(session.CacheName(session.Key("s1", "")))
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s.body.Layers[0].Context.Domain, s.body.Layers[0].Context.Action = "", ""
	s.start("compact")
	s.wantTasks("[map[action:review domain:P01]]")
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("the guidelines of the session changed (%v)", err)
	}
}

// wantTasks checks what the last request says about the task of each layer.
func (s *stage) wantTasks(want string) {
	s.t.Helper()
	if asked := s.asked[len(s.asked)-1]; fmt.Sprint(asked["tasks"]) != want || asked["prompt"] != nil {
		s.t.Errorf("asked %v, want the tasks %s", asked, want)
	}
}

// If a turn takes longer than the cached guidelines are valid, the hook requests the guidelines again for the same
// task.
func TestOutdatedGuidelinesAreRequestedAgainForTheSameTask(t *testing.T) {
	const tasks = "[map[action:fix domain:money] map[action: domain:P01]]"
	for name, outdate := range map[string]func(s *stage){
		"they have expired": func(s *stage) { s.now = s.now.Add(10 * time.Minute) },
		"they have changed": func(s *stage) { s.changed(s.now.Add(time.Second)); s.now = s.now.Add(time.Minute) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, "guidelines: []")
			s.body.Layers = append(s.body.Layers, cache.Layer{Context: guideline.Context{Domain: "P01"}})
			s.body.Layers[0].Context.Domain, s.body.Layers[0].Context.Action = "money", "fix"
			s.prompt("correct the invoice")
			outdate(s)
			s.want(s.pre(s.bash("ls")), "pass")
			s.wantTasks(tasks)
			if asked := s.asked[len(s.asked)-1]; asked["main_thread"] != true {
				t.Errorf("asked %v", asked)
			}
		})
	}
}

func TestATextThatCannotBeNotedIsAddedAgain(t *testing.T) {
	s := newToldStage(t)
	s.start("startup")
	file := s.host.Dir.Path(session.ToldName("s1"))
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s.wantContext(s.prompt("hello"), rulesText)
	}
}

func TestTheModelIsToldWhyTheUserWasAskedAboutARefusedCall(t *testing.T) {
	s := newStage(t, "guidelines: [{id: g, name: Databases, category: hitl_gate, condition: {paths: [db/*]}, action: {type: hitl_gate, gate_type: db}}]")
	s.start("startup")
	s.prompt("hello")
	s.want(s.pre(s.write("db/a")), "ask")
	got := s.prompt("do something else").Context
	if !strings.HasPrefix(got, "The user was asked and did not approve: ") || !strings.Contains(got, "(g)") {
		t.Errorf("got %q", got)
	}
	s.wantContext(s.prompt("go on"), "")
	s.want(s.pre(s.write("db/b")), "ask")
	s.post(s.write("db/b"))
	s.wantContext(s.prompt("thanks"), "")
}

func TestAPromptRemovesTheFilesOfOldSessionsOnceAnHour(t *testing.T) {
	s := newToldStage(t)
	s.now = time.Now()
	old := session.CacheName(session.Key("an-old-session", ""))
	leave := func() {
		t.Helper()
		must(t, s.host.Dir.Write(old, []byte("{}")))
		before := s.now.AddDate(0, 0, -8)
		must(t, os.Chtimes(s.host.Dir.Path(old), before, before))
	}
	for _, c := range []struct {
		after   time.Duration
		removed bool
	}{{0, true}, {time.Minute, false}, {61 * time.Minute, true}, {-3 * time.Hour, true}} {
		leave()
		s.now = s.now.Add(c.after)
		s.prompt("hello")
		if _, err := os.Lstat(s.host.Dir.Path(old)); os.IsNotExist(err) != c.removed {
			t.Errorf("after %v: removed %v, want %v", c.after, !c.removed, c.removed)
		}
	}
}

package hooks_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"guardrails/internal/changemark"
)

// changed() marks the guidelines as changed at the given time. It sets the modification time of the file that signals
// changes.
func (s *stage) changed(at time.Time) {
	s.t.Helper()
	if err := s.host.Dir.Touch(changemark.Name); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Chtimes(s.host.Dir.Path(changemark.Name), at, at); err != nil {
		s.t.Fatal(err)
	}
}

func TestChangedGuidelinesAreRequestedAgain(t *testing.T) {
	for _, c := range []struct {
		name  string
		after time.Duration
		want  string
	}{
		{"a minute before the request", -time.Minute, "deny"},
		{"a second before the request", -time.Second, "deny"},
		{"at the moment of the request", 0, "pass"},
		{"after the request", 2 * time.Second, "pass"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, paths)
			s.want(s.pre(s.write("src/ui/a.ts")), "deny")
			s.body.Layers[0].Guidelines = nil
			s.changed(s.now.Add(c.after))
			s.want(s.pre(s.write("src/ui/a.ts")), c.want)
			s.now = s.now.Add(5 * time.Second)
			s.want(s.pre(s.write("src/ui/a.ts")), c.want)
			s.want(s.pre(s.write("src/ui/a.ts")), c.want)
			if most := map[string]int{"deny": 1, "pass": 3}[c.want]; len(s.asked) > most {
				t.Errorf("asked %d times", len(s.asked))
			}
		})
	}
}

// The guidelines may change after the source has answered, and before the hook writes the answer to the cache.
func TestTheAgeOfAnAnswerCountsFromItsRequest(t *testing.T) {
	s := newStage(t, paths)
	answer := s.host.Ask
	s.host.Ask = func(request []byte) ([]byte, error, error) {
		old, passed, err := answer(request)
		s.now = s.now.Add(time.Second)
		s.changed(s.now)
		s.now = s.now.Add(2 * time.Second)
		s.body.Layers[0].Guidelines = nil
		s.host.Ask = answer
		return old, passed, err
	}
	s.want(s.pre(s.write("src/ui/a.ts")), "deny")
	s.want(s.pre(s.write("src/ui/a.ts")), "pass")
}

// After a call, the hook gives advice from the same guidelines that judged the call, even if the guidelines have
// changed since.
func TestAdviceAfterACallComesFromTheGuidelinesThatJudgedIt(t *testing.T) {
	s := newStage(t, "pack:core")
	s.prompt("begin")
	for i := range 3 {
		s.failed(with(s.bash("go test ./..."), "tool_use_id", fmt.Sprint(i)))
	}
	s.changed(s.now)
	s.want(s.failed(s.bash("go test ./...")), "pass", "hitl-gate-debugger-escalation")
}

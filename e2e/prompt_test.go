//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"guardrails/hooks/cache"
	"guardrails/internal/changemark"
	"guardrails/internal/private"
	"guardrails/setup/claude/fakemodel"
)

// cacheFile returns the path of the main thread's cache. The stage must have had only one session.
func (s *stage) cacheFile() string {
	s.t.Helper()
	files, err := filepath.Glob(s.run + "/guardrails-????????-????-????-????-????????????.json")
	if err != nil || len(files) != 1 {
		s.t.Errorf("the session caches are %v (%v), want one", files, err)
		return ""
	}
	return files[0]
}

// age() makes the file of the session's cache look older by the given time.
func (s *stage) age(by time.Duration) {
	s.t.Helper()
	file := s.cacheFile()
	doc, err := os.ReadFile(file)
	if err != nil {
		s.t.Error(err)
		return
	}
	dir, err := private.Runtime(func(name string) string {
		return map[string]string{"HOME": s.home, "GUARDRAILS_CACHE_DIR": s.run}[name]
	})
	if err == nil {
		err = cache.Seal(doc, time.Now().Add(-by), dir.KeyOf(filepath.Base(file)))
	}
	if err != nil {
		s.t.Error(err)
		return
	}
	if err := os.WriteFile(file, doc, 0o600); err != nil {
		s.t.Error(err)
	}
	// The file with which the server signals changes must be older than the cache.
	sign, before := filepath.Join(s.run, changemark.Name), time.Now().Add(-by-time.Minute)
	if err := os.Chtimes(sign, before, before); err != nil && !os.IsNotExist(err) {
		s.t.Error(err)
	}
}

const nobodyWritesOpen = `
guidelines:
  - id: nobody-writes-open
    name: Open files are closed now
    category: security
    action: {type: tool_restriction, tools_denied: ["Write(open/*)"], instruction: Open files are closed.}
`

// A server can notice the changed file before the cache expires, so the test makes no call in between.
func TestACallAfterTheCacheExpiredIsJudgedByTheCurrentGuidelines(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		s.file(".claude/guardrails.yaml", "packs: [core]\ncache_ttl: 10\n")
		write := func(name string) fakemodel.Reply {
			return fakemodel.Reply{Calls: []fakemodel.Call{fakemodel.Write(s.path("open/"+name), "x").Named(name)}}
		}
		model := s.play(
			func(*fakemodel.Request) fakemodel.Reply { return write("before") },
			func(*fakemodel.Request) fakemodel.Reply {
				s.file(".claude/guardrails/new.yaml", nobodyWritesOpen)
				s.age(11 * time.Second)
				return write("after")
			},
			func(*fakemodel.Request) fakemodel.Reply { return write("later") },
			fakemodel.Say("done"),
		)
		s.wantResults(model, map[string]string{"before": "", "after": "nobody-writes-open", "later": "nobody-writes-open"})
	})
}

func TestAPromptThatNoPersonTypedChangesNoContext(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		var before, after []byte
		// The subagent ends after the last message of its parent. The client then sends a notification to the model. This
		// notification looks like a prompt.
		aside, end := s.together(fakemodel.Say("Somebody else tidies up."), fakemodel.Say("deploy the documentation"))
		keep := func(into *[]byte, step fakemodel.Step) fakemodel.Step {
			return func(r *fakemodel.Request) fakemodel.Reply {
				var err error
				if *into, err = os.ReadFile(s.cacheFile()); err != nil {
					s.t.Error(err)
				}
				return step(r)
			}
		}
		model, transcript := s.headless(
			fakemodel.Use(fakemodel.Background("backend", "tidy up", end)),
			keep(&before, aside),
			keep(&after, fakemodel.Use(fakemodel.Write(s.path("locked/a.txt"), "x").Named("denied"))),
			fakemodel.Say("done"),
		)
		turns := model.Requests(fakemodel.MainThread)
		if len(turns) < 3 || !turns[2].Saw("<task-notification>") {
			s.t.Fatal("the client sent no notification")
		}
		// Every prompt starts the same hooks, but only one of them answers the user's prompt.
		hooks := transcript.Hooks("UserPromptSubmit")
		var answers []int
		for i := range hooks {
			if !silent(hooks[i].Stdout) {
				answers = append(answers, i)
			}
		}
		if len(answers) != 1 || answers[0] >= len(hooks)/2 {
			s.t.Errorf("the hook answered the prompts with %+v, want an answer only to the user's", hooks)
		}
		if string(after) != string(before) {
			s.t.Errorf("the session's guidelines changed from\n%s\nto\n%s", before, after)
		}
		s.wantResults(model, map[string]string{"denied": "nobody-writes-locked"})
	})
}

// silent() reports whether a hook printed nothing for the client.
func silent(stdout string) bool { return stdout == "" || stdout == "{}" }

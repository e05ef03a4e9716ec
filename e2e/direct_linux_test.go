//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"guardrails/setup/claude/fakemodel"
)

// The client starts a new server after the old server has been killed. The client blocks the call that the server did
// not check.
func TestAKilledServerIsRestartedAndNoCallRunsUnchecked(t *testing.T) {
	t.Parallel()
	forEachDirect(t, func(s *stage) {
		var steps []fakemodel.Step
		want := map[string]string{}
		for i := range 4 {
			name := "denied_" + strconv.Itoa(i)
			write := fakemodel.Use(fakemodel.Write(s.path("locked/a.txt"), "x").Named(name))
			steps = append(steps, func(r *fakemodel.Request) fakemodel.Reply {
				s.killServers()
				return write(r)
			})
			want[name] = ""
		}
		steps = append(steps, fakemodel.Use(fakemodel.Write(s.path("open/a.txt"), "x").Named("allowed")), fakemodel.Say("done"))
		model := s.play(steps...)
		for id := range want {
			if got := s.result(model, id); !got.Failed || !strings.Contains(got.Text, "nobody-writes-locked") && !strings.Contains(got.Text, gone) {
				s.t.Errorf("%s: the model read %q (failed: %v)", id, got.Text, got.Failed)
			}
		}
		s.wantResults(model, map[string]string{"allowed": ""})
		s.wantFiles(map[string]bool{"locked/a.txt": false, "open/a.txt": true})
	})
}

// killServers kills the servers of the stage's project, as the system does when it runs out of memory.
func (s *stage) killServers() {
	s.t.Helper()
	processes, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil || len(processes) == 0 {
		s.t.Fatalf("/proc shows no processes: %v", err)
	}
	for _, cwd := range processes {
		dir, _ := os.Readlink(cwd)
		program, _ := os.Readlink(filepath.Join(filepath.Dir(cwd), "exe"))
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(cwd)))
		if err == nil && dir == s.project && filepath.Base(program) == "guardrails-server" {
			_ = syscall.Kill(pid, syscall.SIGKILL) // the process may have ended by itself
		}
	}
}

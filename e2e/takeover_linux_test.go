//go:build e2e

package e2e

import (
	"net"
	"syscall"
	"testing"

	"guardrails/setup/claude/fakemodel"
)

// holder() returns the id of the process that answers on the socket. If no process answers, it returns 0.
func (s *stage) holder() (pid int) {
	s.t.Helper()
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: s.run + "/server.sock", Net: "unix"})
	if err != nil {
		return 0
	}
	defer c.Close()
	raw, err := c.SyscallConn()
	if err == nil {
		err = raw.Control(func(fd uintptr) {
			if peer, err := syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED); err == nil {
				pid = int(peer.Pid)
			}
		})
	}
	if err != nil {
		s.t.Error(err)
	}
	return pid
}

// One of two sessions has started a server, and both sessions use it. The test kills this server. Then the server of
// the other session must take over.
func TestAnotherSessionsServerTakesOverFromAKilledOneAndNoDecisionIsLost(t *testing.T) {
	t.Parallel()
	for _, client := range clients(t) {
		t.Run(version(client), func(t *testing.T) {
			t.Parallel()
			s := newStage(t, client)
			s.command(s.bin+"/guardrails", "init")
			s.file("vault.yaml", vault)
			s.person("apply", "-f", "vault.yaml")
			var killed int
			kills := func(next fakemodel.Step) fakemodel.Step {
				return func(r *fakemodel.Request) fakemodel.Reply {
					if killed = s.holder(); killed == 0 || syscall.Kill(killed, syscall.SIGKILL) != nil {
						t.Errorf("the server %d was not killed", killed)
					}
					return next(r)
				}
			}
			taken := func(next fakemodel.Step) fakemodel.Step {
				return func(r *fakemodel.Request) fakemodel.Reply {
					s.waitUntil("another server", func() bool { pid := s.holder(); return pid != 0 && pid != killed })
					return next(r)
				}
			}
			a1, b1 := s.together(s.intoVault("a1"), s.intoVault("b1"))
			a2, b2 := s.together(s.intoVault("a2"), s.intoVault("b2"))
			a3, b3 := s.together(s.intoVault("a3"), s.intoVault("b3"))
			models := playBeside(
				scene{s, []fakemodel.Step{a1, kills(a2), taken(a3), fakemodel.Say("done")}},
				scene{s, []fakemodel.Step{b1, b2, taken(b3), fakemodel.Say("done")}},
			)
			s.wantResults(models[0], map[string]string{"a1": byVault, "a2": byVault, "a3": byVault})
			s.wantResults(models[1], map[string]string{"b1": byVault, "b2": byVault, "b3": byVault})
			s.wantAudited(map[string]string{"a1": "deny 1", "a2": "deny 1", "a3": "deny 1", "b1": "deny 1", "b2": "deny 1", "b3": "deny 1"})
		})
	}
}

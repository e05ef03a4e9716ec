//go:build e2e

package e2e

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/setup/doctor"
)

const every = "an injected line, a denied write, a gated command, an allowed command, a line in a subagent, a denied write in a subagent, a run of every hook, a note about a loop"

// installed() returns a stage with its own copy of the programs, which a test can break.
func installed(t *testing.T, client string, flags ...string) *stage {
	t.Helper()
	s := newStage(t, client)
	shared := s.bin
	s.bin = filepath.Join(s.base, "bin")
	s.command("cp", "-r", shared, s.bin)
	s.command(s.bin+"/guardrails", append([]string{"init"}, flags...)...)
	return s
}

func (s *stage) doctor() ([]doctor.Check, int) {
	s.t.Helper()
	c := exec.Command(s.bin+"/guardrails", "doctor", "--live", "-o", "json")
	c.Dir, c.Env, c.Stderr = s.project, s.env(), os.Stderr
	out, err := c.Output()
	ended, failed := errors.AsType[*exec.ExitError](err)
	if err != nil && !failed {
		s.t.Fatal(err)
	}
	var list []doctor.Check
	if err := json.Unmarshal(out, &list); err != nil {
		s.t.Fatalf("%v: %s", err, out)
	}
	if failed {
		return list, ended.ExitCode()
	}
	return list, 0
}

// canaries() returns the names of the canaries that fired, and the names of the others.
func canaries(list []doctor.Check) (fired, missed string) {
	names := map[bool][]string{}
	for _, c := range list {
		name, isCanary := strings.CutPrefix(c.Name, "live: ")
		if isCanary {
			names[c.Detail == "FIRED"] = append(names[c.Detail == "FIRED"], name)
		}
	}
	return strings.Join(names[true], ", "), strings.Join(names[false], ", ")
}

func TestEveryCanaryFiresInAHealthyProject(t *testing.T) {
	t.Parallel()
	ways := map[string]*stage{}
	for _, client := range clients(t) {
		ways[version(client)] = installed(t, client)
	}
	for _, client := range direct(t) {
		ways[version(client)+" direct"] = installed(t, client, "--direct")
	}
	for name, s := range ways {
		t.Run(name, func(t *testing.T) {
			s.t = t
			other := map[string]any{"type": "command", "command": "touch " + s.base + "/touched"}
			s.json(".claude/settings.local.json", map[string]any{
				"hooks":       map[string]any{"PreToolUse": []any{map[string]any{"hooks": []any{other}}}},
				"permissions": map[string]any{"deny": []string{"Write", "Bash"}},
			})
			before := s.tree()
			list, exit := s.doctor()
			if fired, _ := canaries(list); fired != every || exit != 0 {
				t.Errorf("exit code %d, fired: %q:\n%+v", exit, fired, list)
			}
			if after := s.tree(); after != before {
				t.Errorf("the project was\n%s\nand is now\n%s", before, after)
			}
			for _, pattern := range []string{"touched", "run/guardrails*", "run/server.sock", "tmp/*", "home/.claude*", "home/.local/state/guardrails/spool/*"} {
				if left, _ := filepath.Glob(filepath.Join(s.base, pattern)); len(left) > 0 {
					t.Errorf("left behind: %v", left)
				}
			}
		})
	}
}

func TestCanariesDoNotFireWhenSomethingIsBroken(t *testing.T) {
	t.Parallel()
	checked := "a denied write, a gated command, a denied write in a subagent, a run of every hook"
	for _, fault := range []struct {
		name   string
		breaks func(*stage)
		missed string
		// The field "why" is a part of the detail of the first canary that does not fire.
		why string
	}{
		{"the check's program is gone", func(s *stage) { s.command("rm", s.bin+"/guardrails-enforce") }, every, "guardrails-enforce is not on PATH"},
		{"the settings have no check", func(s *stage) { s.command("sed", "-i", `s/"PreToolUse"/"PreToolUsed"/`, ".claude/settings.json") }, checked, "is in no settings file"},
		{"a matcher is narrowed", func(s *stage) {
			s.command("sed", "-i", `s/"matcher": "\*"/"matcher": "Edit|Write"/`, ".claude/settings.json")
		}, "a gated command, a line in a subagent, a run of every hook, a note about a loop", "leaves out tools or agents"},
		{"hooks are switched off", func(s *stage) { s.file(".claude/settings.local.json", `{"disableAllHooks": true}`) }, "an injected line, " + strings.Replace(checked, "a denied write in", "a line in a subagent, a denied write in", 1) + ", a note about a loop", "disableAllHooks disables every hook"},
		{"the folder for sessions is open to others", func(s *stage) { s.command("sh", "-c", `mkdir -p "$0" && chmod 0777 "$0"`, s.run) }, "a run of every hook, a note about a loop", "can be written by others"},
		{"the client is too old", func(s *stage) {
			s.client = filepath.Join(s.base, "old", "claude")
			s.command("mkdir", filepath.Dir(s.client))
			s.command("sh", "-c", `printf '#!/bin/sh\necho 2.0.14\n' > "$0" && chmod +x "$0"`, s.client)
		}, every, "the client 2.0.14 is older than 2.1.197"},
	} {
		for _, client := range clients(t) {
			t.Run(fault.name+"/"+version(client), func(t *testing.T) {
				t.Parallel()
				s := installed(t, client)
				fault.breaks(s)
				list, exit := s.doctor()
				_, missed := canaries(list)
				if missed != fault.missed || exit != 1 {
					t.Errorf("exit code %d, not fired: %q, want %q\n%+v", exit, missed, fault.missed, list)
				}
				for _, c := range list {
					if strings.HasPrefix(c.Detail, "NOT FIRED") && (!strings.Contains(c.Detail, fault.why) || c.Remedy == "") {
						t.Errorf("%s: %s; remedy: %s", c.Name, c.Detail, c.Remedy)
					}
				}
			})
		}
	}
}

const advised = ", a line about a repeated question, a line about reassurance, a line about a long session, a blocked prompt, a replaced answer"

// The client runs a separate session for each line, because a detector shows a line only if no other line was shown in
// the last quarter of an hour.
func TestTheCanaryOfEachDetectorFires(t *testing.T) {
	t.Parallel()
	oldest, calls := clients(t)[0], direct(t)[0]
	for name, s := range map[string]*stage{
		version(oldest): installed(t, oldest), version(calls) + " direct": installed(t, calls, "--direct"),
	} {
		t.Run(name, func(t *testing.T) {
			s.t = t
			s.file("../home/.config/guardrails/guardrails.yaml", everyDetector+"safety: {mode: enforce}\n")
			list, exit := s.doctor()
			if fired, _ := canaries(list); fired != every+advised || exit != 0 {
				t.Errorf("exit code %d, fired: %q:\n%+v", exit, fired, list)
			}
			for _, pattern := range []string{"run/guardrails*", "run/clock", "tmp/*"} {
				if left, _ := filepath.Glob(filepath.Join(s.base, pattern)); len(left) > 0 {
					t.Errorf("left behind: %v", left)
				}
			}
		})
	}
}

func TestCanariesDoNotFireWhenTheServerIsNotStarted(t *testing.T) {
	t.Parallel()
	for _, client := range direct(t) {
		t.Run(version(client), func(t *testing.T) {
			s := installed(t, client, "--direct")
			s.file(".claude/settings.local.json", `{"disabledMcpjsonServers": ["guardrails"]}`)
			list, exit := s.doctor()
			// Only the canary "an injected line" fires. The server is not connected yet when the session starts, so a program
			// injects this line.
			if fired, _ := canaries(list); fired != "an injected line" || exit != 1 {
				t.Errorf("exit code %d, fired: %q\n%+v", exit, fired, list)
			}
			for _, c := range list {
				if strings.HasPrefix(c.Detail, "NOT FIRED") && !strings.Contains(c.Detail, "disabledMcpjsonServers keeps the client from starting the server") {
					t.Errorf("%s: %s", c.Name, c.Detail)
				}
			}
		})
	}
}

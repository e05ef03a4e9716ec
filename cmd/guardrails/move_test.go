package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// storeSession is a project with a store in which some things happened.
func storeSession(t *testing.T) *scriptRun {
	s := newSession(t, map[string]string{
		"a.yaml":  "{id: a, name: A, category: custom, action: {type: instruction, instruction: A.}}\n",
		"a2.yaml": "{id: a, name: A again, category: custom, action: {type: instruction, instruction: A.}}\n",
	})
	s.variables["HOME"] = filepath.Join(s.root, "home")
	for _, line := range []string{
		"guardrails apply -f a.yaml", "guardrails apply -f a2.yaml --force", "guardrails import pack:core", "guardrails toggle a", "guardrails delete a", "guardrails restore a@1",
	} {
		s.must(line)
	}
	return s
}

// must runs a command line that has to succeed.
func (s *scriptRun) must(line string) string {
	s.t.Helper()
	stdout, stderr, code := s.run(line)
	if code != done {
		s.t.Fatalf("%s: exit %d: %s%s", line, code, stdout, stderr)
	}
	return stdout
}

func (s *scriptRun) keep(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.root, name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func TestAMoveToAnotherStoreLosesNothing(t *testing.T) {
	s := storeSession(t)
	dump := s.must("guardrails export --all")
	s.keep("dump.jsonl", dump)
	s.keep("heads.json", s.must("guardrails audit verify -o json"))
	s.variables["HOME"] = filepath.Join(s.root, "elsewhere")
	if said := s.must("guardrails import --all dump.jsonl"); !strings.Contains(said, " versions of guidelines, ") || strings.Contains(said, "new: 0") {
		t.Errorf("the first load says %s", said)
	}
	if said := s.must("guardrails import --all - < dump.jsonl"); said != "new: 0 versions of guidelines, 0 entries of the audit; all else was there\n" {
		t.Errorf("the second load says %s", said)
	}
	if moved := s.must("guardrails export --all"); moved != dump {
		t.Errorf("%d bytes became %d", len(dump), len(moved))
	}
	if said := s.must("guardrails audit verify --heads heads.json"); !strings.HasPrefix(said, "intact: ") || !strings.Contains(said, ", against ") {
		t.Errorf("it is verified as %s", said)
	}
}

func TestADumpThatIsCutOffOrAlteredIsRefused(t *testing.T) {
	s := storeSession(t)
	dump := s.must("guardrails export --all")
	lines := strings.SplitAfter(strings.TrimSuffix(dump, "\n"), "\n")
	for name, text := range map[string]string{
		"cut off": strings.Join(lines[:len(lines)-1], ""), "altered": strings.Replace(dump, `"actor":"dev"`, `"actor":"eve"`, 1), "one line less": strings.Join(lines[1:], ""),
	} {
		s.keep("dump.jsonl", text)
		s.variables["HOME"] = filepath.Join(s.root, strings.ReplaceAll(name, " ", "-"))
		if _, stderr, code := s.run("guardrails import --all dump.jsonl"); code != failed || stderr == "" {
			t.Errorf("%s: exit %d, %s", name, code, stderr)
		}
		if left := s.must("guardrails list"); left != "0 guidelines\n" {
			t.Errorf("%s leaves %s", name, left)
		}
	}
}

func TestWhatDiffersFromNotedHeadsIsDamage(t *testing.T) {
	s := storeSession(t)
	noted := s.must("guardrails audit verify -o json")
	_, hash, _ := strings.Cut(noted, `"hash": "`)
	s.keep("heads.json", strings.Replace(noted, hash[:64], strings.Repeat("0", 64), 1))
	stdout, stderr, code := s.run("guardrails audit verify --heads heads.json")
	if code != refused || stderr != "" || !strings.HasPrefix(stdout, "altered  entry ") || !strings.Contains(stdout, "the one that was noted\n") || !strings.Contains(stdout, "damaged: ") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	stdout, _, code = s.run("guardrails audit verify --heads heads.json -o json")
	if code != refused || !strings.Contains(stdout, `"intact": false`) || !strings.Contains(stdout, `"damage": "altered"`) {
		t.Errorf("exit %d: %s", code, stdout)
	}
	s.keep("damaged.json", stdout)
	if _, stderr, code := s.run("guardrails audit verify --heads damaged.json"); code != failed || !strings.Contains(stderr, "damaged already") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

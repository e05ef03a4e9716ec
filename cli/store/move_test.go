package store_test

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/cli"
	"guardrails/cli/app"
	"guardrails/cli/clitest"
)

// storeSession returns a project with a store that has some history.
func storeSession(t *testing.T) *clitest.Session {
	s := clitest.New(t, map[string]string{
		"a.yaml":  "{id: a, name: A, category: custom, action: {type: instruction, instruction: A.}}\n",
		"a2.yaml": "{id: a, name: A again, category: custom, action: {type: instruction, instruction: A.}}\n",
	})
	s.Env["HOME"] = filepath.Join(s.Root, "home")
	for _, line := range []string{
		"guardrails apply -f a.yaml", "guardrails apply -f a2.yaml --force", "guardrails import pack:core", "guardrails toggle a", "guardrails delete a", "guardrails restore a@1",
	} {
		s.Must(line)
	}
	return s
}

func TestAMoveToAnotherStoreLosesNothing(t *testing.T) {
	s := storeSession(t)
	dump := s.Must("guardrails export --all")
	s.Write("dump.jsonl", dump)
	s.Write("heads.json", s.Must("guardrails audit verify -o json"))
	s.Env["HOME"] = filepath.Join(s.Root, "elsewhere")
	if said := s.Must("guardrails import --all dump.jsonl"); !strings.Contains(said, " versions of guidelines and ") ||
		strings.Contains(said, "imported 0") {
		t.Errorf("the first load says %s", said)
	}
	again := "imported 0 versions of guidelines and 0 entries of the audit; all other records of the file were already in " +
		"the store\n"
	if said := s.Must("guardrails import --all - < dump.jsonl"); said != again {
		t.Errorf("the second load says %s", said)
	}
	if moved := s.Must("guardrails export --all"); moved != dump {
		t.Errorf("%d bytes became %d", len(dump), len(moved))
	}
	if said := s.Must("guardrails audit verify --heads heads.json"); !strings.HasPrefix(said, "intact: ") ||
		!strings.Contains(said, ", compared with ") {
		t.Errorf("verify says %s", said)
	}
}

func TestADumpThatIsCutOffOrAlteredIsRefused(t *testing.T) {
	s := storeSession(t)
	dump := s.Must("guardrails export --all")
	lines := strings.SplitAfter(strings.TrimSuffix(dump, "\n"), "\n")
	for name, text := range map[string]string{
		"cut off": strings.Join(lines[:len(lines)-1], ""), "altered": strings.Replace(dump, `"actor":"dev"`,
			`"actor":"eve"`, 1), "one line less": strings.Join(lines[1:], ""),
	} {
		s.Write("dump.jsonl", text)
		s.Env["HOME"] = filepath.Join(s.Root, strings.ReplaceAll(name, " ", "-"))
		if _, stderr, code := s.Run("guardrails import --all dump.jsonl"); code != app.Failed || stderr == "" {
			t.Errorf("%s: exit %d, %s", name, code, stderr)
		}
		if left := s.Must("guardrails list --store"); left != "0 guidelines\n" {
			t.Errorf("%s leaves %s", name, left)
		}
	}
}

func TestADifferenceFromEarlierHeadsIsDamage(t *testing.T) {
	s := storeSession(t)
	noted := s.Must("guardrails audit verify -o json")
	_, hash, _ := strings.Cut(noted, `"hash": "`)
	s.Write("heads.json", strings.Replace(noted, hash[:64], strings.Repeat("0", 64), 1))
	stdout, stderr, code := s.Run("guardrails audit verify --heads heads.json")
	if code != app.Refused || stderr != "" || !strings.HasPrefix(stdout, "altered  entry ") ||
		!strings.Contains(stdout, "differs from the noted one\n") || !strings.Contains(stdout, "damaged: ") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	stdout, _, code = s.Run("guardrails audit verify --heads heads.json -o json")
	if code != app.Refused || !strings.Contains(stdout, `"intact": false`) ||
		!strings.Contains(stdout, `"damage": "altered"`) {
		t.Errorf("exit %d: %s", code, stdout)
	}
	s.Write("damaged.json", stdout)
	if _, stderr, code := s.Run("guardrails audit verify --heads damaged.json"); code != app.Failed ||
		!strings.Contains(stderr, "already damaged") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

func TestAnAnswerThatCannotBeWrittenIsAnError(t *testing.T) {
	s := storeSession(t)
	for _, line := range []string{"get a", "list", "history a", "export", "export --all", "audit list", "audit export", "audit verify"} {
		var stderr strings.Builder
		code := cli.Run(strings.Fields(line), &app.System{
			Stdout: closedPipe{}, Stderr: &stderr, Stdin: strings.NewReader(""), Cwd: s.Root, User: func() string { return "dev" },
			Env: func(name string) string { return s.Env[name] },
		})
		if code != app.Failed || !strings.Contains(stderr.String(), "cannot be written") &&
			!strings.Contains(stderr.String(), "output is incomplete: "+io.ErrClosedPipe.Error()) {
			t.Errorf("%s: exit %d: %s", line, code, stderr.String())
		}
	}
}

type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

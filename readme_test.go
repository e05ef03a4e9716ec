package guardrails_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"guardrails/internal/golden"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// transcript is a command named in a comment of the README, and the block below it that shows its output.
var transcript = regexp.MustCompile("(?s)<!-- output of: ([^\n]*) -->\n```\n(.*?)\n```")

func TestREADMEShowsWhatTheProgramSays(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "guardrails")
	if out, err := exec.Command("go", "build", "-o", tool, "./cmd/guardrails").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	renewed := transcript.ReplaceAllStringFunc(string(text), func(block string) string {
		count++
		parts := transcript.FindStringSubmatch(block)
		return "<!-- output of: " + parts[1] + " -->\n```\n" + output(t, tool, parts[1]) + "\n```"
	})
	if count < 2 {
		t.Fatalf("the README shows %d outputs", count)
	}
	golden.Check(t, *update, "README.md", renewed)
}

// output is what the program prints, run by a shell as a reader would, in an empty home directory.
func output(t *testing.T, tool, args string) string {
	t.Helper()
	cmd := exec.Command("bash", "-c", tool+" "+args)
	cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 3 {
		t.Fatalf("guardrails %s: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func TestREADMENamesEveryCommand(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	help, err := exec.Command("go", "run", "./cmd/guardrails", "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(help), "Available Commands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	count := 0
	for line := range strings.Lines(list) {
		name := strings.Fields(line)[0]
		if count++; name != "help" && !named(string(text), name) {
			t.Errorf("the README's table does not name the command %s", name)
		}
	}
	if count < 10 {
		t.Errorf("the help names %d commands:\n%s", count, list)
	}
}

// named reports whether a row of the table begins with a command, or with a list in which it stands.
func named(text, command string) bool {
	return regexp.MustCompile("(?m)^\\| (`[^|]*`, )?`" + command + "[ `]").MatchString(text)
}

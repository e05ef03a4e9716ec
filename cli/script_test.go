package cli_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"guardrails/cli/app"
	"guardrails/cli/clitest"
	"guardrails/internal/fortests/golden"
)

var update = flag.Bool("update", false, "rewrite what the scripts in testdata expect")

// The files in testdata/scripts are transcripts. A line that begins with $ is a command, and the following lines are
// its output. Lines of stderr begin with "! ". The last line is the exit code, unless it is 0. Lines that begin with =
// are headings. The files that the commands use come at the end, each below its name. A file whose text begins with #!
// is executable.
func TestScripts(t *testing.T) {
	names, err := filepath.Glob("testdata/scripts/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, name := range names {
		file, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) { runScript(t, file) })
	}
}

func runScript(t *testing.T, file string) {
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	transcript, files := splitScript(string(content))
	s := clitest.New(t, files)
	got := transcribe(t, s, transcript)
	if *update {
		if err := os.WriteFile(file, []byte(got+strings.TrimPrefix(string(content), transcript)), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != transcript {
		t.Errorf("%s differs (run with -update and look at the diff)\n%s", filepath.Base(file),
			golden.Difference(got, transcript))
	}
}

// splitScript splits a script into its transcript and its files.
func splitScript(content string) (transcript string, files map[string]string) {
	files = map[string]string{}
	name := ""
	var part strings.Builder
	keep := func() {
		if name == "" {
			transcript = part.String()
		} else {
			files[name] = part.String()
		}
		part.Reset()
	}
	for line := range strings.Lines(content) {
		if next, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(next, " --\n") {
			keep()
			name = strings.TrimSuffix(next, " --\n")
			continue
		}
		part.WriteString(line)
	}
	keep()
	return transcript, files
}

// transcribe() runs the commands of a transcript and returns the new transcript.
func transcribe(t *testing.T, s *clitest.Session, old string) string {
	var b strings.Builder
	titled := true
	for line := range strings.Lines(old) {
		isCommand := strings.HasPrefix(line, "$ ")
		if !isCommand && !strings.HasPrefix(line, "= ") {
			continue
		}
		if !titled || !isCommand && b.Len() > 0 {
			b.WriteString("\n")
		}
		b.WriteString(line)
		if isCommand {
			b.WriteString(record(t, s, strings.TrimSpace(line[2:])))
		}
		titled = !isCommand
	}
	return b.String() + "\n"
}

func record(t *testing.T, s *clitest.Session, line string) string {
	if dir, ok := strings.CutPrefix(line, "cd "); ok {
		s.Cwd = filepath.Join(s.Cwd, dir)
		t.Chdir(s.Cwd)
		return ""
	}
	if name, ok := strings.CutPrefix(line, "cat "); ok {
		content, err := os.ReadFile(filepath.Join(s.Cwd, name))
		if err != nil {
			return "[no such file]\n"
		}
		return string(content)
	}
	stdout, stderr, code := s.Run(line)
	var b strings.Builder
	b.WriteString(stdout)
	if stdout != "" && !strings.HasSuffix(stdout, "\n") {
		b.WriteString("\n")
	}
	for line := range strings.Lines(stderr) {
		b.WriteString("! " + line)
	}
	if code != app.OK {
		fmt.Fprintf(&b, "[exit %d]\n", code)
	}
	return withoutChance(strings.ReplaceAll(b.String(), s.Root, "$PROJECT"))
}

// withoutChance replaces random ids, and hashes that depend on such ids.
func withoutChance(text string) string {
	text = regexp.MustCompile(`\b[0-9A-HJKMNP-TV-Z]{26}\b`).ReplaceAllString(text, "$$ID")
	text = regexp.MustCompile(`\$ID:[0-9a-f]{32}\b`).ReplaceAllString(text, "$$ID:$$KEY") // the key contains the project's path
	text = regexp.MustCompile(`\bsqlite-[0-9a-f]{16}\b`).ReplaceAllString(text, "$$WRITER")
	text = regexp.MustCompile(`"next_cursor": "[^"]*"`).ReplaceAllString(text, `"next_cursor": "$$$$CURSOR"`)
	return regexp.MustCompile(`\b[0-9a-f]{64}\b`).ReplaceAllString(text, "$$HASH")
}

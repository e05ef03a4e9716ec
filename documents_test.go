package guardrails_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"guardrails/cli/clitest"
	"guardrails/internal/fortests/golden"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A page shows commands in blocks of the kind console: each line that begins with "$ " is run in a shell, and the lines
// below it are its output. "…" matches any text. A line that consists only of "…" matches any number of lines. A page's
// blocks share a project and a home folder, both empty at first. Two comments can precede a block:
//
//	<!-- file: PATH -->       the block is the text of this file in the project
//	<!-- not run: REASON -->  the block is not run

const (
	sampleHome    = "/home/dev"
	sampleProject = "/home/dev/shop"
)

func TestExamplesInTheDocumentsRun(t *testing.T) {
	notInShort(t)
	programs := buildPrograms(t, "./cmd/...")
	ran := 0
	for _, page := range pages(t) {
		t.Run(page, func(t *testing.T) {
			s := newSandbox(t, programs)
			text := string(read(t, page))
			golden.Check(t, *update, page, s.play(text))
			ran += s.ran
		})
	}
	if ran < 20 {
		t.Errorf("only %d commands of the documents were run", ran)
	}
}

// pages() returns the documents that show commands.
func pages(t *testing.T) []string {
	t.Helper()
	return append(glob(t, "docs/*.md"), "README.md", "CONTRIBUTING.md")
}

// notInShort skips a test that builds programs if -short is set. "make check" runs the tests of the documents without
// -short.
func notInShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
}

func buildPrograms(t *testing.T, packages string) string {
	t.Helper()
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", dir+string(filepath.Separator), packages)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// sandbox is the project and the home folder in which the commands of one page run.
type sandbox struct {
	t              *testing.T
	home, programs string
	ran            int
}

func newSandbox(t *testing.T, programs string) *sandbox {
	t.Helper()
	s := &sandbox{t: t, home: t.TempDir(), programs: programs}
	for _, dir := range []string{filepath.Join(s.project(), ".git"), filepath.Join(s.home, "tmp")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// The commands only ask the client for its version.
	program(t, filepath.Join(s.home, "bin", "claude"), "#!/bin/sh\necho '2.1.330 (Claude Code)'\n")
	return s
}

func (s *sandbox) project() string { return filepath.Join(s.home, "shop") }

var (
	fence   = regexp.MustCompile("^```([a-z]*)$")
	comment = regexp.MustCompile(`^<!-- (file|not run): (.+) -->$`)
)

// play() runs the commands of a page and returns the page with their current output.
func (s *sandbox) play(page string) string {
	var out []string
	var mark []string // the comments before a block
	lines := strings.Split(page, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		out = append(out, line)
		if found := comment.FindStringSubmatch(line); found != nil {
			mark = found[1:]
			continue
		}
		opened := fence.FindStringSubmatch(line)
		if opened == nil {
			if strings.HasPrefix(line, "    $ ") || strings.HasPrefix(line, "    guardrails ") {
				s.t.Errorf("line %d: a command must be in a console block: %s", i+1, line)
			}
			if line != "" {
				mark = nil
			}
			continue
		}
		end := i + 1
		for end < len(lines) && lines[end] != "```" {
			end++
		}
		if end == len(lines) {
			s.t.Fatalf("line %d: the block does not end", i+1)
		}
		out = append(out, s.block(i+1, opened[1], mark, lines[i+1:end])...)
		out, mark, i = append(out, "```"), nil, end
	}
	return strings.Join(out, "\n")
}

// block() handles one fenced block and returns its updated lines.
func (s *sandbox) block(at int, kind string, mark, lines []string) []string {
	switch {
	case len(mark) > 0 && mark[0] == "file":
		s.write(mark[1], strings.Join(lines, "\n")+"\n")
	case len(mark) > 0:
	case kind == "console":
		return s.console(lines)
	case kind == "sh" || kind == "bash" || kind == "shell":
		s.t.Errorf("line %d: use a console block, or say in a comment why this block is not run", at)
	}
	return lines
}

func (s *sandbox) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.project(), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// console() runs each command of a block and returns the block with their current output.
func (s *sandbox) console(lines []string) []string {
	var out []string
	for i := 0; i < len(lines); {
		command, ok := strings.CutPrefix(lines[i], "$ ")
		if !ok {
			s.t.Errorf("a console block must begin with a command: %s", lines[i])
			return lines
		}
		out = append(out, lines[i])
		for i++; strings.HasSuffix(command, "\\") && i < len(lines); i++ {
			out = append(out, lines[i])
			command = strings.TrimSuffix(command, "\\") + lines[i]
		}
		start := i
		for i < len(lines) && !strings.HasPrefix(lines[i], "$ ") {
			i++
		}
		out = append(out, s.answer(command, lines[start:i])...)
	}
	return out
}

// answer() runs one command. If the lines below the command on the page match its output, answer() returns these lines.
// Otherwise, it returns the output.
func (s *sandbox) answer(command string, shown []string) []string {
	s.ran++
	blank := 0 // the number of empty lines that separate this command from the next one
	for blank < len(shown) && shown[len(shown)-1-blank] == "" {
		blank++
	}
	gap, shown := shown[len(shown)-blank:], shown[:len(shown)-blank]
	text, status := s.run(command)
	if len(shown) == 0 {
		if status != 0 {
			s.t.Errorf("%s: exit code %d\n%s", command, status, text)
		}
		return gap
	}
	if status == 2 || status > 3 {
		s.t.Errorf("%s: exit code %d\n%s", command, status, text)
	}
	if !outline(shown).MatchString(text) {
		shown = strings.Split(text, "\n")
	}
	return append(shown[:len(shown):len(shown)], gap...)
}

// outline() returns a pattern for text in which "…" stands for anything.
func outline(shown []string) *regexp.Regexp {
	pattern := "^"
	for i, line := range shown {
		last := i == len(shown)-1
		switch {
		case line == "…" && last:
			pattern = strings.TrimSuffix(pattern, "\n") + "(?s:\n.*|.*)"
		case line == "…":
			pattern += "(?s:.*\n)?"
		default:
			pattern += strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*")
			if !last {
				pattern += "\n"
			}
		}
	}
	return regexp.MustCompile(pattern + "$")
}

// run() runs a command in the project as a person would. It returns the exit code and everything that the command
// prints.
func (s *sandbox) run(command string) (text string, status int) {
	s.t.Helper()
	c := exec.Command("bash", "-c", command)
	c.Dir = s.project()
	c.Env = []string{
		"HOME=" + s.home, "PATH=" + s.programs + ":" + filepath.Join(s.home, "bin") + ":/usr/bin:/bin",
		"GUARDRAILS_CACHE_DIR=" + filepath.Join(s.home, "run"), "TMPDIR=" + filepath.Join(s.home, "tmp"),
	}
	out, err := c.CombinedOutput()
	if err != nil && c.ProcessState == nil {
		s.t.Fatal(err)
	}
	text = strings.NewReplacer(s.project(), sampleProject, s.programs, sampleHome+"/.local/bin", s.home, sampleHome).
		Replace(string(out))
	trailing := regexp.MustCompile(`(?m)[ \t]+$`)
	return strings.Trim(trailing.ReplaceAllString(text, ""), "\n"), c.ProcessState.ExitCode()
}

// helpLine matches each line of the help that begins with the name of a command.
var helpLine = regexp.MustCompile(`(?m)^  ([a-z][a-z-]*) {2,}[A-Z]`)

func TestEveryCommandIsDocumented(t *testing.T) {
	text := string(read(t, "docs/commands.md"))
	help, _, _ := clitest.New(t, map[string]string{}).Run("guardrails --help")
	count := 0
	for _, found := range helpLine.FindAllStringSubmatch(help, -1) {
		name := found[1]
		row := regexp.MustCompile("(?m)^\\| (`[^|]*`, )?`" + name + "[ `]")
		if count++; name != "help" && !row.MatchString(text) {
			t.Errorf("no table in docs/commands.md has a row for the command %s", name)
		}
	}
	if count < 20 {
		t.Errorf("the help names %d commands:\n%s", count, help)
	}
}

var link = regexp.MustCompile(`\]\(([^)#: ]+)(#[^)]*)?\)`)

func TestLinksInTheDocumentsLeadSomewhere(t *testing.T) {
	for _, page := range append(pages(t), glob(t, "docs/adr/*.md")...) {
		for _, found := range link.FindAllStringSubmatch(string(read(t, page)), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(found[1]))); err != nil {
				t.Errorf("%s links to %s, which does not exist", page, found[1])
			}
		}
	}
}

func TestTheMapOfTheDocumentsIsComplete(t *testing.T) {
	text := string(read(t, "docs/README.md"))
	for _, page := range glob(t, "docs/*.md") {
		if name := filepath.Base(page); name != "README.md" && !strings.Contains(text, "("+name+")") {
			t.Errorf("docs/README.md does not link to %s", name)
		}
	}
	index := string(read(t, "docs/adr/README.md"))
	for _, page := range glob(t, "docs/adr/[0-9]*.md") {
		if name := filepath.Base(page); !strings.Contains(index, "("+name+")") {
			t.Errorf("docs/adr/README.md does not link to %s", name)
		}
	}
}

var (
	tableRow = regexp.MustCompile("(?m)^\\| [^|]+ \\| (`.+`) \\| (blocked|asks|noted|runs) \\|$")
	code     = regexp.MustCompile("`([^`]+)`")
)

func TestTheREADMEIsRightAboutWhatIsBlocked(t *testing.T) {
	notInShort(t)
	s := newSandbox(t, buildPrograms(t, "./cmd/guardrails"))
	decisions := map[string]string{"blocked": "deny", "asks": "ask", "noted": "warn", "runs": "allow"}
	rows := tableRow.FindAllStringSubmatch(string(read(t, "README.md")), -1)
	for _, row := range rows {
		for _, found := range code.FindAllStringSubmatch(row[1], -1) {
			command := strings.ReplaceAll(found[1], `\|`, "|")
			s.write("command", command)
			text, _ := s.run(`guardrails explain --command "$(cat command)"`)
			if want := "decision       " + decisions[row[2]]; !strings.Contains(text, want) {
				t.Errorf("%s: the README says %s\n%s", command, row[2], text)
			}
		}
	}
	if len(rows) < 15 {
		t.Errorf("the table has %d rows", len(rows))
	}
}

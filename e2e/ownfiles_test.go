//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"guardrails/internal/product"
	"guardrails/setup/claude/fakemodel"
)

// The constant "hidden" is the source text of a program that writes files. guardrails cannot see what the program
// does, because the program is compiled. Each line of the program's plan has a path and a text.
const hidden = `package main

import (
	"os"
	"path/filepath"
	"strings"
)

func main() {
	self, _ := os.Executable()
	plan, _ := os.ReadFile(self + ".plan")
	for line := range strings.Lines(string(plan)) {
		path, text, _ := strings.Cut(strings.TrimSpace(line), "\t")
		os.Remove(path)
		os.MkdirAll(filepath.Dir(path), 0o755)
		os.WriteFile(path, []byte(text+"\n"), 0o755)
	}
}
`

const userConfig = "home/.config/guardrails/guardrails.yaml"

// ownFiles gives a stage its own programs, settings of the user, and the hidden program. The argument "plan" says
// which files the hidden program writes. The paths of these files are below the folder of the stage.
func (s *stage) ownFiles(plan map[string]string) {
	s.t.Helper()
	for _, name := range product.Programs() {
		text, err := os.ReadFile(filepath.Join(s.bin, name))
		if err != nil {
			s.t.Fatal(err)
		}
		s.file("../bin/"+name, string(text))
		s.command("chmod", "755", s.base+"/bin/"+name)
	}
	s.bin = s.base + "/bin"
	s.file("../"+userConfig, "packs: [core]\n")
	s.file("../source/main.go", hidden)
	s.file("../source/go.mod", "module hidden\n\ngo 1.26\n")
	build := exec.Command("go", "build", "-o", s.path("tool"), ".")
	build.Dir, build.Env = s.base+"/source", append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		s.t.Fatalf("%v\n%s", err, out)
	}
	lines := ""
	for path, text := range plan {
		lines += s.base + "/" + path + "\t" + text + "\n"
	}
	s.file("tool.plan", lines)
}

func (s *stage) read(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.base, name))
	if err != nil {
		s.t.Error(err)
	}
	return string(text)
}

func (s *stage) wantPutBack(name, want string) {
	s.t.Helper()
	if got := s.read(name); got != want {
		s.t.Errorf("%s was not put back: %.80q", name, got)
	}
	if found, _ := filepath.Glob(s.home + "/.local/state/guardrails/changed/" + filepath.Base(name) + "-*"); len(found) != 1 {
		s.t.Errorf("the changed versions of %s are %v", name, found)
	}
}

func TestWhatACompiledProgramChangesIsPutBackOrWaitsForAPerson(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		s.ownFiles(map[string]string{
			userConfig: "packs: []", "bin/guardrails": "#!/bin/sh", "project/.claude/guardrails.yaml": "packs: []",
		})
		program := s.read("bin/guardrails")
		model := s.play(
			fakemodel.Use(fakemodel.Bash("./tool").Named("hidden")),
			fakemodel.Use(fakemodel.Write(s.path("a.txt"), "x").Named("next")),
			fakemodel.Say("Done."),
		)
		s.wantResults(model, map[string]string{"hidden": "", "next": "belongs to guardrails"})
		s.wantPutBack(userConfig, "packs: [core]\n")
		s.wantPutBack("bin/guardrails", program)
		s.wantFiles(map[string]bool{"a.txt": false})
		if got := s.recorded("own_files", "hidden"); len(got) != 3 {
			s.t.Errorf("recorded %+v", got)
		}
	})
}

func TestAPersonIsToldAboutAHiddenChangeAndAnswersOnce(t *testing.T) {
	t.Parallel()
	inBothWays(t, func(s *stage) {
		s.ownFiles(map[string]string{userConfig: "packs: []", "project/.claude/guardrails.yaml": "packs: [core, roles]"})
		terminal := s.terminal(
			fakemodel.Use(fakemodel.Bash("./tool").Named("hidden")),
			fakemodel.Use(fakemodel.Bash("touch a.txt").Named("asked")),
			fakemodel.Use(fakemodel.Bash("touch b.txt").Named("later")),
			fakemodel.Say("All is done."),
		)
		terminal.typePrompt("run the tool", "This command requires approval")
		terminal.chooses("Yes")
		terminal.shows("guardrails put back")
		terminal.shows("belongs to guardrails has changed")
		terminal.chooses("Yes")
		terminal.shows("All is done.")
		s.wantFiles(map[string]bool{"a.txt": true, "b.txt": true})
		s.wantPutBack(userConfig, "packs: [core]\n")
		if got := s.recorded("own_files", "asked"); len(got) != 2 || got[0].Outcome != "ask" || got[1].Outcome != "accepted" {
			s.t.Errorf("recorded %+v", got)
		}
	})
}

// The test replaces the program that runs after a call. The replaced program prints nothing. The program that runs at
// the end of the turn must restore the original.
func TestAReplacedHookIsPutBackAtTheEndOfTheTurn(t *testing.T) {
	t.Parallel()
	forEachClient(t, func(s *stage) {
		s.ownFiles(map[string]string{"bin/guardrails-enforce": "#!/bin/sh"})
		program := s.read("bin/guardrails-enforce")
		s.play(fakemodel.Use(fakemodel.Bash("./tool").Named("hidden")), fakemodel.Say("Done."))
		s.wantPutBack("bin/guardrails-enforce", program)
	})
}

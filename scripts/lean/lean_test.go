package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/internal/fortests/labeledcommands"
)

// copied() copies the shell parser. It returns three folders: of the copy ("to"), of the original library ("from"), and
// of this repository ("root").
func copied(t *testing.T) (to, from, root string) {
	t.Helper()
	from, err := moduleFolder(library)
	if err != nil {
		t.Fatal(err)
	}
	root, err = moduleFolder("guardrails")
	if err != nil {
		t.Fatal(err)
	}
	to = t.TempDir()
	if err := build(root, from, to, to); err != nil {
		t.Fatal(err)
	}
	return to, from, root
}

// The copy differs from the library in one import, and in the three places that visit the comments of a node.
func TestTheCopyDiffersFromTheLibraryInFourPlaces(t *testing.T) {
	to, from, _ := copied(t)
	const shorter = "\t\twalkComments(node.Comments, f)\n"
	for _, name := range files() {
		got, err := os.ReadFile(filepath.Join(to, "sh", name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, loop := range commentLoop().FindAllString(string(want), -1) {
			got = bytes.Replace(got, []byte(shorter), []byte(loop), 1)
		}
		if back := strings.Replace(string(got), `"mvdan.cc/sh/v3/internal/fmt"`, `"fmt"`, 1); back != string(want) {
			t.Errorf("%s is not the library's", name)
		}
		if found := len(commentLoop().FindAll(want, -1)); name == "syntax/walk.go" && found != 3 {
			t.Errorf("%s has %d loops over comments, want 3", name, found)
		}
	}
}

func TestAnExistingCopyIsUnchanged(t *testing.T) {
	to, from, root := copied(t)
	file := filepath.Join(to, "sh", "syntax", "parser.go")
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := build(root, from, to, to); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(file)
	if err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("the file was written again: %v", err)
	}
}

// notInShort skips a test that builds a program if -short is set.
func notInShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a program")
	}
}

// The test uses all commands in the labelled files. It also cuts off each command at two places, to get syntax errors
// of all kinds.
func TestTheCopyDecidesAsTheLibraryDoes(t *testing.T) {
	notInShort(t)
	to, _, root := copied(t)
	input, err := json.Marshal(commands(t, root))
	if err != nil {
		t.Fatal(err)
	}
	want := judged(t, root, input)
	got := judged(t, root, input, "-modfile="+filepath.Join(to, "go.mod"))
	wanted, given := bytes.Split(want, []byte("\n")), bytes.Split(got, []byte("\n"))
	if len(wanted) != len(given) || len(wanted) < 5000 {
		t.Fatalf("%d and %d decisions", len(wanted), len(given))
	}
	for i := range wanted {
		if !bytes.Equal(wanted[i], given[i]) {
			t.Fatalf("the copy says\n%s\nthe library says\n%s", given[i], wanted[i])
		}
	}
}

func commands(t *testing.T, root string) []string {
	t.Helper()
	var out []string
	for _, command := range labeledcommands.Commands(t, root, "dangerous*.json", "harmless*.json", "state.json") {
		out = append(out, command, command[:len(command)/2], command[:len(command)*4/5])
	}
	return out
}

// judged() builds the program "judge" with the given flags, runs it and returns its output.
func judged(t *testing.T, root string, input []byte, flags ...string) []byte {
	t.Helper()
	program := filepath.Join(t.TempDir(), "judge")
	build := exec.Command("go", append(append([]string{"build", "-o", program}, flags...), "./scripts/lean/judge")...)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	judge := exec.Command(program)
	judge.Stdin = bytes.NewReader(input)
	out, err := judge.Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

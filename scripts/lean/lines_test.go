package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// After the lines are joined, a file must have the same tokens as before.
func TestJoiningLinesKeepsTheProgram(t *testing.T) {
	for _, name := range []string{"lines.go", "main.go", "lean_test.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		joined := joinDeclarations(text)
		if want, got := tokens(text), tokens(joined); !slices.Equal(got, want) {
			t.Errorf("%s: the tokens differ:\n%q\n%q", name, got, want)
		}
	}
	raw := "package a\n\nconst text = `two\nlines` // a comment\n\nvar x = []int{\n\t1, /* two */ 2,\n}\n"
	if want, got := tokens([]byte(raw)), tokens(joinDeclarations([]byte(raw))); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Each line of a table must still have the same words after narrow() has removed its spaces.
func TestNarrowTablesHaveTheSameRows(t *testing.T) {
	files, err := filepath.Glob("../../detect/toolcall/program/*/*orders.go")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before, after := strings.Split(string(text), "\n"), strings.Split(string(narrow(text)), "\n")
		for i := range before {
			if !slices.Equal(strings.Fields(before[i]), strings.Fields(after[i])) || before[i] != "" && before[i][0] != after[i][0] {
				t.Errorf("%s:%d: %q became %q", name, i+1, before[i], after[i])
			}
		}
	}
}

// Two declarations must not share a line: if calls in both are inlined, the compiler would think that a function calls
// itself.
func TestADeclarationIsOnOneLine(t *testing.T) {
	text := "package a\n\nimport \"b\"\n\n// f does it.\nfunc f() {\n\tb.F()\n\tb.G()\n}\n\nvar x = 1\n"
	want := "package a ;\nimport \"b\" ;\nfunc f ( ) { b . F ( ) ; b . G ( ) ; } ;\nvar x = 1 ;\n"
	if got := string(joinDeclarations([]byte(text))); strings.ReplaceAll(got, "\n ", "\n") != want {
		t.Errorf("got %q", got)
	}
}

func TestCommentsForTheCompilerKeepTheirLine(t *testing.T) {
	text := "//go:build unix\n\n// Package a is small.\npackage a\n\n// f is here.\n//\n//go:noinline\nfunc f() {}\n"
	got := strings.Split(string(joinDeclarations([]byte(text))), "\n")
	for _, want := range []string{"//go:build unix", "//go:noinline"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q has no line %s", got, want)
		}
	}
}

// The overlay must replace the files of Go's own packages that hooks link.
func TestTheOverlayNamesTheLinkedPackages(t *testing.T) {
	to, _, _ := copied(t)
	if err := joinLines(to); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(to, "overlay.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"/src/runtime/proc.go", "/src/internal/poll/fd.go", "/src/unicode/utf8/utf8.go", "/sh/syntax/parser.go"} {
		if !bytes.Contains(text, []byte(filepath.FromSlash(name)+`":`)) {
			t.Errorf("the overlay lacks %s", name)
		}
	}
}

// tokens() returns the tokens of a file. A semicolon in the file gives the same token as a semicolon that the scanner
// adds.
func tokens(text []byte) []string {
	files := token.NewFileSet()
	var s scanner.Scanner
	s.Init(files.AddFile("", -1, len(text)), text, nil, 0)
	var out []string
	for {
		_, kind, literal := s.Scan()
		if kind == token.EOF {
			return out
		}
		if kind == token.SEMICOLON {
			literal = ""
		}
		out = append(out, kind.String()+literal)
	}
}

// A program that is built with the changed copy of Go's package "time" prints every time in the format of RFC 3339.
func TestATimeHasOneFormat(t *testing.T) {
	notInShort(t)
	folder, err := standardFolder()
	if err != nil {
		t.Fatal(err)
	}
	replace, to := map[string]string{}, t.TempDir()
	if err := joinFolder(replace, folder, filepath.Join(folder, "time"), to); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay, program := filepath.Join(to, "overlay.json"), filepath.Join(to, "main.go")
	code := "package main\n\nimport \"time\"\n\nfunc main() {\n\tat := time.Unix(1, 5).UTC()\n" +
		"\tprintln(at.Format(time.RFC3339), at.Format(time.RFC3339Nano), at.Format(time.Kitchen), at.String())\n}\n"
	if err := errors.Join(put(overlay, text), put(program, []byte(code))); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "run", "-overlay="+overlay, program).CombinedOutput()
	const long = "1970-01-01T00:00:01.000000005Z"
	if want := "1970-01-01T00:00:01Z " + long + " " + long + " " + long + "\n"; err != nil || string(out) != want {
		t.Errorf("%v: got %q, want %q", err, out, want)
	}
}

// If a new version of Go no longer has a function that changes() replaces, the build must fail. Without the error, the
// hooks would be built with Go's own function.
func TestAFunctionThatGoNoLongerHasIsAnError(t *testing.T) {
	for _, c := range changes() {
		if _, err := smaller(c.file, []byte("package a\n")); err == nil || !strings.Contains(err.Error(), c.file) {
			t.Errorf("%s: %v", c.file, err)
		}
	}
}

// A program that uses one processor must notice that a timer has expired, even while its only goroutine computes.
func TestATimerEndsAComputationInAProgramBuiltWithTheOverlay(t *testing.T) {
	notInShort(t)
	to, _, _ := copied(t)
	if err := joinLines(to); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	text := "package main\n\nimport (\n\t\"os\"\n\t\"runtime\"\n\t\"time\"\n)\n\nfunc main() {\n\ttime.AfterFunc(time.Millisecond, " +
		"func() { os.Exit(40 + runtime.GOMAXPROCS(0)) })\n\tfor {\n\t}\n}\n"
	for name, text := range map[string]string{"main.go": text, "go.mod": "module loop\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-overlay="+filepath.Join(to, "overlay.json"), "-o", "loop", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := exec.Command(filepath.Join(dir, "loop")).Run(); err == nil || err.Error() != "exit status 41" {
		t.Errorf("%v, want exit status 41", err)
	}
}

// A program that changes many pointers during many garbage collections must find all of its data afterwards, although
// its code tells the collections nothing about the changes.
func TestNoDataIsLostInCollectionsWithoutWriteBarriers(t *testing.T) {
	notInShort(t)
	to, _, _ := copied(t)
	if err := joinLines(to); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module tree\n\ngo 1.26\n", "main.go": `package main

import (
	"os"
	"runtime"
)

type node struct {
	number      int
	left, right *node
}

func grow(depth, number int) *node {
	if depth == 0 {
		return nil
	}
	return &node{number, grow(depth-1, 2*number), grow(depth-1, 2*number+1)}
}

func sum(n *node) int {
	if n == nil {
		return 0
	}
	return n.number + sum(n.left) + sum(n.right)
}

// turn swaps all children, and replaces each node with a copy.
func turn(n *node) *node {
	if n == nil {
		return nil
	}
	n.left, n.right = turn(n.right), turn(n.left)
	return &node{n.number, n.left, n.right}
}

func main() {
	tree, want := grow(16, 1), 1<<16*(1<<16-1)/2
	byNumber := map[int]*node{}
	results := make(chan *node)
	for i := range 300 {
		go func() { results <- turn(tree) }()
		tree = <-results
		byNumber[i%10] = tree
		if sum(tree) != want || sum(byNumber[i%10].left)+sum(byNumber[i%10].right)+1 != want {
			os.Exit(3)
		}
	}
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); m.NumGC < 20 {
		os.Exit(4)
	}
}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-overlay="+filepath.Join(to, "overlay.json"), "-gcflags", "-wb=false", "-o", "tree", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.Command(filepath.Join(dir, "tree"))
	run.Env = append(os.Environ(), "GOGC=off")
	if err := run.Run(); err != nil {
		t.Errorf("%v: 3 says that nodes are lost, 4 that there were too few collections", err)
	}
}

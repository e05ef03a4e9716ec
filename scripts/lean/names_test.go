package main

import (
	"go/token"
	"maps"
	"strings"
	"testing"
)

// Functions, methods, types and fields get short names. Local variables, packages, programs, methods of Go's own
// interfaces, and names in comments for the compiler keep their names.
func TestDeclarationsGetShortNames(t *testing.T) {
	names, err := shortNames([][]byte{
		[]byte("package first\n\nimport \"os/exec\"\n\ntype reader struct{ length int }\n\n" +
			"func (r reader) next(b int) int { longLocal := r.length + b; return longLocal }\n\n" +
			"func (r reader) Error() string { return exec.ErrDot.Error() }\n"),
		[]byte("package second\n\n//go:linkname started syscall.started\nfunc started()\n\nfunc ReadSettings() {}\n\n" +
			"func exec() {}\n\nfunc main() { ReadSettings() }\n"),
	})
	exported := names["ReadSettings"]
	want := map[string]string{"reader": "a", "length": "c", "next": "d", "ReadSettings": exported}
	if err != nil || !maps.Equal(names, want) || !token.IsExported(exported) || len(exported) > 2 {
		t.Errorf("got %v (%v), want %v", names, err, want)
	}
}

func TestAShortNameIsFree(t *testing.T) {
	var declared []string
	taken := func(name string) bool { return name == "b" || name == "do" }
	for range 3000 {
		declared = append(declared, strings.Repeat("n", 10+len(declared)))
	}
	seen := map[string]bool{}
	for name, short := range chooseNames(declared, taken) {
		if taken(short) || seen[short] || len(short) > 3 {
			t.Errorf("%d letters: %s", len(name), short)
		}
		seen[short] = true
	}
	if len(seen) != len(declared) {
		t.Errorf("%d names for %d", len(seen), len(declared))
	}
}

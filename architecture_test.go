// Package guardrails_test holds what is true of the repository as a whole: what small binaries must not link.
package guardrails_test

import (
	"os/exec"
	"strings"
	"testing"
)

// hooks are the programs that a client runs for every prompt and tool call: they stay small and start at once.
func hooks() []string {
	return []string{"./cmd/guardrails-inject", "./cmd/guardrails-subagent", "./cmd/guardrails-enforce", "./cmd/guardrails-stop"}
}

// hookLinks are the packages of others that a hook may link, apart from those inside of the standard library. What is not
// here is left out with a reason: fmt, encoding/json and regexp are each a tenth of a hook or cost every start; net, net/http
// and os/exec set up what a hook does by hand; crypto has tables; YAML and cobra are for the command line.
func hookLinks() []string {
	return []string{
		"bufio", "bytes", "cmp", "errors", "hash", "hash/fnv", "io", "io/fs", "iter", "maps", "math", "math/bits", "math/rand/v2",
		"mvdan.cc/sh/v3/syntax", "os", "path", "path/filepath", "reflect", "runtime", "slices", "strconv", "strings", "sync",
		"sync/atomic", "syscall", "time", "unicode", "unicode/utf16", "unicode/utf8", "unsafe",
	}
}

// engine are the packages that a hook is made of.
var engine = []string{"guideline", "evaluator", "detect/toolcall", "decide", "hooks", "hooks/run"}

// The hooks are built with the lean copy of the shell parser, so that is what is looked at.
func TestHooksLinkOnlyWhatIsListed(t *testing.T) {
	if out, err := exec.Command("go", "run", "./scripts/lean").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	linked := map[string]bool{}
	for _, name := range goList(t, append([]string{"-modfile=.build/lean/go.mod", "-deps"}, hooks()...)...) {
		if strings.HasPrefix(name, "guardrails/") || strings.HasPrefix(name, "internal/") || strings.Contains(name, "/internal/") {
			continue
		}
		if linked[name] = true; !contains(hookLinks(), name) {
			t.Errorf("a hook links %s, which is not in hookLinks: it starts with every tool call", name)
		}
	}
	for _, name := range hookLinks() {
		if !linked[name] {
			t.Errorf("no hook links %s any more: take it out of hookLinks", name)
		}
	}
}

// The command line is what hooks start where no server runs.
func TestTheCommandLineDoesNotLinkTheLibraryForMCP(t *testing.T) {
	for _, dependency := range goList(t, "-deps", "guardrails/cmd/guardrails") {
		if strings.HasPrefix(dependency, "github.com/mark3labs/mcp-go") {
			t.Errorf("cmd/guardrails links %s: it spends milliseconds in package initialisation", dependency)
		}
	}
}

func TestOnlyOnePackageKnowsTheLibraryForMCP(t *testing.T) {
	for _, line := range goList(t, "-f", "{{.ImportPath}}: {{join .Imports \" \"}}", "./...") {
		name, imports, _ := strings.Cut(line, ": ")
		if strings.Contains(imports, "mark3labs/mcp-go") && name != "guardrails/server/mcp" {
			t.Errorf("%s imports the library for MCP", name)
		}
	}
}

// Outside of hooks the shell parser links regexp; our own engine compiles no pattern anywhere.
func TestEngineCompilesNoRegularExpressions(t *testing.T) {
	for _, name := range engine {
		for _, imported := range goList(t, "-f", "{{join .Imports \"\\n\"}}", "guardrails/"+name) {
			if imported == "regexp" {
				t.Errorf("%s imports regexp: looking at the text is faster, and a pattern costs every start", name)
			}
		}
	}
}

func TestDomainNeedsOnlyTheStandardLibrary(t *testing.T) {
	for _, dependency := range goList(t, "-deps", "guardrails/guideline") {
		first, _, _ := strings.Cut(dependency, "/")
		if strings.Contains(first, ".") {
			t.Errorf("guideline links %s", dependency)
		}
	}
}

func goList(t *testing.T, args ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		t.Fatalf("go list %v: %v", args, err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

func contains(list []string, s string) bool {
	for _, have := range list {
		if have == s {
			return true
		}
	}
	return false
}

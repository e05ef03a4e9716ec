// Package guardrails_test holds what is true of the repository as a whole: who may import whom, and what small
// binaries must not link.
package guardrails_test

import (
	"os/exec"
	"strings"
	"testing"
)

// mayImport lists, for each package, the packages of this module that it may import; a trailing /... allows everything
// below.
var mayImport = map[string][]string{
	"guideline/document": {},
	"guideline":          {"guideline/document"},
	"evaluator":          {"guideline"},
	"detect":             {"guideline", "guideline/document"},
	"detect/tooluse":     {"guideline", "guideline/document"},
	"decide":             {"guideline", "evaluator", "detect/tooluse"},
	"rules":              {"guideline", "guideline/document"},
	"rules/cases":        {"guideline", "guideline/document", "evaluator", "detect/tooluse", "decide", "rules"},
	"rules/lint":         {"guideline", "guideline/document", "evaluator", "detect/tooluse", "rules"},
	"config":             {"guideline", "guideline/document", "rules", "detect"},
	"cmd/guardrails":     {"guideline", "guideline/document", "evaluator", "detect", "detect/tooluse", "decide", "rules", "rules/cases", "rules/lint", "config", "service", "settings", "client", "hooks", "hooks/session", "hooks/wire", "doctor"},
	"hooks/wire":         {"guideline/document"},
	"hooks/cache":        {"guideline", "guideline/document", "detect/tooluse"},
	"hooks/session":      {"guideline/document"},
	"hooks/reach":        {},
	"hooks":              {"guideline", "guideline/document", "evaluator", "detect/tooluse", "decide", "hooks/wire", "hooks/cache", "hooks/session"},
	"hooks/run":          {"hooks", "hooks/wire", "hooks/session", "hooks/reach", "hooks/stack"},
	"hooks/stack":        {},
	"service":            {"guideline", "guideline/document", "evaluator", "detect", "rules", "config", "hooks/cache", "hooks/session"},
	"settings":           {"guideline/document", "rules", "settings/jsontext"},
	"settings/jsontext":  {"guideline/document"},
	"client":             {},
	"client/script":      {},
	"client/session":     {"client"},
	"doctor":             {"client", "client/script", "client/session", "config", "hooks/reach", "hooks/run", "hooks/session", "hooks/wire", "service", "settings", "settings/jsontext"},
	"e2e/recorder":       {},
	"e2e/mcpserver":      {},

	"cmd/guardrails-inject":   {"hooks", "hooks/run", "hooks/wire"},
	"cmd/guardrails-subagent": {"hooks", "hooks/run", "hooks/wire"},
	"cmd/guardrails-enforce":  {"hooks", "hooks/run", "hooks/wire"},
	"cmd/guardrails-stop":     {"hooks", "hooks/run", "hooks/wire"},
	"scripts/bench":           {"guideline", "rules", "service", "hooks/cache", "hooks/session"},
	"scripts/lean":            {},
	"scripts/lean/fmt":        {},
	"scripts/lean/judge":      {"guideline", "evaluator", "detect/tooluse", "decide", "rules"},
}

// engine are the packages that a hook binary links: they stay small and start at once.
var engine = []string{"guideline", "evaluator", "detect", "detect/tooluse", "decide", "hooks", "hooks/run"}

// forbidden are packages that the engine must not link, with the reason.
var forbidden = map[string]string{
	"net/http":                    "its set-up alone costs a hook a millisecond",
	"net":                         "the engine is pure: it opens nothing",
	"os/exec":                     "it waits with goroutines; hooks/reach starts the command line by itself",
	"crypto/sha256":               "hooks keep what they compare, and need no digest",
	"modernc.org/sqlite":          "the store is behind the server",
	"text/template":               "it links reflection over everything",
	"github.com/spf13/cobra":      "the command line is for people, not for hooks",
	"go.yaml.in/yaml/v4":          "guideline files are read by rules, never on a hot path",
	"github.com/mark3labs/mcp-go": "it spends milliseconds in package initialisation",
}

func TestImportsGoOneWay(t *testing.T) {
	for _, line := range goList(t, "-f", "{{.ImportPath}}: {{join .Imports \" \"}}", "./...") {
		name, imports, _ := strings.Cut(line, ": ")
		name = strings.TrimPrefix(strings.TrimPrefix(name, "guardrails"), "/")
		if name == "" {
			continue
		}
		allowed, known := mayImport[name]
		if !known {
			t.Errorf("the package %s is not in mayImport: say what it may import", name)
		}
		for imported := range strings.FieldsSeq(imports) {
			if inner, ok := strings.CutPrefix(imported, "guardrails/"); ok && !contains(allowed, inner) {
				t.Errorf("%s imports %s, which it may not", name, inner)
			}
		}
	}
}

func TestEngineLinksNothingSlow(t *testing.T) {
	for _, name := range engine {
		for _, dependency := range goList(t, "-deps", "guardrails/"+name) {
			if reason, bad := forbidden[dependency]; bad {
				t.Errorf("%s links %s: %s", name, dependency, reason)
			}
		}
	}
}

// The shell parser links regexp, which costs nothing until a pattern is compiled; our own engine compiles none.
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

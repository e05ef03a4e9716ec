package service_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/internal/fortests/need"
)

const mdGate = "---\ngate_type: review\nevents: [merge]\n---\n# Reviews\n\nMerging waits for a review.\n"

func TestTheClientsRulesAreEnforcedButNotInjectedAgain(t *testing.T) {
	p := newProject(t, map[string]string{
		".claude/guardrails.yaml":    "packs: []\n",
		".claude/rules/answers.md":   "# Short answers\n\nAnswer in three sentences.\n",
		".claude/rules/deep/gate.md": mdGate,
		".claude/rules/no-shell.md":  "---\ntools_denied: [\"Bash(rm *)\"]\n---\nNever use rm.\n",
	})
	a := p.hook("")
	if got := cacheOf(t, a); got.ids() != "gate no-shell" {
		t.Errorf("cached %s", got.ids())
	}
	contains(t, a.Injection, "The user is asked first. What to do instead:\n- merging", "- running `rm *`")
	lacks(t, a.Injection, "three sentences", "Never use rm", "Merging waits")
}

func TestABrokenRuleIsReportedOnlyIfItIsAGuideline(t *testing.T) {
	for _, c := range []struct{ name, text, notice string }{
		{"the client's own front matter", "---\nglobs: [a]\nalwaysApply: true\n---\nText.\n", ""},
		{"a fence that is not closed", "```\ntext\n", ""},
		{"an empty file", "", ""},
		{
			"a mistyped guideline", "---\ntools_denied: 3\n---\nText.\n",
			"guardrails does not enforce a rule: RULE:2: tools_denied: is a number where a list is expected; write a list",
		},
		{
			"an id that is taken", "---\nid: own\nrequire_tests: true\n---\nText.\n",
			"guardrails does not enforce a rule: RULE:1: id: \"own\" is already defined at FILE:1; rename or remove one of the two",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t, map[string]string{
				".claude/guardrails/a.yaml": rule("own", "action: {type: instruction}"),
				".claude/rules/a.md":        c.text,
			})
			a := p.hook("")
			got := strings.NewReplacer(filepath.Join(p.root, ".claude/rules/a.md"), "RULE",
				filepath.Join(p.root, ".claude/guardrails/a.yaml"), "FILE").
				Replace(strings.Join(a.Notices, "\n"))
			if got != c.notice {
				t.Errorf("got  %s\nwant %s", got, c.notice)
			}
			if a.Fallback != nil || ids(a) != "own" {
				t.Errorf("fallback %v, guidelines %s", a.Fallback, ids(a))
			}
		})
	}
}

func TestTheRulesFolderCanBeALink(t *testing.T) {
	p := newProject(t, map[string]string{"shared/rules/gate.md": mdGate, ".claude/guardrails.yaml": "packs: []\n"})
	if err := os.Symlink(filepath.Join(p.root, "shared/rules"), filepath.Join(p.root, ".claude/rules")); err != nil {
		need.Missing(t, err)
	}
	if got := ids(p.hook("")); got != "gate" {
		t.Errorf("got %q", got)
	}
}

func TestAnUnreadableRulesFolderIsReported(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails.yaml": "packs: []\n"})
	if err := os.Symlink("rules", filepath.Join(p.root, ".claude/rules")); err != nil {
		need.Missing(t, err)
	}
	contains(t, strings.Join(p.hook("").Notices, "\n"), ".claude/rules: cannot be read")
}

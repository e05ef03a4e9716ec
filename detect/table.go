package detect

import (
	"slices"
	"strings"
)

// entry is one word of the built-in table with all its forms. The field "value" is the domain or the action that the
// word names. The field "forms" holds all forms of the word in lower case. The forms are listed, not derived from the
// word, because a derived form may be an unrelated word, as "planet" is for "plan".
type entry struct {
	value string
	forms string
}

func domainTable() []entry {
	return []entry{
		{"P01", "p01"},
		{"P01", "worker workers"},
		{"P01", "backend backends back-end back-ends"},
		{"P01", "infrastructure infrastructures"},
		{"P05", "p05"},
		{"P05", "hitl"},
		{"P05", "frontend frontends front-end front-ends"},
		{"P05", "ui uis"},
		{"P11", "p11"},
		{"P11", "guardrail guardrails"},
	}
}

func actionTable() []entry {
	return []entry{
		{"implement", "implement implements implemented implementing implementation implementations"},
		{"implement", "build builds building built"},
		{"implement", "code codes coded coding"},
		{"implement", "create creates created creating creation"},
		{"fix", "fix fixing"},
		{"refactor", "refactor refactoring"},
		{"design", "design designs designed designing"},
		{"design", "plan plans planned planning"},
		{"design", "architect architects architected architecting architecture architectures"},
		{"review", "review reviews reviewed reviewing"},
		{"review", "inspect inspects inspected inspecting inspection inspections"},
		{"review", "check checks checked checking"},
		{"test", "test tests tested testing"},
		{"test", "pytest"},
		{"test", "spec specs"},
		{"deploy", "deploy deploys deployed deploying deployment deployments"},
		{"deploy", "k8s"},
		{"deploy", "docker"},
		{"deploy", "helm"},
	}
}

func compileTable() *trie {
	t := &trie{}
	add := func(field string, table []entry) {
		for _, e := range table {
			for form := range strings.FieldsSeq(e.forms) {
				t.addWord(form, trigger{field, e.value})
			}
		}
	}
	add(fieldDomain, domainTable())
	add(fieldAction, actionTable())
	return t
}

// If the given text is a form of a word of a built-in domain, allForms returns all forms of this word. So a user who
// redefines "frontend" need not list "front-ends".
func allForms(form string) []string {
	for _, e := range domainTable() {
		forms := strings.Fields(e.forms)
		for _, known := range forms {
			if known == form {
				return forms
			}
		}
	}
	return nil
}

// Words returns the built-in words of a domain or an action, each in its first form.
func Words(name string) []string {
	var out []string
	for _, e := range slices.Concat(domainTable(), actionTable()) {
		if e.value == name {
			first, _, _ := strings.Cut(e.forms, " ")
			out = append(out, first)
		}
	}
	return out
}

// Domains returns the built-in domains.
func Domains() []string { return names(domainTable()) }

// Actions returns every action that a Detector can find in a prompt.
func Actions() []string { return names(actionTable()) }

func names(table []entry) []string {
	var out []string
	for _, e := range table {
		if !slices.Contains(out, e.value) {
			out = append(out, e.value)
		}
	}
	return out
}

package service

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"guardrails/guideline"
	"guardrails/internal/document"
	"guardrails/internal/product"
	"guardrails/rules"
)

// clientRules reads the Markdown rules in .claude/rules, which the client itself gives to the model. What is wrong with
// those that mean nothing to this product is nobody's concern and left out.
func clientRules(root string) *rules.Loaded {
	files, problems := clientRuleFiles(filepath.Join(root, product.RulesFolder))
	if len(files) == 0 {
		return &rules.Loaded{Problems: problems}
	}
	loaded := rules.Load(files...)
	concerns := map[string]bool{}
	for _, p := range loaded.Problems {
		known, seen := concerns[p.File]
		if !seen {
			known = concernsUs(p.File)
			concerns[p.File] = known
		}
		if known {
			problems = append(problems, p)
		}
	}
	loaded.Problems = problems
	return loaded
}

// maxClientRules bounds how many rules are read; the client could not use more either.
const maxClientRules = 1000

func clientRuleFiles(dir string) ([]string, document.Problems) {
	real, err := filepath.EvalSymlinks(dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	var files []string
	var problems document.Problems
	unreadable := func(name string) {
		problems = append(problems, document.Problem{File: name, Message: "cannot be read", Remedy: "check that it is a folder, and its permissions"})
	}
	if err != nil {
		unreadable(dir)
		return nil, problems
	}
	// Every error of the walk is a problem of its own.
	_ = filepath.WalkDir(real, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			unreadable(name)
		case len(files) == maxClientRules:
			return fs.SkipAll
		case !entry.IsDir() && strings.EqualFold(filepath.Ext(name), ".md"):
			files = append(files, name)
		}
		return nil
	})
	return files, problems
}

// concernsUs reports whether a rule's text has words in it that only a guideline has. One that cannot be looked at may.
func concernsUs(name string) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > document.MaxSize {
		return true
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return true
	}
	words := []string{"guardrails", "tools_allowed", "tools_denied", "gate_type", "max_files", "require_tests", "require_review"}
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(string(text), word) })
}

// enforcing are the guidelines that do more than give an instruction.
func enforcing(sources []rules.Source) []rules.Source {
	return slices.DeleteFunc(slices.Clone(sources), func(s rules.Source) bool { return !enforces(&s.Action) })
}

func enforces(a *guideline.Action) bool {
	return len(a.ToolsAllowed)+len(a.ToolsDenied) > 0 || a.GateType != "" || a.MaxFiles != nil || a.RequireTests != nil || a.RequireReview != nil
}

// fromClientRules reports whether a guideline was read from a rule that the client itself gives to the model.
func fromClientRules(s *rules.Source) bool {
	return strings.EqualFold(filepath.Ext(s.Origin.File), ".md")
}

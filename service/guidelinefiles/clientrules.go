package guidelinefiles

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

// ClientRules reads the Markdown rules in .claude/rules. The client itself passes these rules to the model. Some of
// these rules have fields of a guideline. ClientRules reports mistakes only in rules with such fields, because the
// other rules do not concern guardrails.
func ClientRules(root string) *rules.Loaded {
	files, problems := clientRuleFiles(filepath.Join(root, product.RulesFolder))
	if len(files) == 0 {
		return &rules.Loaded{Problems: problems}
	}
	loaded := rules.Load(files...)
	ours := map[string]bool{}
	for _, p := range loaded.Problems {
		known, seen := ours[p.File]
		if !seen {
			known = hasGuidelineFields(p.File)
			ours[p.File] = known
		}
		if known {
			problems = append(problems, p)
		}
	}
	loaded.Problems = problems
	return loaded
}

// maxClientRules limits the number of rules, and maxRuleBytes limits their total size. The client could not use more or
// larger rules.
const (
	maxClientRules = 1000
	maxRuleBytes   = 4 << 20
)

func clientRuleFiles(dir string) ([]string, document.Problems) {
	real, err := filepath.EvalSymlinks(dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, document.Problems{unreadable(dir)}
	}
	var files []string
	var problems document.Problems
	left := int64(maxRuleBytes)
	// WalkDir returns no error, because the function that is passed to it records all errors as problems.
	_ = filepath.WalkDir(real, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			problems = append(problems, unreadable(name))
		case len(files) == maxClientRules:
			return fs.SkipAll
		case !entry.IsDir() && strings.EqualFold(filepath.Ext(name), ".md"):
			if info, err := entry.Info(); err == nil {
				left -= info.Size()
			}
			if left < 0 {
				return fs.SkipAll
			}
			files = append(files, name)
		}
		return nil
	})
	return files, problems
}

// hasGuidelineFields reports whether a rule uses fields that only guidelines have. It returns true for a file that
// cannot be read.
func hasGuidelineFields(name string) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > document.MaxSize {
		return true
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return true
	}
	words := []string{
		"guardrails", "tools_allowed", "tools_denied", "tools_asked", "gate_type", "max_files", "require_tests",
		"require_review",
	}
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(string(text), word) })
}

// Enforcing is a function that returns the guidelines that do more than instruct the model.
func Enforcing(sources []rules.Source) []rules.Source {
	return slices.DeleteFunc(slices.Clone(sources), func(s rules.Source) bool { return !enforces(&s.Action) })
}

func enforces(a *guideline.Action) bool {
	return len(a.ToolsAllowed)+len(a.ToolsDenied) > 0 || a.GateType != "" || a.MaxFiles != nil || a.RequireTests != nil ||
		a.RequireReview != nil
}

// IsClientRule reports whether a guideline was read from a rule that the client itself passes to the model.
func IsClientRule(s *rules.Source) bool {
	return strings.EqualFold(filepath.Ext(s.Origin.File), ".md")
}

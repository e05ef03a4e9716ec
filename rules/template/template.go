// Package template provides templates of guideline files. Each template is a guideline in the short form, with
// cases that test it.
//
// Start with List and Template.Fill.
package template

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed files/*.yaml
var files embed.FS

// Template is a guideline file with placeholders. Fill replaces each placeholder with a value.
type Template struct {
	Name  string `json:"name"`
	About string `json:"about"`
	// Values lists the values that the template needs.
	Values []Value `json:"values,omitempty"`
}

// Value is a value that replaces a placeholder in a template.
type Value struct {
	Name    string `json:"name"`
	Default string `json:"default"`
}

// The names of the values.
const (
	Path      = "path"
	Agent     = "agent"
	Tool      = "tool"
	InsteadOf = "instead-of"
	Day       = "day"
	MaxFiles  = "max-files"
)

// List returns every template.
func List() []Template {
	return []Template{
		{"protect-folder", "deny every change in a folder", []Value{{Path, "generated"}}},
		{"ask-before-write", "ask before every change in a folder", []Value{{Path, "migrations"}}},
		{"no-push-to-main", "deny pushes to the default branch", nil},
		{"no-deploy-on-friday", "deny deployments and releases on a day of the week", []Value{{Day, "friday"}}},
		{"no-skipped-checks", "deny commits and pushes that skip git's checks", nil},
		{"tests-before-commit", "ask before a commit if the tests have not passed", nil},
		{"use-tool-instead", "deny a program and name the one to use", []Value{{Tool, "pnpm"}, {InsteadOf, "npm"}}},
		{"role-boundary", "let an agent write only in a folder", []Value{{Agent, "frontend"}, {Path, "web"}}},
		{"small-commits", "ask before a commit of many files", []Value{{MaxFiles, "10"}}},
	}
}

// Find returns the template with the given name.
func Find(name string) (Template, bool) {
	for _, t := range List() {
		if t.Name == name {
			return t, true
		}
	}
	return Template{}, false
}

// Has reports whether the template uses the value with this name.
func (t Template) Has(value string) bool {
	return slices.ContainsFunc(t.Values, func(v Value) bool { return v.Name == value })
}

// Filled is a template in which values have replaced the placeholders.
type Filled struct {
	// ID is the id of the guideline.
	ID string
	// Guideline is the text of the guideline file. Cases is the text of the file with its cases.
	Guideline, Cases []byte
}

// Fill returns the files of a template with the given values. For each value that is not given, it uses the default.
func (t Template) Fill(given map[string]string) (*Filled, error) {
	replacements := make([]string, 0, 2*len(t.Values)+4)
	replace := func(name, value string) { replacements = append(replacements, "{{"+name+"}}", value) }
	for _, v := range t.Values {
		value, ok := given[v.Name]
		if !ok {
			value = v.Default
		}
		value, err := check(v.Name, value)
		if err != nil {
			return nil, err
		}
		replace(v.Name, value)
		switch v.Name {
		case Path:
			replace("slug", slug(value))
		case Day:
			replace("Day", strings.ToUpper(value[:1])+value[1:])
		case MaxFiles:
			most, _ := strconv.Atoi(value)
			replace("more-files", strconv.Itoa(most+1))
		}
	}
	text := func(suffix string) string {
		// Reading cannot fail: a test checks that every template has both files.
		content, _ := files.ReadFile("files/" + t.Name + suffix)
		return strings.NewReplacer(replacements...).Replace(string(content))
	}
	out := &Filled{Guideline: []byte(text(".yaml")), Cases: []byte(text(".cases.yaml"))}
	first, _, _ := strings.Cut(string(out.Guideline), "\n")
	out.ID = strings.TrimPrefix(first, "id: ")
	return out, nil
}

// check() returns a value in the form that the files need. It rejects values that would need quotes in YAML, in
// patterns or in the commands of the cases.
func check(name, value string) (string, error) {
	switch name {
	case Path:
		value = strings.Trim(strings.TrimPrefix(value, "./"), "/")
		if !matches(`(\.?[A-Za-z0-9_][A-Za-z0-9_.-]*/){0,7}\.?[A-Za-z0-9_][A-Za-z0-9_.-]*`, value) {
			return "", fmt.Errorf("%q is not a folder in the project; write a path such as src/generated, "+
				"with letters, digits, dots, underscores and hyphens", value)
		}
	case Day:
		days := []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
		if value = strings.ToLower(value); !slices.Contains(days, value) {
			return "", fmt.Errorf("%q is not a day of the week; use one of %s", value, strings.Join(days, ", "))
		}
	case MaxFiles:
		if !matches(`[1-9][0-9]{0,2}`, value) {
			return "", fmt.Errorf("%q is not a number from 1 to 999", value)
		}
	default:
		if !matches(`[a-z][a-z0-9_.-]{0,63}`, value) {
			return "", fmt.Errorf("%q is not a name; use small letters, digits, dots, underscores and hyphens", value)
		}
	}
	return value, nil
}

func matches(pattern, value string) bool {
	found, err := regexp.MatchString("^("+pattern+")$", value)
	return found && err == nil
}

// slug() converts a path to a text that an id can contain.
func slug(path string) string {
	return strings.TrimPrefix(strings.ToLower(strings.NewReplacer("/.", "-", "/", "-").Replace(path)), ".")
}

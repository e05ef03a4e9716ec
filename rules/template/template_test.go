package template_test

import (
	"strings"
	"testing"

	"guardrails/detect/toolcall"
	"guardrails/evaluator"
	"guardrails/rules"
	"guardrails/rules/cases"
	"guardrails/rules/lint"
	"guardrails/rules/template"
)

// filled() returns every template twice: with its default values and with other values.
func filled(t *testing.T) map[string]*template.Filled {
	t.Helper()
	out := map[string]*template.Filled{}
	add := func(label string, tp template.Template, given map[string]string) {
		f, err := tp.Fill(given)
		if err != nil {
			t.Fatalf("%s: %v", label, err)
		}
		out[label] = f
	}
	others := map[string]string{
		template.Path: "./src/Gen_2/api.v1/", template.Agent: "test-writer", template.Tool: "uv", template.InsteadOf: "pip3",
		template.Day: "Monday", template.MaxFiles: "1",
	}
	for _, tp := range template.List() {
		add(tp.Name, tp, nil)
		if len(tp.Values) > 0 {
			add(tp.Name+" with other values", tp, others)
		}
	}
	return out
}

func parse(t *testing.T, f *template.Filled) (rules.File, []rules.Case) {
	t.Helper()
	file, problems := rules.Parse(f.ID+".yaml", f.Guideline)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	if len(file.Guidelines) != 1 || file.Guidelines[0].ID != f.ID {
		t.Fatalf("got %+v, want one guideline with the id %s", file.Guidelines, f.ID)
	}
	tests, problems := rules.Parse(f.ID+".cases.yaml", f.Cases)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return file, tests.Cases
}

func TestEveryTemplatePassesItsCases(t *testing.T) {
	core, err := rules.Pack("core")
	if err != nil {
		t.Fatal(err)
	}
	for label, f := range filled(t) {
		file, list := parse(t, f)
		if len(list) < 3 {
			t.Errorf("%s has %d cases, fewer than 3", label, len(list))
		}
		alone := &rules.Loaded{Guidelines: file.Guidelines}
		for beside, loaded := range map[string]*rules.Loaded{"alone": alone, "beside the core pack": rules.Join(core, alone)} {
			set, err := evaluator.Compile(loaded.Plain())
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range cases.Run(set, &toolcall.Env{}, list) {
				for _, failure := range r.Failures {
					t.Errorf("%s, %s: %s: %s", label, beside, r.Case.Name, failure)
				}
			}
		}
	}
}

func TestLintFindsNothingInTemplates(t *testing.T) {
	for label, f := range filled(t) {
		file, _ := parse(t, f)
		for _, finding := range lint.Check(&rules.Loaded{Guidelines: file.Guidelines}, lint.Options{}) {
			t.Errorf("%s: %s", label, finding.String())
		}
		if strings.Contains(string(f.Guideline)+string(f.Cases), "{{") {
			t.Errorf("%s has a value that is not filled in", label)
		}
	}
}

func TestValuesThatWouldNeedQuotesAreRefused(t *testing.T) {
	for value, bad := range map[string][]string{
		template.Path:      {"", "/", "..", "../x", "a/../b", "*.go", "a b", "a: b", "#a", "~/x", "a/b/c/d/e/f/g/h/i", "a\nb"},
		template.Agent:     {"", "Ag", "a b", "a:b", "*"},
		template.Tool:      {"", "npm run", "-x"},
		template.InsteadOf: {"", "a)", `a"`},
		template.Day:       {"", "fri", "today"},
		template.MaxFiles:  {"", "0", "-1", "1.5", "1000", "ten"},
	} {
		for _, tp := range template.List() {
			for _, text := range bad {
				if _, err := tp.Fill(map[string]string{value: text}); (err != nil) != tp.Has(value) {
					t.Errorf("%s with %s %q: %v", tp.Name, value, text, err)
				}
			}
		}
	}
}

func TestTemplatesAreFoundByName(t *testing.T) {
	for _, tp := range template.List() {
		if found, ok := template.Find(tp.Name); !ok || found.About != tp.About {
			t.Errorf("%s is not found", tp.Name)
		}
	}
	if _, ok := template.Find("nothing"); ok {
		t.Error("a template that does not exist is found")
	}
}

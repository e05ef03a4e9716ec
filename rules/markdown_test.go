package rules_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/internal/golden"
	"guardrails/rules"
)

func TestMarkdownRules(t *testing.T) {
	eachFile(t, "markdown", func(t *testing.T, name string, text []byte) {
		file, problems := rules.Parse(name, text)
		golden.Check(t, *update, "testdata/markdown/"+name+".golden", described(t, file, problems))
	})
}

func TestMarkdownThatCannotBeReadIsOneProblem(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "r.md: is empty; write a rule or remove the file"},
		{"blank lines", " \n\t\n", "r.md: is empty; write a rule or remove the file"},
		{"not UTF-8", "# a\xff", "r.md: is not valid UTF-8; save the file as UTF-8"},
		{"more than fits", strings.Repeat("a", 8<<20+1), "r.md: is larger than 8 MiB; split it into several files"},
		{"a control character", "# a\n\nb\n\x07", "r.md:3: action.instruction: contains a control character at byte 2; remove it"},
		{"a deep front matter", "---\na: " + strings.Repeat("[", 1<<20) + "\n---\n", "r.md:2: nests deeper than 64 levels; flatten it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, problems := rules.Parse("r.md", []byte(c.text))
			if got := problems.Error(); got != c.want || len(file.Guidelines) > 0 {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestLineEndingsMakeNoDifference(t *testing.T) {
	const text = "---\nagents: [a]\nfoo: 1\n---\n# Name\n\nOne.\n\nTwo.\n"
	unix, unixProblems := rules.Parse("r.md", []byte(text))
	dos, dosProblems := rules.Parse("r.md", []byte(strings.ReplaceAll(text, "\n", "\r\n")))
	if a, b := described(t, unix, unixProblems), described(t, dos, dosProblems); a != b {
		t.Errorf("LF gives\n%s\nCRLF gives\n%s", a, b)
	}
}

// manyGuidelines are all kinds of them, as JSON.
func manyGuidelines() []string {
	return []string{
		`{"id":"a","name":"A","category":"custom","action":{"type":"instruction"}}`,
		`{"id":"a","name":"A","description":"Own words.","category":"custom","action":{"type":"instruction","instruction":"Do.\n\nMore."}}`,
		`{"id":"a.b_c","name":"Yes: \"it\" # is","enabled":false,"priority":0,"category":"security","condition":{"agents":["true","12","a b"],"events":["x"],"custom":{"k":[1,true,null,"\u0085"]}},"action":{"type":"tool_restriction","tools_denied":["*"],"tools_allowed":["Write(src/*)"]}}`,
		`{"id":"a","name":"A","category":"context_constraint","condition":{"paths":["src/**/*.ts","src/*.ts","lib/*"]},"action":{"type":"constraint","max_files":3,"require_review":false}}`,
		`{"id":"a","name":"A","category":"custom","condition":{"paths":["src/**/*.ts"]},"action":{"type":"hitl_gate","gate_type":"g","gate_threshold":"advisory"}}`,
		`{"id":"a","name":"A","category":"custom","action":{"type":"telemetry","parameters":{"log":"none","nested":{"a":[{"b":1.50}]}}}}`,
		`{"id":"a","name":" spaced ","category":"custom","action":{"type":"instruction","instruction":"Text."}}`,
		`{"id":"a","name":"closed #","category":"custom","action":{"type":"instruction","instruction":"Text."}}`,
		`{"id":"a","name":"A","category":"custom","action":{"type":"instruction","instruction":"\n  indented\n"}}`,
		`{"id":"a","name":"A","category":"custom","action":{"type":"instruction","instruction":"one\r\ntwo"}}`,
		`{"id":"a","name":"A","category":"custom","action":{"type":"instruction","instruction":"` + "```sh\\nopen" + `"}}`,
		`{"id":"a","name":"A","category":"custom","action":{"type":"instruction","instruction":"` + "## B\\n```guardrails\\n```" + `"}}`,
		`{"id":"a","name":"A","category":"custom","action":{"type":"instruction","instruction":"---\nnot front matter\n---"}}`,
		`{"id":"a","name":"A","category":"custom","action":{"type":"hitl_gate","gate_type":"g","tools_denied":["Bash"]},"metadata":{"aliases":["b"],"\u2028":"\ufeff"},"version":7,"created_at":"2026-01-31T12:00:00.5Z","updated_at":"2026-02-01T00:00:00Z","created_by":"me","tenant_id":"t"}`,
	}
}

func TestAGuidelineWrittenAsMarkdownIsReadBack(t *testing.T) {
	for _, text := range manyGuidelines() {
		g, err := guideline.Parse("g.json", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		readBack(t, g)
	}
}

// readBack writes a guideline as Markdown and expects the same guideline when that is read.
func readBack(t *testing.T, g guideline.Guideline) {
	t.Helper()
	text, err := rules.Markdown(g)
	if err != nil {
		t.Fatal(err)
	}
	file, problems := rules.Parse("other.md", text)
	if len(problems) > 0 || len(file.Guidelines) != 1 {
		t.Fatalf("%d guidelines, %v in\n%s", len(file.Guidelines), problems, text)
	}
	want, _ := guideline.Encode(&g)
	got, _ := guideline.Encode(&file.Guidelines[0].Guideline)
	if !bytes.Equal(got, want) {
		t.Fatalf("got  %s\nwant %s\nfrom\n%s", got, want, text)
	}
}

func TestMarkdownIsWrittenForPeople(t *testing.T) {
	g, err := guideline.Parse("g.json", []byte(`{"id":"workers","name":"Workers: keep out","category":"context_constraint","priority":900,
		"condition":{"agents":["frontend"],"paths":["src/**/*.py","src/*.py"]},
		"action":{"type":"tool_restriction","instruction":"Leave the workers alone.\n\nAsk the backend agent.","tools_denied":["Write(src/workers/*)"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	text, err := rules.Markdown(g)
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, *update, "testdata/written.golden", string(text))
}

func TestAGuidelineThatJSONCannotHoldIsNotWritten(t *testing.T) {
	g := guideline.Guideline{ID: "a", Metadata: map[string]any{"f": func() {}}}
	if text, err := rules.Markdown(g); err == nil || !strings.Contains(err.Error(), `"a"`) {
		t.Errorf("got %q, %v", text, err)
	}
	var deep any = "bottom"
	for range 70 {
		deep = []any{deep}
	}
	g.Metadata = map[string]any{"deep": deep}
	if _, err := rules.Markdown(g); err == nil || !strings.Contains(err.Error(), "nests deeper") {
		t.Errorf("got %v", err)
	}
}

func TestHostileMarkdownIsReadInTime(t *testing.T) {
	const size = 2 << 20
	front := "---\nx: 1\n---\n"
	for name, text := range map[string]string{
		"headings before one block": strings.Repeat("## a\n", size/5) + "```guardrails\n```\n",
		"blocks":                    front + strings.Repeat("## a\n```guardrails\n```\n", size/24),
		"fences":                    strings.Repeat("```\n", size/4) + "## a\n",
		"blank lines":               "## a\n" + strings.Repeat("\n", size),
		"globs":                     "---\npaths: '" + strings.Repeat("**/a,", size/5) + "'\n---\n",
		"stars":                     "---\npaths: '" + strings.Repeat("**/", size/3) + "'\n---\n",
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			rules.Parse("r.md", []byte(text))
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, seed := range []string{
		"# A\n\ntext\n", "---\npaths: a/**/b, *.{ts,tsx}\nagents: [x]\n---\n# A\ntext", "## A\n```guardrails\nagents: [a]\n```\ntext\n## B\n~~~guardrails\n~~~\n",
		"---\naction: {type: telemetry, parameters: {a: [1, {b: c}]}}\n---\n", "\ufeff---\r\nid: a\r\n---\r\n# A\r\n", "---\n", "```\nopen", "# #\n##\n #### x #\n    # code",
		"---\nmetadata: {k: \"\\u2028\\x7f\", 'on': off}\nname: \" x \"\n---\n  text\r more",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, problems := rules.Parse("rule.md", text)
		if len(file.Guidelines) == 0 && len(problems) == 0 {
			t.Fatal("neither a guideline nor a problem")
		}
		for _, s := range file.Guidelines {
			if s.Origin.Line < 1 || s.Origin.Line > bytes.Count(text, []byte{'\n'})+1 {
				t.Fatalf("origin %v", s.Origin)
			}
			readBack(t, s.Guideline)
			yamlReadBack(t, s.Guideline)
		}
	})
}

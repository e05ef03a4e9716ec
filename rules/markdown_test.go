package rules_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"guardrails/internal/fortests/golden"
	"guardrails/rules"
)

func TestMarkdownRules(t *testing.T) {
	eachFile(t, "markdown", func(t *testing.T, name string, text []byte) {
		file, problems := rules.Parse(name, text)
		golden.Check(t, *update, "testdata/markdown/"+name+".golden", described(t, file, problems))
	})
}

func TestInvalidMarkdownIsOneProblem(t *testing.T) {
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

func TestHostileMarkdownIsReadQuickly(t *testing.T) {
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
			if took := time.Since(start); took > 20*time.Second {
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
			t.Fatal("got neither a guideline nor a problem")
		}
		for _, s := range file.Guidelines {
			if s.Origin.Line < 1 || s.Origin.Line > bytes.Count(text, []byte{'\n'})+1 {
				t.Fatalf("origin %v", s.Origin)
			}
			yamlReadBack(t, s.Guideline)
		}
	})
}

package safety

import (
	"strings"
	"testing"
)

func TestCodeLogsAndQuotationsAreNotProse(t *testing.T) {
	for name, c := range map[string]struct{ text, prose string }{
		"prose":            {"I want to go.\nNow.", "I want to go.\nNow."},
		"a fence":          {"a\n```go\nkill()\n```\nb", "a\n|b"},
		"an open fence":    {"a\n~~~\nkill\n", "a\n"},
		"inline code":      {"run `kill -9` now", "run | now"},
		"double backticks": {"run ``a ` b`` now", "run | now"},
		"an open backtick": {"it`s fine", "it`s fine"},
		"a quoted line":    {"> I want to die\nwhat is this?", "what is this?"},
		"a diff":           {"see\n@@ -1,2 +1,2 @@\n-kill me\n+die\n\nthanks", "see\n|\nthanks"},
		"a list":           {"- one\n- two", "- one\n- two"},
		"a stack trace":    {"it fails:\nTraceback (most recent call last):\n  File \"a.py\", line 1\nValueError: die\nwhy?", "it fails:\n|why?"},
		"a log line":       {"2026-03-02T13:00:00Z ERROR killed\n[INFO] 12:30:05 die\nwhy?", "why?"},
		"a shell prompt":   {"$ kill -9 1\nme@host:~$ ls\nwhy?", "why?"},
		"JSON":             {"{\"kill\": \"me\"}\nwhy?", "why?"},
		"markup":           {"<p>kill me</p>\nwhy?", "why?"},
		"an arrow":         {"<- this one", "<- this one"},
		"a price":          {"$5 is fine", "$5 is fine"},
	} {
		if got := proseOf(c.text); got != c.prose {
			t.Errorf("%s: the prose of %q is %q, want %q", name, c.text, got, c.prose)
		}
	}
}

// proseOf returns the parts of a text that are prose, with a bar between them.
func proseOf(text string) string {
	var out []string
	for _, p := range readProse(text) {
		if p.isProse {
			out = append(out, text[p.start:p.end])
		}
	}
	return strings.Join(out, "|")
}

// FuzzProse fails unless the parts of a text follow one another without a gap.
func FuzzProse(f *testing.F) {
	f.Add("a `b` c\n```\nd\n```\n> e\n@@ -1 +1 @@\n-x\n12:30:05 log")
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, p := range readProse(text) {
			if p.start != at || p.end <= p.start {
				t.Fatalf("%q: %+v after %d", text, p, at)
			}
			at = p.end
		}
		if at != len(text) {
			t.Fatalf("%q: the parts end at %d", text, at)
		}
	})
}

func TestMistakesInRulesAreReported(t *testing.T) {
	for text, want := range map[string]string{
		"strong act kill":           "no colon",
		"list A: b\nlist A: c":      "occurs twice",
		"strong act: ABSENT":        "no list ABSENT",
		"strong act: kill ..9 me":   "a gap",
		"strong act: @ABSENT":       "no slots ABSENT",
		"strong act: ~ (kill)":      "no list FILL",
		"strong act: (kill)":        "no slot",
		"strong act: kill / at me":  "not a condition",
		"benign idiom page: kill":   "not match, sentence or message",
		"list A: b c d e f g h i j": "more than",
		"list A: Kill!":             "not a word",
		"list A: [s]":               "has no word",
		"odd act: kill":             "not the head",
	} {
		if err := newRuleReader().read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// FuzzRules fails if the reader of rules panics.
func FuzzRules(f *testing.F) {
	f.Add("category x\nfill: very\nlist A: b[s], c d\nslots S: (A) ~ e\nalias can't: can not\nstrong p: @S ..3 A|f !g / not A\nbenign i match: A")
	f.Fuzz(func(t *testing.T, text string) {
		r := newRuleReader()
		if len(text) > 2000 || r.read(text) != nil {
			return
		}
		if table, err := r.encode(); err == nil {
			rules := readTable(table)
			rules.find(tokenize(text, []part{{0, len(text), true}}, &rules.words, false), func(*pattern) bool { return true })
		}
	})
}

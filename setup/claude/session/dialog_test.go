package session

import (
	"maps"
	"os"
	"strings"
	"testing"
)

func screen(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestDialogIsReadFromTheScreen(t *testing.T) {
	for name, want := range map[string]map[string]string{
		"dialog-2.1.197": {"Yes": "1", "No": "2"},
		"dialog-2.1.330": {"Yes": "1", "Yes, and never ask again": "2", "No": "3"},
		"prompt":         {},
	} {
		d := dialogOf(screen(t, name))
		if !maps.Equal(d.options, want) {
			t.Errorf("%s: the options are %v, want %v", name, d.options, want)
		}
		if len(want) > 0 && (!strings.Contains(d.question, "kubectl apply -f x.yaml") || strings.Contains(d.question, "No")) {
			t.Errorf("%s: the question is\n%s", name, d.question)
		}
	}
}

func TestDialogsDifferByTheirQuestions(t *testing.T) {
	one := screen(t, "dialog-2.1.197")
	if dialogOf(one).question == dialogOf(strings.ReplaceAll(one, "x.yaml", "y.yaml")).question {
		t.Error("two questions are considered equal")
	}
	moved := strings.Replace(strings.Replace(one, "❯ 1. Yes", "  1. Yes", 1), "  2. No", "❯ 2. No", 1)
	if dialogOf(one).question != dialogOf(moved).question {
		t.Error("the position of the cursor changes the question")
	}
}

func TestTextIsFoundAcrossLineBreaks(t *testing.T) {
	if got := occurrences("❯ implement the\n  worker pool\n● implement the worker\n pool", "implement the worker pool"); got != 2 {
		t.Errorf("found %d times", got)
	}
}

func FuzzDialog(f *testing.F) {
	for _, name := range []string{"dialog-2.1.197.txt", "dialog-2.1.330.txt", "prompt.txt"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("")
	f.Add("\n────────1. \n2. ")
	f.Fuzz(func(t *testing.T, text string) {
		if d := dialogOf(text); len(d.options) == 1 || !strings.Contains(text, d.question) {
			t.Errorf("%q has the dialog %+v", text, d)
		}
	})
}

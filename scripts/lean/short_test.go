package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Only the paths in imports change. The same words in other strings must stay.
func TestImportsGetShortNames(t *testing.T) {
	text := "package a\n\nimport (\n\t\"strings\"\n\tt \"guardrails/detect/trace\"\n\t\"guardrails/host\"\n)\n\n" +
		"const x = \"guardrails/detect/trace\"\n"
	want := "package a ; import ( \"strings\" ; t \"g/b\" ; host \"g/c\" ; ) ; const x = \"guardrails/detect/trace\" ; "
	got := rewrite([]byte(text), map[string]string{
		`"guardrails/detect/trace"`: `trace "g/b"`, `"guardrails/host"`: `host "g/c"`,
	}, "")
	if string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func project(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for _, dir := range []string{"decide", "detect", "evaluator", "guideline", "hooks", "host", "internal", "cmd"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	files["go.mod"], files["go.sum"] = "module guardrails\n\ngo 1.26.0\n", ""
	for name, text := range files {
		if err := put(filepath.Join(root, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestTheCopyOfARemovedFileIsRemoved(t *testing.T) {
	root := project(t, map[string]string{"detect/a.go": "package detect\n", "detect/b.go": "package detect\n"})
	to := t.TempDir()
	if err := shorten(root, "", to); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(root, "detect", "b.go")); err != nil {
		t.Fatal(err)
	}
	if err := shorten(root, "", to); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"a.go": true, "b.go": false} {
		copies, err := filepath.Glob(filepath.Join(to, "*", name))
		if exists := len(copies) == 1; exists != want || err != nil {
			t.Errorf("%s: exists %v (%v)", name, exists, err)
		}
	}
}

func TestPackagesWithTheSameLastNameGetFoldersOfTheirOwn(t *testing.T) {
	root := project(t, map[string]string{"detect/text/a.go": "package text\n", "host/text/a.go": "package text\n"})
	to := t.TempDir()
	if err := shorten(root, "", to); err != nil {
		t.Fatal(err)
	}
	if copies, err := filepath.Glob(filepath.Join(to, "*", "a.go")); err != nil || len(copies) != 2 {
		t.Errorf("%v: %v", copies, err)
	}
}

func TestTablesOfProgramsLoseTheSpacesOfTheirColumns(t *testing.T) {
	table := "package detect\n\nconst orders = `\nhelm\n\tpush      publishes\n`\n"
	files := map[string]string{"detect/helm_orders.go": table, "detect/table.go": "package detect\n\n" + unpacked + "\n"}
	root, to := project(t, files), t.TempDir()
	if err := shorten(root, "", to); err != nil {
		t.Fatal(err)
	}
	copies, err := filepath.Glob(filepath.Join(to, "*", "helm_orders.go"))
	if err != nil || len(copies) != 1 {
		t.Fatalf("%d copies: %v", len(copies), err)
	}
	text, err := os.ReadFile(copies[0])
	if err != nil || !strings.Contains(string(text), `\n\tpush publishes\n`) {
		t.Errorf("got %q (%v)", text, err)
	}
}

package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/rules"
)

// tree() creates a folder with the given files and returns its path.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}

func one(id string) string {
	return "id: " + id + "\nname: " + id + "\ncategory: custom\naction: {type: instruction, instruction: Do.}\n"
}

// outcome returns the loaded ids with their origins, and the problems. It shortens the paths in both results.
func outcome(dir string, l *rules.Loaded) (ids, problems string) {
	var b strings.Builder
	for _, s := range l.Guidelines {
		b.WriteString(s.ID + "@" + s.Origin.String() + "\n")
	}
	cut := func(s string) string { return strings.ReplaceAll(s, dir+string(filepath.Separator), "") }
	return strings.TrimSpace(cut(b.String())), strings.ReplaceAll(cut(l.Problems.Error()), dir, "DIR")
}

func expectOutcome(t *testing.T, dir string, l *rules.Loaded, wantIDs, wantProblems string) {
	t.Helper()
	ids, problems := outcome(dir, l)
	if ids != wantIDs {
		t.Errorf("loaded\n%s\nwant\n%s", ids, wantIDs)
	}
	if problems != wantProblems {
		t.Errorf("problems\n%s\nwant\n%s", problems, wantProblems)
	}
}

func TestFolderIsReadInOrderWithoutHiddenFiles(t *testing.T) {
	dir := tree(t, map[string]string{
		"z.yml": one("z"), "a.YAML": one("a"), "b.json": `{"cases":[{"name":"c","context":{"agent":"x"},"expect":{"matches":[]}}]}`,
		"sub/m.md": "# M\n\nText.\n", ".hidden/h.yaml": one("h"), ".swap.yaml": "[", "notes.txt": "[", "sub/.git/config.yaml": "[",
	})
	l := rules.Load(dir)
	expectOutcome(t, dir, l, "a@a.YAML:1\nm@sub/m.md:1\nz@z.yml:1", "")
	if len(l.Cases) != 1 || l.Cases[0].Origin.Line != 1 {
		t.Errorf("cases %+v", l.Cases)
	}
	if plain := l.Plain(); len(plain) != 3 || plain[1].ID != "m" {
		t.Errorf("plain %+v", plain)
	}
}

func TestHiddenFolderIsReadWhenNamed(t *testing.T) {
	dir := tree(t, map[string]string{".claude/rules/r.md": "# R\n"})
	expectOutcome(t, dir, rules.Load(filepath.Join(dir, ".claude", "rules")), "r@.claude/rules/r.md:1", "")
}

func TestBrokenFileIsReportedAndTheOthersLoad(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": one("a"), "b.yaml": "a: [\n", "c.md": "---\nid: [\n", "d.json": "[\n{", "e.yaml": one("e") + "prio: 1\n", "f.yaml": one("f")})
	l := rules.Load(dir)
	if ids, _ := outcome(dir, l); ids != "a@a.yaml:1\nf@f.yaml:1" {
		t.Errorf("loaded %s", ids)
	}
	var places []string
	for _, p := range l.Problems {
		places = append(places, fmt.Sprintf("%s:%d %s", filepath.Base(p.File), p.Line, p.Path))
	}
	if got := strings.Join(places, ","); got != "b.yaml:2 ,c.md:1 ,d.json:2 ,e.yaml:5 prio" {
		t.Errorf("problems at %s:\n%v", got, l.Problems)
	}
}

func TestDuplicateIDNamesBothPositions(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": "# first\n" + one("same"), "b.yaml": one("other") + "---\n" + one("same")})
	expectOutcome(t, dir, rules.Load(dir), "same@a.yaml:2\nother@b.yaml:1",
		`b.yaml:6: id: "same" is already defined at a.yaml:2; rename or remove one of the two`)
}

func TestFileGivenTwiceIsReadOnce(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": one("a")})
	link(t, "a.yaml", filepath.Join(dir, "b.yaml"))
	expectOutcome(t, dir, rules.Load(dir, filepath.Join(dir, "a.yaml"), dir+"/./a.yaml"), "a@a.yaml:1", "")
}

func TestPathWithoutFilesIsAProblem(t *testing.T) {
	dir := tree(t, map[string]string{"empty/notes.txt": "x"})
	l := rules.Load(filepath.Join(dir, "empty"), filepath.Join(dir, "missing.yaml"), filepath.Join(dir, "empty", "notes.txt"))
	expectOutcome(t, dir, l, "", strings.Join([]string{
		"empty: no guideline files in this folder; add a file with the extension .yaml, .yml, .json or .md, or name another folder",
		"missing.yaml: cannot be read: no such file or directory; check the path",
		"empty/notes.txt: has an unknown extension; use the extension .yaml, .yml, .json or .md",
	}, "\n"))
	if l := rules.Load(); l.Problems.Error() != "no guideline files are given; name a file or a folder" {
		t.Errorf("got %v", l.Problems)
	}
}

func TestLinksAreFollowedOnlyWithinTheFolder(t *testing.T) {
	dir := tree(t, map[string]string{"in/real/a.yaml": one("a"), "out/b.yaml": one("b"), "out/deep/c.yaml": one("c")})
	in := filepath.Join(dir, "in")
	link(t, "real/a.yaml", filepath.Join(in, "inside.yaml"))
	link(t, "../out/b.yaml", filepath.Join(in, "outside.yaml"))
	link(t, "../out", filepath.Join(in, "shared"))
	link(t, "real", filepath.Join(in, "folder"))
	link(t, "real/a.yaml", filepath.Join(in, "plain"))
	link(t, "gone.txt", filepath.Join(in, "gone.txt.link"))
	l := rules.Load(in)
	ids, problems := outcome(dir, l)
	if ids != "a@in/inside.yaml:1" {
		t.Errorf("loaded %s", ids)
	}
	for _, want := range []string{
		"in/folder: is a link to a folder, and such links are not followed; give the path of that folder itself",
		"in/outside.yaml: cannot be read: ",
		"in/shared: cannot be read: ",
	} {
		if !strings.Contains(problems, want) {
			t.Errorf("no %q in\n%s", want, problems)
		}
	}
	if len(l.Problems) != 3 {
		t.Errorf("problems\n%s", problems)
	}
	// Load follows a link if the caller names the link itself.
	expectOutcome(t, dir, rules.Load(filepath.Join(in, "outside.yaml")), "b@in/outside.yaml:1", "")
}

func TestOversizedFileIsNotParsed(t *testing.T) {
	dir := tree(t, map[string]string{"big.yaml": strings.Repeat("# comment\n", 1<<20)})
	expectOutcome(t, dir, rules.Load(dir), "", "big.yaml: is larger than 8 MiB; split it into several files")
}

func TestFolderNamedLikeAFileIsAFolder(t *testing.T) {
	dir := tree(t, map[string]string{"set.yaml/a.yaml": one("a")})
	expectOutcome(t, dir, rules.Load(dir), "a@set.yaml/a.yaml:1", "")
}

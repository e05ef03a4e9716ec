package hooks_test

import (
	"os"
	"path/filepath"
	"testing"

	"guardrails/decide"
)

// onDisk creates files in the project, which the hooks can then list. A name that ends with a slash is a folder.
func (s *stage) onDisk(names ...string) {
	s.t.Helper()
	for _, name := range names {
		if err := os.MkdirAll(filepath.Join(s.project, filepath.Dir(name)), 0o755); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(s.project, name), nil, 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
	s.host.List = func(dir string, most int) ([]decide.Entry, bool) {
		found, err := os.ReadDir(dir)
		if err != nil {
			return nil, os.IsNotExist(err)
		}
		var out []decide.Entry
		for _, entry := range found[:min(len(found), most)] {
			out = append(out, decide.Entry{Name: entry.Name(), Folder: entry.IsDir(), Link: entry.Type()&os.ModeSymlink != 0})
		}
		return out, len(found) <= most
	}
}

func TestAGlobIsComparedWithTheFilesOnDisk(t *testing.T) {
	for _, c := range []struct {
		command, want string
		files         []string
	}{
		{"find . -name '*.py' -exec sed -i s/a/b/ {} +", "pass", []string{"src/a.py", "prod/a.json"}},
		{"find . -name '*.py' -exec sed -i s/a/b/ {} +", "deny", []string{"src/a.py", "prod/deep/b.py"}},
		{"find . -name '*.py' -exec sed -i s/a/b/ {} +", "pass", []string{"src/a.py"}},
		{"find src -name '*.json' -exec sed -i s/a/b/ {} +", "pass", []string{"prod/a.json"}},
		{"sed -i s/a/b/ */*.json", "pass", []string{"src/a.json", "prod/a.yaml"}},
		{"sed -i s/a/b/ */*.json", "deny", []string{"src/a.json", "prod/a.json"}},
		{"sed -i s/a/b/ prod/*.json", "deny", []string{"prod/a.yaml"}},
		{"tar xf x.tar; sed -i s/a/b/ */*.json", "ask", []string{"prod/a.yaml"}},
		{"rm -rf p*", "deny", []string{"prod/a.yaml"}},
		{"cp /tmp/a.json pro*/", "deny", []string{"prod/a.yaml"}},
		{"mv src/a.json p?od/", "deny", []string{"src/a.json", "prod/a.yaml"}},
		{"cp /tmp/a.json pub*/", "pass", []string{"prod/a.yaml", "public/a.json"}},
		{"rm [^x]rod/a.yaml", "deny", []string{"prod/a.yaml"}},
		{"rm [[:alpha:]]rod/a.yaml", "deny", []string{"prod/a.yaml"}},
		{"shopt -s extglob\nrm @(prod)/a.yaml", "deny", []string{"prod/a.yaml"}},
		{"shopt -s extglob\nrm prod/+(a).yaml", "deny", []string{"prod/a.yaml"}},
		{"shopt -s globstar\nrm prod/**/a.yaml", "deny", []string{"prod/a.yaml"}},
	} {
		s := newStage(t, denyProd)
		s.onDisk(c.files...)
		if o := s.pre(s.bash(c.command)); verdict(o) != c.want {
			t.Errorf("%s with %v: %s, %s", c.command, c.files, verdict(o), o.Reason)
		}
	}
}

// In a pattern such as a/**/b, the double star also matches zero folders.
func TestAFileInTheFolderWhereASearchStartsIsDenied(t *testing.T) {
	for _, c := range []struct {
		command, want string
		files         []string
	}{
		{"find . -name yarn.lock -delete", "deny", []string{"yarn.lock"}},
		{"find . -name 'yarn.*' -delete", "deny", []string{"yarn.lock"}},
		{"find . -name 'yarn.*' -delete", "pass", []string{"yarn.txt", "src/yarn.lock"}},
	} {
		s := newStage(t, `{"id":"lock","name":"Lock","category":"security","action":{"type":"tool_restriction","tools_denied":["Write(yarn.lock)"]}}`)
		s.onDisk(c.files...)
		if o := s.pre(s.bash(c.command)); verdict(o) != c.want {
			t.Errorf("%s with %v: %s, %s", c.command, c.files, verdict(o), o.Reason)
		}
	}
}

func TestAPersonIsAskedIfTheMatchesOfAGlobAreUnknown(t *testing.T) {
	const command = "find . -name '*.py' -exec sed -i s/a/b/ {} +"
	s := newStage(t, denyProd)
	s.onDisk("prod/a.json")
	if err := os.Symlink(s.project, filepath.Join(s.project, "prod", "link")); err != nil {
		t.Fatal(err)
	}
	s.want(s.pre(s.bash(command)), "ask", "the pattern Write(prod/*) may deny some of them")
	s.host.List = func(string, int) ([]decide.Entry, bool) { return nil, false }
	s.want(s.pre(s.bash(command)), "ask")
	s.host.List = nil
	s.want(s.pre(s.bash(command)), "deny")
}

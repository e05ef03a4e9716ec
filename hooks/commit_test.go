package hooks_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/detect/toolcall"
	"guardrails/host"
)

// withFiles creates files in the project, which the hooks can then list.
func (s *stage) withFiles(names ...string) {
	s.t.Helper()
	for _, name := range names {
		path := filepath.Join(s.project, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("test:\n\techo ok\n"), 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
	real := host.New(s.host.Env, "")
	s.host.List, s.host.Script = real.List, real.Script
}

// numbered() returns n names such as src/1.js.
func numbered(n int, form string) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf(form, i+1))
	}
	return out
}

// tree() returns the answer that git gives about a working tree with staged, changed and untracked files.
func tree(staged, changed, untracked []string) *toolcall.Pending {
	p := &toolcall.Pending{Head: "1"}
	for _, name := range staged {
		p.Files = append(p.Files, toolcall.PendingFile{Name: name, Staged: true})
	}
	for _, name := range changed {
		p.Files = append(p.Files, toolcall.PendingFile{Name: name, Changed: true})
	}
	for _, name := range untracked {
		p.Files = append(p.Files, toolcall.PendingFile{Name: name, Untracked: true})
	}
	return p
}

func TestACommitIsLimitedByTheFilesThatItContains(t *testing.T) {
	docs, src, fresh := numbered(12, "docs/%d.md"), numbered(11, "src/%d.js"), numbered(3, "new/%d.js")
	for _, c := range []struct {
		name            string
		staged, changed []string
		command, want   string
		reason          string
	}{
		{"what is staged", docs, nil, "git commit -m x", "ask", "commit contains 12 files (docs/1.md, docs/2.md, docs/3.md and 9 more); the limit is 10."},
		{"ten staged files", docs[:10], nil, "git commit -m x", "pass", ""},
		{"changed files are not staged", docs[:1], src, "git commit -m x", "pass", ""},
		{"all changed files", nil, src, "git commit -am x", "ask", "11 files"},
		{"staged and changed files", docs[:6], src[:5], "git commit -a -m x", "ask", "11 files"},
		{"pathspecs take only these files", docs, src, "git commit -m x src/1.js src/2.js", "pass", ""},
		{"a folder as a pathspec", nil, src, "git commit -m x src", "ask", "11 files"},
		{"pathspecs that are added to what is staged", docs[:10], src, "git commit -i -m x src/1.js", "ask", "11 files"},
		{"what the same call adds", docs[:8], nil, "git add new && git commit -m x", "ask", "11 files"},
		{"what the same call adds by a pattern", docs[:8], nil, "git add 'new/*.js' && git commit -m x", "ask", "11 files"},
		{"one file that the same call adds", docs[:9], nil, "git add new/1.js && git commit -m x", "pass", ""},
		{"everything", docs[:4], src[:4], "git add -A && git commit -m x", "ask", "11 files"},
		{"everything that git knows", docs[:4], src[:4], "git add -u && git commit -m x", "pass", ""},
		{"what the same call writes", docs[:10], nil, "echo x > a.txt && git add a.txt && git commit -m x", "ask", "11 files"},
		{"what the same call deletes", docs[:10], nil, "git rm -q old.txt && git commit -m x", "ask", "11 files"},
		{"what the same call moves counts once", docs[:9], nil, "git mv old.txt new.txt && git commit -m x", "pass", ""},
		{"two commits of six files", docs[:6], src[:6], "git commit -m a && git commit -am b", "pass", ""},
		{"groups that are added one after the other", nil, src, "git add src/1.js src/2.js && git commit -m a && git add src && git commit -m b", "pass", ""},
		{"an index that was emptied", docs, src, "git reset -q && git add src/1.js && git commit -m x", "pass", ""},
		{"a dry run", docs, nil, "git commit --dry-run -m x", "pass", ""},
		{"another repository", docs, nil, "git -C /srv/other commit -m x", "pass", ""},
		{"a script that the call runs", docs, nil, "bash -c 'git commit -m x'", "ask", "12 files"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, "pack:core")
			s.host.Pending = func(_, _ string, untracked bool) *toolcall.Pending {
				if untracked {
					return tree(c.staged, c.changed, fresh)
				}
				return tree(c.staged, c.changed, nil)
			}
			s.want(s.pre(s.bash(c.command)), c.want, c.reason)
		})
	}
}

func TestACommitThatGitDoesNotDescribeIsLimitedByTheSession(t *testing.T) {
	s := newStage(t, "pack:core")
	s.host.Pending = func(string, string, bool) *toolcall.Pending { return nil }
	for i, name := range numbered(11, "docs/%d.md") {
		s.want(s.pre(s.write(name)), "pass")
		s.post(s.write(name))
		want := "pass"
		if i == 10 {
			want = "ask"
		}
		s.want(s.pre(s.bash("git commit -am x")), want)
	}
}

func TestTheCommitThatCompletesAMergeIsNotLimited(t *testing.T) {
	s := newStage(t, "pack:core")
	s.host.Pending = func(string, string, bool) *toolcall.Pending {
		p := tree(numbered(40, "docs/%d.md"), nil, nil)
		p.Merging = true
		return p
	}
	s.want(s.pre(s.bash("git commit --no-edit")), "pass")
}

func TestFilesAreCountedHoweverTheyAreWritten(t *testing.T) {
	many := numbered(14, "src/%d.js")
	for _, c := range []struct {
		name, command, want string
	}{
		{"a glob of sed", "sed -i s/a/b/ src/*.js", "14 files (src/1.js, src/10.js, src/11.js and 11 more), which makes 14 since"},
		{"a search", "find src -name '*.js' | xargs sed -i s/a/b/", "14"},
		{"a loop of find", "find src -name '*.js' -exec sed -i s/a/b/ {} +", "14"},
		{"a copied folder", "cp -r src lib", "14 files (lib/1.js,"},
		{"a copied folder in another one", "cp -r src docs/", "14 files (docs/src/1.js,"},
		{"a moved folder", "git mv src lib", "14 files (lib/1.js,"},
		{"a folder moved into a new folder", "mkdir lib && mv src lib", "(lib/src/1.js,"},
		{"files moved by a glob", "mv src/*.js docs/", "14 files (docs/1.js,"},
		{"a deleted folder", "git rm -r src", "14 files (src/1.js,"},
		{"deleted files", "rm src/*.js", "14 files"},
		{"a loop", "for i in 1 2 3 4 5 6 7 8 9 10 11; do echo x > out/$i.js; done", "the 11th file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, strings.Replace(limits, "max_files: 2", "max_files: 10", 1))
			s.withFiles(append(many, "docs/a.md")...)
			s.want(s.pre(s.bash(c.command)), "ask", "few-files", c.want)
		})
	}
}

func TestTheFilesOfAPatchCount(t *testing.T) {
	for _, command := range []string{"git apply change.patch", "patch -p1 < change.patch", "git apply --index change.patch"} {
		s := newStage(t, strings.Replace(limits, "max_files: 2", "max_files: 10", 1))
		s.withFiles("change.patch")
		patch := ""
		for _, name := range numbered(11, "src/%d.js") {
			patch += "--- a/" + name + "\n+++ b/" + name + "\n@@ -1 +1 @@\n-a\n+b\n"
		}
		if err := os.WriteFile(filepath.Join(s.project, "change.patch"), []byte(patch), 0o600); err != nil {
			t.Fatal(err)
		}
		s.want(s.pre(s.bash(command)), "ask", "few-files", "src/11.js, the 11th file")
	}
}

func TestAFewFilesPassHoweverTheyAreWritten(t *testing.T) {
	for _, command := range []string{
		"sed -i s/a/b/ src/*.js", "cp -r src lib", "git mv src lib", "mv src/*.js docs/", "git rm -r src", "rm src/*.js",
		"cp src/1.js src/2.js docs/", "mv src/1.js src/one.js", "rm -rf node_modules", "npm run build", "prettier --write src",
		"sed -i s/a/b/ nothing/*.js",
	} {
		s := newStage(t, strings.Replace(limits, "max_files: 2", "max_files: 3", 1))
		s.withFiles(append(numbered(3, "src/%d.js"), "docs/a.md", "node_modules/a/1.js", "node_modules/a/2.js", "node_modules/a/3.js", "node_modules/a/4.js")...)
		s.want(s.pre(s.bash(command)), "pass")
	}
}

func TestOnlyARealCommitResetsTheCount(t *testing.T) {
	for _, c := range []struct {
		name    string
		staged  []string
		command string
		head    string // the newest commit when the call has ended
		failed  bool
		resets  bool
	}{
		{"a commit", []string{"a.go"}, "git commit -m x", "2", false, true},
		{"a commit that failed", []string{"a.go"}, "git commit -m x", "1", true, false},
		{"a commit whose failure is hidden", []string{"a.go"}, "git commit -m x || true", "1", false, false},
		{"a commit whose failure is lost in a pipe", []string{"a.go"}, "git commit -m x | tail -1", "1", false, false},
		{"an empty commit", nil, "git commit --allow-empty -m x", "2", false, false},
		{"a new message", nil, "git commit --amend -m y", "2", false, false},
		{"a commit in another repository", []string{"a.go"}, "git -C /srv/other commit -m x", "1", false, false},
		{"a commit in a repository that was made elsewhere", []string{"a.go"}, "cd /tmp/x && git init && git commit -m x", "1", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, limits)
			s.head = "1"
			for _, name := range []string{"a.md", "b.md"} {
				s.want(s.pre(s.write(name)), "pass")
				s.post(s.write(name))
			}
			s.pending = c.staged
			s.want(s.pre(s.bash(c.command)), "pass")
			s.pending, s.head = nil, c.head
			if c.failed {
				s.failed(s.bash(c.command))
			} else {
				s.post(s.bash(c.command))
			}
			want := map[bool]string{true: "pass", false: "ask"}[c.resets]
			s.want(s.pre(s.write("c.md")), want)
		})
	}
}

// response() adds the output of a tool to the fields of an event after the call.
func response(fields map[string]any, stdout string) map[string]any {
	fields["tool_response"] = map[string]any{"stdout": stdout, "stderr": ""}
	return fields
}

func TestOnlyATestThatSucceededCounts(t *testing.T) {
	for _, c := range []struct {
		name, command, output string
		failed, counts        bool
	}{
		{"a test that passed", "go test ./...", "ok  	example	0.1s", false, true},
		{"a test that failed", "go test ./...", "FAIL", true, false},
		{"a target check", "make check", "", false, true},
		{"a test in a chain", "npm ci && npm test", "", false, true},
		{"a list of tests", "pytest --collect-only", "", false, false},
		{"a version", "pytest --version", "pytest 8.1", false, false},
		{"help", "npm test --help", "", false, false},
		{"a failure that does not matter", "npm test || true", "", false, false},
		{"a failure that is only printed", "npm test || echo failed", "", false, false},
		{"a failure that ends the call", "npm test || exit 1", "", false, true},
		{"a negated test", "! npm test", "", false, false},
		{"a test in the background", "npm test &", "", false, false},
		{"a passing test in a pipe", "go test ./... 2>&1 | tail -5", "ok  	example	0.1s", false, true},
		{"a failing test in a pipe", "go test ./... 2>&1 | tail -5", "FAIL	example	0.1s", false, false},
		{"a failing jest in a pipe", "npx jest 2>&1 | tail -5", "Tests:       1 failed, 3 passed, 4 total", false, false},
		{"a passing jest in a pipe", "npx jest 2>&1 | tail -5", "Tests:       4 passed, 4 total", false, true},
		{"a passing pytest after another command", "pytest -q; echo done", "12 passed, 0 failed in 1s", false, true},
		{"a failing pytest before another command", "pytest -q; echo done", "1 failed, 11 passed in 1s", false, false},
		{"a script that is missing", "npm test; true", "npm error Missing script: \"test\"", false, false},
		{"a missing program", "jest | cat", "bash: jest: command not found", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, "pack:core")
			s.pending = []string{"a.go"}
			s.post(s.write("a.go"))
			done := response(s.bash(c.command), c.output)
			if c.failed {
				s.failed(done)
			} else {
				s.post(done)
			}
			want := map[bool]string{true: "pass", false: "ask"}[c.counts]
			s.want(s.pre(s.bash("git commit -m x")), want)
		})
	}
}

func TestATestInTheBackgroundHasNotSucceededYet(t *testing.T) {
	s := newStage(t, "pack:core")
	s.pending = []string{"a.go"}
	s.post(s.write("a.go"))
	run := s.bash("go test ./...")
	run["tool_input"] = map[string]any{"command": "go test ./...", "run_in_background": true}
	s.post(run)
	s.want(s.pre(s.bash("git commit -m x")), "ask", "o test command has succeeded")
}

func TestACommitMayDependOnATestOfTheSameCall(t *testing.T) {
	for command, want := range map[string]string{
		"go test ./... && git commit -m x":                               "pass",
		"go vet ./... && go test ./... && git add -A && git commit -m x": "pass",
		"(go test ./...) && git commit -m x":                             "pass",
		"go test ./...; git commit -m x":                                 "ask",
		"go test ./... | tail -3 && git commit -m x":                     "ask",
		"go test ./... || true && git commit -m x":                       "ask",
		"go test ./... || exit 1; git commit -m x":                       "ask",
		"go test ./... && sed -i s/a/b/ a.go && git commit -m x":         "ask",
		"git commit -m x && go test ./...":                               "ask",
		"go test --help && git commit -m x":                              "ask",
	} {
		s := newStage(t, "pack:core")
		s.pending = []string{"a.go"}
		s.post(s.write("a.go"))
		if o := s.pre(s.bash(command)); verdict(o) != want {
			t.Errorf("%s: got %s (%s), want %s", command, verdict(o), o.Reason, want)
		}
	}
}

func TestTestsAreExpectedOnlyOfSourceCodeInACommit(t *testing.T) {
	for _, c := range []struct {
		name           string
		files, changed []string
		staged         []string
		want, reason   string
	}{
		{"source code", []string{"Makefile"}, []string{"a.go"}, []string{"a.go"}, "ask", "o test command has succeeded since a.go was last changed; run make test first."},
		{"documents", []string{"Makefile"}, []string{"README.md"}, []string{"README.md"}, "pass", ""},
		{"styles, data and settings", []string{"Makefile"}, []string{"a.css", "b.yaml", "c.json", "package.json", "package-lock.json"}, []string{"a.css", "b.yaml", "c.json", "package.json", "package-lock.json"}, "pass", ""},
		{"source code that stays out of the commit", []string{"Makefile"}, []string{"a.go", "README.md"}, []string{"README.md"}, "pass", ""},
		{"source code that another person changed", []string{"Makefile"}, []string{"README.md"}, []string{"b.go"}, "pass", ""},
		{"no tests", []string{"go.mod"}, []string{"a.go"}, []string{"a.go"}, "pass", ""},
		{"the first test", []string{"go.mod"}, []string{"a.go", "a_test.go"}, []string{"a.go", "a_test.go"}, "ask", "run go test ./... first."},
		{"tests somewhere", []string{"go.mod", "in/side/a_test.go"}, []string{"a.go"}, []string{"a.go"}, "ask", "run go test ./... first."},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, "pack:core")
			s.withFiles(append(c.files, c.changed...)...)
			for _, name := range c.changed {
				s.post(s.write(name))
			}
			s.pending = c.staged
			s.want(s.pre(s.bash("git commit -m x")), c.want, c.reason)
		})
	}
}

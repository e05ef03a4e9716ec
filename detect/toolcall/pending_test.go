package toolcall

import (
	"slices"
	"strings"
	"testing"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program/git"
)

// pendingCase is a command, and the files that it commits when git has one pending file of each kind.
type pendingCase struct {
	Command string   `json:"command"`
	Takes   []string `json:"takes"`
	// Unasked is set if the analysis must not ask git, because the commit is in another project. None is set if the
	// command commits nothing.
	Unasked bool `json:"unasked"`
	None    bool `json:"none"`
}

// pendingFiles returns the pending files that git would report.
func pendingFiles(all, untracked bool) []string {
	files := []string{"staged.yaml"}
	if all {
		files = append(files, "changed.yaml")
	}
	if untracked {
		files = append(files, "new.yaml")
	}
	return files
}

func TestCommitsContainThePendingFiles(t *testing.T) {
	for _, c := range readJSON[[]pendingCase](t, "testdata/pending.json") {
		asked := 0
		env := tableEnv()
		env.Pending = func(all, untracked bool) []string { asked++; return pendingFiles(all, untracked) }
		got := AnalyzeCommand(env, c.Command)
		takes, commits := map[string]bool{}, 0
		for i := range got.Effects {
			if e := &got.Effects[i]; e.Has(effect.Commit) {
				commits++
				for _, name := range e.Related {
					takes[name] = true
				}
			}
		}
		if (commits == 0) != c.None || (asked == 0) != (c.None || c.Unasked) || !covers(takes, c.Takes) {
			t.Errorf("%s\n\t%d commits, git was asked %d times, they contain %v, want %q", c.Command, commits, asked, takes, c.Takes)
		}
	}
}

// covers reports whether a commit contains exactly the wanted files. It ignores unknown names such as $files.
func covers(takes map[string]bool, want []string) bool {
	for name := range takes {
		if !slices.Contains(want, name) && !strings.ContainsAny(name, "$:") && name != "*" && name != "./" {
			return false
		}
	}
	return !slices.ContainsFunc(want, func(name string) bool { return !takes[name] })
}

func TestPendingIsCalledAgainOnlyForMoreFiles(t *testing.T) {
	for command, want := range map[string]int{
		"git commit -am a; git commit -am b; git commit -m c":            1,
		"git commit -m a; git commit -am b; git add -A; git commit -m c": 3,
		strings.Repeat("git commit -m a; ", 100) + "git commit -am b":    2,
		strings.Repeat("git add -A; git commit -m x; ", 50):              1,
	} {
		asked := 0
		env := tableEnv()
		env.Pending = func(all, untracked bool) []string { asked++; return pendingFiles(all, untracked) }
		if AnalyzeCommand(env, command); asked != want {
			t.Errorf("%.60s: asked %d times, want %d", command, asked, want)
		}
	}
}

func TestTheNumberOfPendingFilesIsLimited(t *testing.T) {
	env := tableEnv()
	env.Pending = func(bool, bool) []string { return make([]string, 100_000) }
	if got := AnalyzeCommand(env, "git commit -m x"); len(got.Effects[0].Related) > git.MaxPending {
		t.Errorf("%d files are considered", len(got.Effects[0].Related))
	}
}

package toolcall

import (
	"slices"
	"strings"
	"testing"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program/git"
	"guardrails/detect/toolcall/trace"
)

// pendingCase is a test case with a command. When git has one pending file of each kind, the command commits the files
// in Takes.
type pendingCase struct {
	Command string   `json:"command"`
	Takes   []string `json:"takes"`
	// Unasked is set if the analysis must not call Env.Pending, because the commit is made in another
	// project. None is set if the command commits nothing.
	Unasked bool `json:"unasked"`
	None    bool `json:"none"`
}

// gitSays returns what Env.Pending says about a working tree with one pending file of each kind.
func gitSays(_ string, untracked bool) *trace.Pending {
	p := &trace.Pending{Files: []trace.PendingFile{{Name: "staged.yaml", Staged: true}, {Name: "changed.yaml", Changed: true}}}
	if untracked {
		p.Files = append(p.Files, trace.PendingFile{Name: "new.yaml", Untracked: true})
	}
	return p
}

func TestCommitsContainThePendingFiles(t *testing.T) {
	for _, c := range readJSON[[]pendingCase](t, "testdata/pending.json") {
		asked := 0
		env := tableEnv()
		env.Pending = func(dir string, untracked bool) *trace.Pending { asked++; return gitSays(dir, untracked) }
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

// covers() reports whether a commit contains exactly the wanted files. It ignores unknown names such as $files.
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
		"git commit -m a; git commit -am b; git add -A; git commit -m c": 2,
		strings.Repeat("git commit -m a; ", 100) + "git commit -am b":    1,
		strings.Repeat("git add -A; git commit -m x; ", 50):              1,
	} {
		asked := 0
		env := tableEnv()
		env.Pending = func(dir string, untracked bool) *trace.Pending { asked++; return gitSays(dir, untracked) }
		if AnalyzeCommand(env, command); asked != want {
			t.Errorf("%.60s: asked %d times, want %d", command, asked, want)
		}
	}
}

func TestTheNumberOfPendingFilesIsLimited(t *testing.T) {
	env := tableEnv()
	env.Pending = func(string, bool) *trace.Pending {
		p := &trace.Pending{Files: make([]trace.PendingFile, 100_000)}
		for i := range p.Files {
			p.Files[i].Staged = true
		}
		return p
	}
	if got := AnalyzeCommand(env, "git commit -m x"); len(got.Effects[0].Related) > git.MaxPending {
		t.Errorf("%d files are considered", len(got.Effects[0].Related))
	}
}

package toolcall

import (
	"strings"
	"testing"

	"guardrails/detect/toolcall/trace"
)

// repositoryCases describes a git repository by the data in its .git folder, and lists commands that run in it.
type repositoryCases struct {
	Repository struct {
		Branch, Remote, Upstream, Default string
		PushDefault                       string `json:"push_default"`
		Overwrites, Pushed                bool
	}
	Cases []tableCase
}

func TestGitEventsDependOnTheRepository(t *testing.T) {
	for _, group := range readJSON[[]repositoryCases](t, "testdata/repository.json") {
		for _, c := range group.Cases {
			env := tableEnv()
			env.Repository = func(string) trace.Repository { return trace.Repository(group.Repository) }
			checkCase(t, c, AnalyzeCommand(env, c.Command))
		}
	}
}

func TestTheRepositoryIsReadOnlyForPushesAndChangedCommits(t *testing.T) {
	for _, command := range []string{"git status", "git commit -m x", "git log", "git fetch", "git checkout main", "npm test", "git rebase --abort"} {
		env := tableEnv()
		env.Repository = func(string) trace.Repository {
			t.Errorf("%s: the repository was read", command)
			return trace.Repository{}
		}
		AnalyzeCommand(env, command)
	}
}

func TestTheRepositoryIsTheOneOfTheCommandsFolder(t *testing.T) {
	for command, want := range map[string]string{
		"git push": "/home/dev/project", "git -C ../other push": "/home/dev/other", "cd sub && git push": "/home/dev/project/sub",
	} {
		env := tableEnv()
		env.Repository = func(folder string) trace.Repository {
			if folder != want {
				t.Errorf("%s: read the repository of %s, want %s", command, folder, want)
			}
			return trace.Repository{}
		}
		AnalyzeCommand(env, command)
	}
}

func TestAnAliasIsResolvedFromTheSettings(t *testing.T) {
	aliases := map[string]string{
		"wipe": "reset --hard", "pf": "push --force", "st": "status -sb", "bang": "!git clean -fdx", "a": "b", "b": "a",
		"status": "reset --hard",
	}
	for command, want := range map[string]string{
		"git wipe": "discard_changes", "git -C sub wipe": "discard_changes", "git pf origin x": "push force_push", "git st": "",
		"git bang": "discard_changes", "git a": "too_large", "git status": "", "git unknown": "",
	} {
		env := tableEnv()
		env.GitAlias = func(_, name string) string { return aliases[name] }
		checkCase(t, tableCase{Command: command, Events: strings.Fields(want), None: want == ""}, AnalyzeCommand(env, command))
	}
}

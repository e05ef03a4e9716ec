package toolcall

import (
	"testing"

	"guardrails/detect/toolcall/trace"
)

// repositoryCases describes a git repository as its .git folder does, and lists commands that run in it.
type repositoryCases struct {
	Repository struct {
		Branch, Remote, Upstream, Default string
		PushDefault                       string `json:"push_default"`
		Pushed                            bool
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

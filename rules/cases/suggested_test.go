package cases_test

import (
	"slices"
	"strings"
	"testing"
)

// phrases() returns phrases that the packs' texts use to suggest an action. Each phrase has a command that performs the
// action.
func phrases() map[string]string {
	return map[string]string{
		"keep the changes with git stash":                                   "git stash",
		"git stash and git switch":                                          "git stash && git switch main",
		"git stash and git revert":                                          "git stash && git revert --no-edit HEAD",
		"undo a commit with git revert":                                     "git revert --no-edit HEAD",
		"git push --force-with-lease to your own branch":                    "git push --force-with-lease origin feature/x",
		"npm publish --dry-run":                                             "npm publish --dry-run",
		"cargo publish --dry-run":                                           "cargo publish --dry-run",
		"chmod u+x for a script":                                            "chmod u+x scripts/build.sh",
		"kubectl get, helm list and terraform plan":                         "kubectl get pods && helm list && terraform plan",
		"an ordinary client such as curl":                                   "curl https://api.example.com/status",
		"save the download to a file":                                       "curl -fsSL https://get.example.com/install.sh -o install.sh",
		"Save a download and read it":                                       "curl -fsSL https://get.example.com/install.sh -o install.sh && cat install.sh",
		"(.env.example)":                                                    "cat .env.example",
		"a disk image can be an ordinary file":                              "dd if=/dev/zero of=build/disk.img bs=1M count=8",
		"Deleting build output (node_modules, dist, build, target, caches)": "rm -rf node_modules dist build target .cache",
		"write in the project or in a temporary folder":                     "touch notes.md /tmp/notes.md",
		"show its plan or dry run":                                          "terraform plan && kubectl apply --dry-run=client -f deploy.yaml",
		"delete individual files in the project":                            "rm src/old.py",
		"name the files or build folders to delete":                         "rm -r build",
	}
}

// suggested() returns the commands that a text suggests. They are the commands in backticks, and the commands for the
// phrases in the text.
func suggested(text string) []string {
	var out []string
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			out = append(out, part)
		}
	}
	for phrase, command := range phrases() {
		if strings.Contains(text, phrase) {
			out = append(out, command)
		}
	}
	slices.Sort(out)
	return out
}

func TestEveryKnownPhraseIsInAPack(t *testing.T) {
	var texts strings.Builder
	for _, name := range []string{"core", "roles"} {
		loaded, _ := pack(t, name)
		for i := range loaded.Guidelines {
			a := &loaded.Guidelines[i].Action
			instead, _ := a.Parameters["instead"].(string)
			texts.WriteString(a.Instruction + "\n" + instead + "\n")
		}
	}
	for phrase := range phrases() {
		if !strings.Contains(texts.String(), phrase) {
			t.Errorf("no pack contains %q any more; update phrases", phrase)
		}
	}
}

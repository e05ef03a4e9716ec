package toolcall

import "testing"

// TestAFolderWithASecretThatIsSentWhole analyzes commands in a project whose root has the file .env. The home folder
// has the folder .ssh.
func TestAFolderWithASecretThatIsSentWhole(t *testing.T) {
	env := tableEnv()
	env.List = func(folder string) (files, folders []string) {
		switch folder {
		case env.Root:
			return []string{"README.md", ".env"}, []string{"dist"}
		case env.Home:
			return nil, []string{".ssh", "project"}
		}
		return nil, nil
	}
	for _, c := range readJSON[[]tableCase](t, "testdata/secret_folders.json") {
		checkCase(t, c, AnalyzeCommand(env, c.Command))
	}
}

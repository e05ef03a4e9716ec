package host

import (
	"cmp"
	"path/filepath"

	"guardrails/detect/toolcall/words"
)

// gitAlias returns the text of a Git alias, or "". It reads the settings of the repository that contains a folder, and
// then the user's settings. It does not start git, and it does not read files that the settings include.
func gitAlias(folder, home, name string) string {
	git := gitFoldersOf(folder)
	return cmp.Or(
		git.own.alias("config.worktree", name), git.common.alias("config", name),
		gitFolder(home).alias(".gitconfig", name), gitFolder(filepath.Join(home, ".config", "git")).alias("config", name),
	)
}

func (f gitFolder) alias(file, name string) string {
	text := readGitSettings(f.text(file)).value("alias", name)
	return words.Replace(text, `\\`, `\`, `\"`, `"`)
}

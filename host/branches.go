package host

import (
	"path/filepath"
	"strings"

	"guardrails/detect/toolcall"
)

const maxGitRefs = 1 << 20

// branches() returns what the Git repository of a folder says about its branches. It reads the files in .git and does
// not start git. Anything that it cannot read stays unknown.
func branches(folder string) toolcall.Repository {
	git := gitFoldersOf(folder)
	head := git.own.text("HEAD")
	branch, onBranch := strings.CutPrefix(head, "ref: refs/heads/")
	if !onBranch {
		return toolcall.Repository{Default: git.defaultOf("origin")}
	}
	settings := readGitSettings(git.common.text("config"))
	r := toolcall.Repository{
		Branch: branch, PushDefault: settings.value("push", "default"),
		Remote:   settings.value(`branch "`+branch+`"`, "remote"),
		Upstream: strings.TrimPrefix(settings.value(`branch "`+branch+`"`, "merge"), "refs/heads/"),
	}
	remote := r.Remote
	if remote == "" {
		remote = "origin"
	}
	r.Default = git.defaultOf(remote)
	r.Overwrites = settings.value(`remote "`+remote+`"`, "mirror") == "true" ||
		strings.HasPrefix(settings.value(`remote "`+remote+`"`, "push"), "+")
	if r.Upstream != "" {
		commit := git.commit("refs/heads/" + branch)
		r.Pushed = commit != "" && commit == git.commit("refs/remotes/"+remote+"/"+r.Upstream)
	}
	return r
}

// gitFolders are the two Git folders of a working tree. Each worktree has its own folder. All worktrees of a repository
// share the common folder.
type gitFolders struct{ own, common gitFolder }

type gitFolder string

// gitFoldersOf finds the Git folders of the repository that contains a folder. It returns no folders if there is no
// repository.
func gitFoldersOf(folder string) gitFolders {
	for at := filepath.Clean(folder); filepath.IsAbs(at); at = filepath.Dir(at) {
		if git := gitFolder(filepath.Join(at, ".git")); exists(string(git)) {
			return git.folders()
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return gitFolders{}
}

// folders() returns the two Git folders for a path that ends with .git. If .git is a file, as in a worktree or a
// submodule, the file contains the path of the Git folder.
func (f gitFolder) folders() gitFolders {
	at := string(f)
	text, isFile := readScript(at, maxGitFile)
	if isFile {
		dir, _ := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir:")
		at = under(filepath.Dir(at), strings.TrimSpace(dir))
	}
	own := gitFolder(at)
	common := own
	if shared := own.text("commondir"); shared != "" {
		common = gitFolder(under(at, shared))
	}
	return gitFolders{own: own, common: common}
}

// under() joins a folder and a path that is relative to this folder. It returns an absolute path unchanged.
func under(folder, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}

// text() returns the content of a small file in a Git folder, without spaces around it. It returns "" if the file
// cannot be read.
func (f gitFolder) text(name string) string {
	if f == "" {
		return ""
	}
	text, ok := readScript(filepath.Join(string(f), filepath.FromSlash(name)), maxGitRefs)
	if !ok {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// defaultOf returns the default branch of a remote. The last "git clone" or "git remote set-head" has recorded it.
func (g *gitFolders) defaultOf(remote string) string {
	branch, ok := strings.CutPrefix(g.common.text("refs/remotes/"+remote+"/HEAD"), "ref: refs/remotes/"+remote+"/")
	if !ok {
		return ""
	}
	return branch
}

// commit() returns the id of the commit that a reference points to, or "".
func (g *gitFolders) commit(reference string) string {
	if commit := g.common.text(reference); commit != "" {
		return commit
	}
	for _, line := range strings.Split(g.common.text("packed-refs"), "\n") {
		if commit, ok := strings.CutSuffix(line, " "+reference); ok {
			return commit
		}
	}
	return ""
}

type gitSettings []string

func readGitSettings(text string) gitSettings { return strings.Split(text, "\n") }

// value() returns the last value of a setting, or "". The section is a name, as in [push], or a name with a subsection,
// as in [branch "main"].
func (s gitSettings) value(section, key string) string {
	value, inside := "", false
	for _, line := range s {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			inside = strings.EqualFold(line, "["+section+"]")
			continue
		}
		name, text, ok := strings.Cut(line, "=")
		if inside && ok && strings.EqualFold(strings.TrimSpace(name), key) {
			value = strings.Trim(strings.TrimSpace(text), `"`)
		}
	}
	return value
}

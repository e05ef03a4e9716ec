package host

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"guardrails/detect/toolcall"
	"guardrails/hooks/reach"
)

const pendingTimeout = 800 * time.Millisecond

// pending() returns the files that a commit in a folder of a project would include. It asks git, but git runs no
// program that the repository's settings name.
func pending(root, dir string, untracked bool) *toolcall.Pending {
	tree, common := worktreeOf(dir)
	own, ours := worktreeOf(root)
	if tree == "" {
		return nil
	}
	if common != ours {
		return &toolcall.Pending{Elsewhere: true}
	}
	git := program("git")
	if git == "" {
		return nil
	}
	mode := "no"
	if untracked {
		mode = "all"
	}
	out, err := reach.Output(git, []string{
		"-C", tree, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks",
		"status", "--porcelain=v2", "--branch", "-z", "--renames", "--untracked-files=" + mode,
	}, pendingTimeout)
	if err != nil {
		return nil
	}
	prefix := below(own, root)
	p := parseStatus(string(out))
	for i := range p.Files {
		f := &p.Files[i]
		f.Name = inProject(filepath.ToSlash(prefix), f.Name, own)
		if f.From != "" {
			f.From = inProject(filepath.ToSlash(prefix), f.From, own)
		}
	}
	p.Merging = isMerging(tree)
	return p
}

// inProject returns the path of a file in the form that the analysis uses: relative to the project's root, or absolute
// if the file is outside the project. The argument "name" is the path relative to the working tree. The argument
// "prefix" is the path of the project relative to the working tree.
func inProject(prefix, name, tree string) string {
	if prefix == "." || prefix == "" {
		return name
	}
	if rest, ok := strings.CutPrefix(name, prefix+"/"); ok {
		return rest
	}
	return filepath.ToSlash(tree) + "/" + name
}

func isMerging(tree string) bool {
	own := gitFolder(filepath.Join(tree, ".git")).folders().own
	return exists(filepath.Join(string(own), "MERGE_HEAD"))
}

// parseStatus parses the output of "git status --porcelain=v2 -z".
func parseStatus(out string) *toolcall.Pending {
	p := &toolcall.Pending{}
	entries := strings.Split(out, "\x00")
	for i := 0; i < len(entries); i++ {
		kind, rest, _ := strings.Cut(entries[i], " ")
		switch kind {
		case "#":
			if id, ok := strings.CutPrefix(rest, "branch.oid "); ok {
				p.Head = id
			}
		case "?":
			p.Files = append(p.Files, toolcall.PendingFile{Name: rest, Untracked: true})
		case "1", "2", "u":
			f, ok := statusFile(kind, rest)
			if !ok {
				continue
			}
			if kind == "2" && i+1 < len(entries) {
				i++
				f.From = entries[i]
			}
			p.Files = append(p.Files, f)
		}
	}
	return p
}

// statusFile parses the entry of a tracked file: its state in the index, its state in the working tree, and its name.
func statusFile(kind, entry string) (toolcall.PendingFile, bool) {
	fields := 8
	switch kind {
	case "2":
		fields = 9
	case "u":
		fields = 10
	}
	parts := strings.SplitN(entry, " ", fields)
	if len(parts) < fields || len(parts[0]) != 2 {
		return toolcall.PendingFile{}, false
	}
	return toolcall.PendingFile{Name: parts[fields-1], Staged: parts[0][0] != '.', Changed: parts[0][1] != '.'}, true
}

// program() returns the path of a program in one of the usual folders. It does not search the folders of PATH or the
// project, because the agent could have put a program there.
func program(name string) string {
	for _, dir := range [...]string{"/usr/bin", "/usr/local/bin", "/bin", "/opt/homebrew/bin"} {
		if info, err := os.Stat(dir + "/" + name); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return dir + "/" + name
		}
	}
	return ""
}

package host

import (
	"os"
	"strings"
	"time"

	"guardrails/hooks/reach"
)

// pendingTimeout is how long git may take to say what a commit takes in.
const pendingTimeout = 800 * time.Millisecond

// pending asks git for the files that a commit in a folder would take in. Nothing of the repository's own settings is run.
func pending(root string, all, untracked bool) []string {
	git := program("git")
	if git == "" {
		return nil
	}
	mode := "no"
	if untracked {
		mode = "all"
	}
	out, err := reach.Output(git, []string{
		"-C", root, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks",
		"status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=" + mode,
	}, pendingTimeout)
	if err != nil {
		return nil
	}
	return statusFiles(string(out), all)
}

// statusFiles takes the names out of what git status wrote: what is staged, with all also what is only changed.
func statusFiles(out string, all bool) []string {
	var files []string
	for entry := range strings.SplitSeq(out, "\x00") {
		if len(entry) < 4 {
			continue
		}
		staged, name := entry[0], entry[3:]
		if all || staged != ' ' && staged != '?' {
			files = append(files, name)
		}
	}
	return files
}

// program finds a program in the usual folders and never in the project, where the agent could have put one.
func program(name string) string {
	for _, dir := range [...]string{"/usr/bin", "/usr/local/bin", "/bin", "/opt/homebrew/bin"} {
		if info, err := os.Stat(dir + "/" + name); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return dir + "/" + name
		}
	}
	return ""
}

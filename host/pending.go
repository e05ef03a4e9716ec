package host

import (
	"os"
	"strings"
	"time"

	"guardrails/hooks/reach"
)

// pendingTimeout limits the time in which git must say what a commit includes.
const pendingTimeout = 800 * time.Millisecond

// pending asks git for the files that a commit in a folder would include. Git runs no program that the repository's
// settings name.
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

// statusFiles returns the file names in the output of git status: those that are staged and, with all, those that are
// changed.
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

// program returns the path of a program in one of the usual folders. The project is not searched, because the agent
// could have put a program there.
func program(name string) string {
	for _, dir := range [...]string{"/usr/bin", "/usr/local/bin", "/bin", "/opt/homebrew/bin"} {
		if info, err := os.Stat(dir + "/" + name); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return dir + "/" + name
		}
	}
	return ""
}

package host

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"guardrails/detect/toolcall"
	"guardrails/hooks/reach"
	"guardrails/internal/product"
)

// guardlessTimeout limits the time for all git commands about one change of the working tree.
const guardlessTimeout = 800 * time.Millisecond

// guardless() reports whether a change of a project's working tree removes files of its guard. It returns false if git
// does not answer in time or does not know the revision.
func guardless(root string, change toolcall.TreeChange) bool {
	files := guardFiles(root)
	q := &gitQuestion{git: program("git"), root: root, deadline: time.Now().Add(guardlessTimeout)}
	if len(files) == 0 || q.git == "" || !q.isSameTree(change.Dir) {
		return false
	}
	return q.removesUntracked(files, change) || (change.To != "" || change.Forced) && q.removesTracked(files, change)
}

// guardFiles returns the guard's files that exist in a project. The result includes a settings file of the client only
// if the file contains the name of this product or of its script.
func guardFiles(root string) []string {
	var out []string
	for i, name := range product.ProjectFiles() {
		name = strings.TrimSuffix(name, product.AnyGuideline)
		if exists(filepath.Join(root, name)) && (i >= product.ClientFiles || namesGuard(string(readSettings(root, name)))) {
			out = append(out, name)
		}
	}
	return out
}

// namesGuard reports whether the text of a settings file contains the name of a program of this product, or the name of
// the project's script that starts these programs.
func namesGuard(text string) bool {
	return strings.Contains(text, product.CLI) || strings.Contains(text, product.GuardScript)
}

const maxSettings = 1 << 20

// readSettings returns the content of a settings file. It returns nil if the file is missing, too large or not a
// regular file.
func readSettings(root, name string) []byte {
	path := filepath.Join(root, name)
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSettings {
		return nil
	}
	text, err := os.ReadFile(path) //nolint:gosec // the project's own settings
	if err != nil {
		return nil
	}
	return text
}

// gitQuestion runs git commands that change nothing. It prevents git from running programs that are named in the
// repository's settings.
type gitQuestion struct {
	git, root string
	deadline  time.Time
}

// ask() returns the output of a git command. It returns false if git fails or takes too long.
func (q *gitQuestion) ask(dir string, args ...string) (string, bool) {
	left := time.Until(q.deadline)
	if left <= 0 {
		return "", false
	}
	all := append([]string{
		"-C", dir, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c",
		"protocol.allow=never", "--no-optional-locks",
	}, args...)
	out, err := reach.Output(q.git, all, left)
	return string(out), err == nil
}

// isSameTree reports whether a folder belongs to the project's working tree.
func (q *gitQuestion) isSameTree(dir string) bool {
	if dir == "" || dir == q.root {
		return true
	}
	theirs, ok := q.ask(dir, "rev-parse", "--show-toplevel")
	ours, known := q.ask(q.root, "rev-parse", "--show-toplevel")
	return ok && known && theirs == ours
}

// removesUntracked reports whether the change removes one of the given files that git does not track.
func (q *gitQuestion) removesUntracked(files []string, change toolcall.TreeChange) bool {
	lists := func(flags ...string) bool {
		out, ok := q.ask(q.root, slices.Concat([]string{"ls-files", "-z", "--others"}, flags, []string{"--"}, files)...)
		return ok && out != ""
	}
	return change.Untracked && lists("--exclude-standard") || change.Ignored && lists("--ignored", "--exclude-standard")
}

// removesTracked reports whether the change removes one of the given files that git tracks, or removes hooks of this
// product from such a file.
func (q *gitQuestion) removesTracked(files []string, change toolcall.TreeChange) bool {
	to, ok := q.tree(change.To, files)
	if !ok {
		to, ok = q.remoteTree(&change, files)
	}
	from, known := q.tree(q.base(&change), files)
	if !ok || !known {
		return false
	}
	for _, name := range files {
		before, after := from.object(name), to.object(name)
		switch {
		case before == "" || !change.Forced && before == after:
		case after == "" && !change.Overlay:
			return true
		case after != "" && q.losesHooks(name, after):
			return true
		}
	}
	return false
}

// base() returns the revision with which the result of the change is compared. If the change overwrites all files, it
// returns "", which stands for the staged files.
func (q *gitQuestion) base(change *toolcall.TreeChange) string {
	from := change.From
	switch {
	case change.Forced:
		return ""
	case from == "":
		from = "HEAD"
	}
	if change.Merge && isRevision(change.To) {
		if base, ok := q.ask(q.root, "merge-base", from, change.To); ok {
			return strings.TrimSpace(base)
		}
	}
	return from
}

// losesHooks reports whether a settings file now has a hook of this product that another version of the file lacks. For
// the file with the MCP servers, it reports whether the other version contains no name of a program of this product.
func (q *gitQuestion) losesHooks(name, blob string) bool {
	now := readSettings(q.root, name)
	if name != product.Settings && name != product.MCPFile || now == nil {
		return false
	}
	then, ok := q.ask(q.root, "cat-file", "blob", blob)
	if name == product.MCPFile {
		return ok && !namesGuard(then)
	}
	return ok && !keepsHooks(now, []byte(then))
}

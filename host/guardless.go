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

// guardlessTimeout is how long git may take, in all, to say what a change of the working tree does.
const guardlessTimeout = 800 * time.Millisecond

// guardless reports whether a project would lack files of its guard after a change of its working tree. What git cannot
// say in time, or of a revision that it does not have, is no.
func guardless(root string, change toolcall.TreeChange) bool {
	files := guardFiles(root)
	q := &gitQuestion{git: program("git"), root: root, deadline: time.Now().Add(guardlessTimeout)}
	if len(files) == 0 || q.git == "" || !q.isSameTree(change.Dir) {
		return false
	}
	return q.leaves(files, change) || (change.To != "" || change.Forced) && q.changes(files, change)
}

// guardFiles are the guard's files that a project has now. The client's own settings are among them where they name this
// product's hooks or its server.
func guardFiles(root string) []string {
	var out []string
	for _, name := range [...]string{product.ConfigFile, product.GuidelinesFolder, product.GuardScript} {
		if exists(filepath.Join(root, name)) {
			out = append(out, name)
		}
	}
	for _, name := range [...]string{product.Settings, product.LocalSettings, product.MCPFile} {
		if namesGuard(string(settingsNow(root, name))) {
			out = append(out, name)
		}
	}
	return out
}

// namesGuard reports whether settings speak of this product's programs or of a project's own call of them.
func namesGuard(text string) bool {
	return strings.Contains(text, product.CLI) || strings.Contains(text, product.GuardScript)
}

// maxSettings is how much of a settings file is looked at.
const maxSettings = 1 << 20

// settingsNow is what a settings file holds; nothing when it is missing or no file of a usual size.
func settingsNow(root, name string) []byte {
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

// gitQuestion asks git about a project. What it asks runs nothing of the repository's settings.
type gitQuestion struct {
	git, root string
	deadline  time.Time
}

// ask is what git prints, and whether it knew an answer in time.
func (q *gitQuestion) ask(dir string, args ...string) (string, bool) {
	left := time.Until(q.deadline)
	if left <= 0 {
		return "", false
	}
	all := append([]string{"-C", dir, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never", "--no-optional-locks"}, args...)
	out, err := reach.Output(q.git, all, left)
	return string(out), err == nil
}

// isSameTree reports whether git in a folder works on the project's files.
func (q *gitQuestion) isSameTree(dir string) bool {
	if dir == "" || dir == q.root {
		return true
	}
	theirs, ok := q.ask(dir, "rev-parse", "--show-toplevel")
	ours, known := q.ask(q.root, "rev-parse", "--show-toplevel")
	return ok && known && theirs == ours
}

// leaves reports whether files go away that git does not track.
func (q *gitQuestion) leaves(files []string, change toolcall.TreeChange) bool {
	lists := func(flags ...string) bool {
		out, ok := q.ask(q.root, slices.Concat([]string{"ls-files", "-z", "--others"}, flags, []string{"--"}, files)...)
		return ok && out != ""
	}
	return change.Untracked && lists("--exclude-standard") || change.Ignored && lists("--ignored", "--exclude-standard")
}

// changes reports whether files that git tracks go away, or do not call the guard any more.
func (q *gitQuestion) changes(files []string, change toolcall.TreeChange) bool {
	to, ok := q.tree(change.To, files)
	if !ok {
		to, ok = q.remoteTree(&change, files)
	}
	from, known := q.tree(q.start(&change), files)
	if !ok || !known {
		return false
	}
	for _, name := range files {
		before, after := from.under(name), to.under(name)
		switch {
		case before == "" || !change.Forced && before == after:
		case after == "" && !change.Overlay:
			return true
		case after != "" && q.losesEntries(name, after):
			return true
		}
	}
	return false
}

// start is the revision from which files change: what is staged, where they are overwritten however they are.
func (q *gitQuestion) start(change *toolcall.TreeChange) string {
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

// losesEntries reports whether a file in another state does not name what calls the guard.
func (q *gitQuestion) losesEntries(name, blob string) bool {
	now := settingsNow(q.root, name)
	if name != product.Settings && name != product.MCPFile || now == nil {
		return false
	}
	then, ok := q.ask(q.root, "cat-file", "blob", blob)
	if name == product.MCPFile {
		return ok && !namesGuard(then)
	}
	return ok && !keeps(now, []byte(then))
}

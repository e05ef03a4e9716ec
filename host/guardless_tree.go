package host

import (
	"strings"

	"guardrails/detect/toolcall"
)

// gitTree says which Git object each file has in a revision.
type gitTree struct {
	names, objects []string
}

// object() returns the Git object of a file, or of the first file in a folder. It returns "" if there is none.
func (t *gitTree) object(name string) string {
	for i, have := range t.names {
		if rest, ok := strings.CutPrefix(have, name); ok && (rest == "" || rest[0] == '/') {
			return t.objects[i]
		}
	}
	return ""
}

// isRevision reports whether a text can be a Git revision. It returns false for a text that git would read as an
// option.
func isRevision(rev string) bool {
	return rev != "" && rev[0] != '-' && !strings.ContainsAny(rev, " \n\x00:")
}

// tree() returns the Git objects of the given files in a revision. If the revision is "", it returns the staged
// objects. tree() returns false if git does not know the revision.
func (q *gitQuestion) tree(rev string, files []string) (*gitTree, bool) {
	args := []string{"ls-files", "-z", "--stage", "--"}
	if rev != "" {
		if !isRevision(rev) {
			return nil, false
		}
		args = []string{"ls-tree", "-r", "-z", rev, "--"}
	}
	out, ok := q.ask(q.root, append(args, files...)...)
	if !ok {
		return nil, false
	}
	return readTree(out, rev == ""), true
}

// readTree parses the output of "git ls-tree" or "git ls-files --stage". Each entry has the mode, the type (only in
// ls-tree), the object, and the name.
func readTree(out string, staged bool) *gitTree {
	t := &gitTree{}
	for _, entry := range strings.Split(out, "\x00") {
		about, name, ok := strings.Cut(entry, "\t")
		fields := strings.Fields(about)
		if !ok || len(fields) < 3 {
			continue
		}
		object := fields[2]
		if staged {
			object = fields[1]
		}
		t.names, t.objects = append(t.names, name), append(t.objects, object)
	}
	return t
}

// remoteTree returns the tree of the remote branch with the name in change.To. Git switches to such a branch if there
// is no local branch with this name.
func (q *gitQuestion) remoteTree(change *toolcall.TreeChange, files []string) (*gitTree, bool) {
	if !isRevision(change.To) || strings.ContainsAny(change.To, "*?[^~@{") {
		return nil, false
	}
	out, ok := q.ask(q.root, "for-each-ref", "--count=1", "--format=%(refname)", "refs/remotes/*/"+change.To)
	if ref := strings.TrimSpace(out); ok && ref != "" {
		change.To = ref
		return q.tree(ref, files)
	}
	return nil, false
}

package host

import (
	"strings"

	"guardrails/detect/toolcall"
)

// gitTree is what a revision holds of some files: their objects by their names.
type gitTree struct {
	names, objects []string
}

// under is the object of a file, or for a folder of the first file in it; empty when there is none.
func (t *gitTree) under(name string) string {
	for i, have := range t.names {
		if rest, ok := strings.CutPrefix(have, name); ok && (rest == "" || rest[0] == '/') {
			return t.objects[i]
		}
	}
	return ""
}

// isRevision reports whether a text can stand for a revision and not for an option.
func isRevision(rev string) bool {
	return rev != "" && rev[0] != '-' && !strings.ContainsAny(rev, " \n\x00:")
}

// tree is what a revision holds of the files; without a revision, what is staged. False when git has no such revision.
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

// readTree reads what git ls-tree writes, or ls-files --stage: mode, for a tree the kind, object, name.
func readTree(out string, staged bool) *gitTree {
	t := &gitTree{}
	for entry := range strings.SplitSeq(out, "\x00") {
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

// remoteTree is the tree of the branch of a remote that git takes where there is none of that name here.
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

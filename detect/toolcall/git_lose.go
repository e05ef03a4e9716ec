package toolcall

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
)

// gitCommits is what makes commits; --exec in a rebase runs commands.
func (a *analyzer) gitCommits(g *gitCall) {
	for _, v := range g.o.values("x exec upload-pack") {
		a.runText(g.command, v)
	}
	if g.o.has("abort quit skip") {
		return
	}
	switch g.verb {
	case "merge", "pull":
		a.mark(g.command, "", effect.Merge)
	case "rebase":
		if g.o.has("root") {
			a.mark(g.command, "rewrites history from its root", effect.HistoryRewrite)
		}
		return
	default:
		a.mark(g.command, "", effect.Commit)
	}
	if g.run < len(a.effects) {
		a.effects[g.run].Related = a.committed(g)
	}
}

// committed are the paths that a commit is known to take in: those it names, and those the same call staged or wrote.
func (a *analyzer) committed(g *gitCall) []string {
	var out []string
	if g.verb == "commit" {
		for _, v := range g.o.operands {
			name := a.place(v, g.sc).name
			out = append(out, name)
			if isEverything(name) {
				a.stages = max(a.stages, changedToo)
			}
		}
	}
	out = append(out, a.staged...)
	out = append(out, a.pending(g)...)
	// What of the whole project a commit takes in is not known.
	out = slices.DeleteFunc(out, isEverything)
	for i := range a.effects {
		if e := &a.effects[i]; (e.Kind == effect.Write || e.Kind == effect.Delete) && e.Path != "" && len(out) < maxFields {
			out = append(out, e.Path)
		}
	}
	return out
}

// gitPush tells a plain push from one that overwrites or deletes what others may have.
func (a *analyzer) gitPush(g *gitCall) {
	a.mark(g.command, "", effect.Push)
	force := g.o.has("f force mirror")
	refspecs := g.o.operands
	if len(refspecs) > 0 {
		refspecs = refspecs[1:]
	}
	if g.o.has("d delete prune") {
		a.mark(g.command, "deletes branches or tags of the remote", effect.ForcePush)
	}
	for _, v := range refspecs {
		switch {
		case strings.HasPrefix(v.text, "+"):
			force = true
		case strings.HasPrefix(v.text, ":") && len(v.text) > 1:
			a.mark(g.command, "deletes "+v.text[1:]+" from the remote", effect.ForcePush)
		}
	}
	lease := g.o.has("force-with-lease force-if-includes")
	if force || lease && pushesShared(refspecs) {
		a.mark(g.command, "overwrites the remote's branch", effect.ForcePush)
	}
	for _, v := range g.o.values("receive-pack exec") {
		a.runText(g.command, v)
	}
}

// pushesShared reports whether a refspec goes to a branch that a team shares.
func pushesShared(refspecs []value) bool {
	for _, v := range refspecs {
		to := v.text
		if i := strings.LastIndexByte(to, ':'); i >= 0 {
			to = to[i+1:]
		}
		switch strings.TrimPrefix(to, "refs/heads/") {
		case "main", "master", "develop", "production", "prod", "staging", "trunk", "release":
			return true
		}
		if strings.HasPrefix(strings.TrimPrefix(to, "refs/heads/"), "release/") {
			return true
		}
	}
	return false
}

// gitHistory is what rewrites or drops what git has recorded.
func (a *analyzer) gitHistory(g *gitCall) {
	rewrites := func(reason string) { a.mark(g.command, reason, effect.HistoryRewrite) }
	switch g.verb {
	case "filter-branch", "filter-repo", "fast-import", "replace":
		if g.verb != "replace" || !g.o.has("l list") && len(g.rest) > 0 {
			rewrites("rewrites recorded history")
		}
		for _, v := range g.rest {
			if strings.ContainsAny(v.text, " ;") {
				a.runText(g.command, v)
			}
		}
	case "reflog":
		if verb := g.o.word(0); verb == "expire" || verb == "delete" {
			rewrites("drops the log from which lost commits are found")
		}
	case "gc", "prune", "repack":
		if f, ok := g.o.flag("prune"); ok && (f.value.text == "now" || f.value.text == "all") || g.verb == "prune" && !g.o.has("n") {
			rewrites("drops commits that nothing points at for good")
		}
	case "update-ref":
		if g.o.has("d stdin") {
			rewrites("deletes references")
		} else if len(g.o.operands) > 1 {
			rewrites("moves a reference by hand")
		}
	case "symbolic-ref":
		if g.o.has("d delete") {
			rewrites("deletes a reference")
		}
	}
}

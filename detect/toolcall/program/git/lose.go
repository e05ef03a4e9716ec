package git

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
)

// gitCommits is what makes commits; --exec in a rebase runs commands.
func gitCommits(t *trace.Trace, g *gitCall) {
	for _, v := range g.o.Values("x exec upload-pack") {
		t.RunText(g.Command, v)
	}
	if g.o.Has("abort quit skip") {
		return
	}
	switch g.verb {
	case "merge", "pull":
		t.Mark(g.Command, "", effect.Merge)
	case "rebase":
		if g.o.Has("root") {
			t.Mark(g.Command, "rewrites history from its root", effect.HistoryRewrite)
		}
		return
	default:
		t.Mark(g.Command, "", effect.Commit)
	}
	if g.Run < len(t.Effects) {
		t.Effects[g.Run].Related = committed(t, g)
	}
}

// committed are the paths that a commit is known to take in: those it names, and those the same call staged or wrote.
func committed(t *trace.Trace, g *gitCall) []string {
	var out []string
	if g.verb == "commit" {
		for _, v := range g.o.Operands {
			name := t.Place(v, g.Scope).Name
			out = append(out, name)
			if isEverything(name) {
				t.Stages = max(t.Stages, changedToo)
			}
		}
	}
	out = append(out, t.Staged...)
	out = append(out, pending(t, g)...)
	// What of the whole project a commit takes in is not known.
	out = slices.DeleteFunc(out, isEverything)
	for i := range t.Effects {
		if e := &t.Effects[i]; (e.Kind == effect.Write || e.Kind == effect.Delete) && e.Path != "" && len(out) < trace.MaxFields {
			out = append(out, e.Path)
		}
	}
	return out
}

// gitPush tells a plain push from one that overwrites or deletes what others may have.
func gitPush(t *trace.Trace, g *gitCall) {
	t.Mark(g.Command, "", effect.Push)
	force := g.o.Has("f force mirror")
	refspecs := g.o.Operands
	if len(refspecs) > 0 {
		refspecs = refspecs[1:]
	}
	if g.o.Has("d delete prune") {
		t.Mark(g.Command, "deletes branches or tags of the remote", effect.ForcePush)
	}
	for _, v := range refspecs {
		switch {
		case strings.HasPrefix(v.Text, "+"):
			force = true
		case strings.HasPrefix(v.Text, ":") && len(v.Text) > 1:
			t.Mark(g.Command, "deletes "+v.Text[1:]+" from the remote", effect.ForcePush)
		}
	}
	lease := g.o.Has("force-with-lease force-if-includes")
	if force || lease && pushesShared(refspecs) {
		t.Mark(g.Command, "overwrites the remote's branch", effect.ForcePush)
	}
	for _, v := range g.o.Values("receive-pack exec") {
		t.RunText(g.Command, v)
	}
}

// pushesShared reports whether a refspec goes to a branch that a team shares.
func pushesShared(refspecs []trace.Value) bool {
	for _, v := range refspecs {
		to := v.Text
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
func gitHistory(t *trace.Trace, g *gitCall) {
	rewrites := func(reason string) { t.Mark(g.Command, reason, effect.HistoryRewrite) }
	switch g.verb {
	case "filter-branch", "filter-repo", "fast-import", "replace":
		if g.verb != "replace" || !g.o.Has("l list") && len(g.rest) > 0 {
			rewrites("rewrites recorded history")
		}
		for _, v := range g.rest {
			if strings.ContainsAny(v.Text, " ;") {
				t.RunText(g.Command, v)
			}
		}
	case "reflog":
		if verb := g.o.Word(0); verb == "expire" || verb == "delete" {
			rewrites("drops the log from which lost commits are found")
		}
	case "gc", "prune", "repack":
		if f, ok := g.o.Flag("prune"); ok && (f.Value.Text == "now" || f.Value.Text == "all") || g.verb == "prune" && !g.o.Has("n") {
			rewrites("drops commits that nothing points at for good")
		}
	case "update-ref":
		if g.o.Has("d stdin") {
			rewrites("deletes references")
		} else if len(g.o.Operands) > 1 {
			rewrites("moves a reference by hand")
		}
	case "symbolic-ref":
		if g.o.Has("d delete") {
			rewrites("deletes a reference")
		}
	}
}

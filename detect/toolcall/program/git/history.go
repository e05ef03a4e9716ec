package git

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// push() analyzes "git push". The push gets an additional event if it overwrites or deletes a branch that other people
// may use.
func push(t *trace.Trace, g *gitCall) {
	t.Mark(g.Command, "", effect.Push)
	force := g.o.Has("f force mirror")
	refspecs := g.o.Operands
	if len(refspecs) < 2 && !force {
		r := g.repository(t)
		force = r.Overwrites
	}
	if len(refspecs) > 0 {
		if to := refspecs[0].Text; to == words.Among(to, "heroku dokku piku gigalixir") ||
			strings.Contains(to, "git.heroku.com") || strings.HasPrefix(to, "dokku@") {
			t.MarkAll(g.Command, "releases to a running environment by a push to "+to, effect.Deploy, effect.DevopsInvoked)
		}
		if host := remoteHost(refspecs[0].Text); isStranger(host) {
			t.Mark(g.Command, "sends the code to "+host+", which is not a known forge", effect.Publish)
		}
		refspecs = refspecs[1:]
	}
	toDefault := pushesDefault(t, g, refspecs)
	if toDefault {
		t.Mark(g.Command, "", effect.DefaultPush)
	}
	if options := trace.JoinAll(g.o.Values("o push-option")); strings.Contains(options, "request.merge_when") ||
		strings.Contains(options, "request.auto_merge") {
		t.MarkAll(g.Command, "lets the forge merge the branch by itself", effect.Merge, effect.DefaultPush)
	}
	if g.o.Has("d delete prune") {
		t.Mark(g.Command, "deletes branches or tags on the remote", effect.ForcePush)
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
	if force || lease && (toDefault || pushesShared(refspecs)) {
		t.Mark(g.Command, "overwrites a remote branch", effect.ForcePush)
	}
	t.RunTexts(g.Command, g.o.Values("receive-pack exec"))
}

// isStranger reports whether a host on the internet has a name that does not look like the name of a forge.
func isStranger(host string) bool {
	if strings.Trim(host, "0123456789.") == "" || strings.IndexByte(host, '.') < 0 || strings.IndexByte(host, '$') >= 0 ||
		trace.IsLoopback(host) {
		return false
	}
	for rest := host; rest != ""; {
		var label string
		label, rest, _ = strings.Cut(rest, ".")
		if words.OneOf(label, "git github gitlab gitea gogs gitbucket bitbucket codeberg codecommit git-codecommit azure visualstudio "+
			"heroku hf huggingface googlesource google sr forge forgejo code gerrit review source scm vcs stash dokku ghe phabricator "+
			"svn repo pagure opendev salsa invent aur heptapod lan internal home corp local intra intranet") {
			return false
		}
	}
	return true
}

// pushesShared reports whether a refspec pushes to a branch that a team usually shares.
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

// rewriteHistory analyzes the git verbs that rewrite or delete history.
func rewriteHistory(t *trace.Trace, g *gitCall) {
	rewrites := func(reason string) { t.Mark(g.Command, reason, effect.HistoryRewrite) }
	switch g.verb {
	case "filter-branch", "filter-repo", "fast-import", "replace":
		if g.o.HasWhole("analyze") {
			return // with --analyze, git only writes a report
		}
		if g.verb != "replace" || !g.o.Has("l list") && len(g.rest) > 0 {
			rewrites("rewrites history")
		}
		for _, v := range g.rest {
			if strings.ContainsAny(v.Text, " ;") {
				t.RunText(g.Command, v)
			}
		}
	case "reflog":
		if verb := g.o.Word(0); verb == "expire" || verb == "delete" {
			rewrites("deletes entries of the reflog, which are needed to recover lost commits")
		}
	case "gc", "prune", "repack":
		f, ok := g.o.Flag("prune")
		if ok && (f.Value.Text == "now" || f.Value.Text == "all") || g.verb == "prune" && !g.o.Has("n") {
			rewrites("permanently deletes unreachable commits")
		}
	case "update-ref":
		if g.o.Has("d stdin") {
			rewrites("deletes references")
		} else if len(g.o.Operands) > 1 && !g.makesReference() {
			rewrites("changes a reference directly")
		}
	case "symbolic-ref":
		if g.o.Has("d delete") {
			rewrites("deletes a reference")
		} else if len(g.o.Operands) > 1 && strings.HasPrefix(g.o.Operands[0].Text, "refs/heads/") {
			rewrites("replaces a branch")
		}
	}
}

// makesReference reports whether "git update-ref" probably creates a reference. It returns true if the old value that
// the command requires is zero, because zero stands for a new reference. It also returns true for a reference outside
// the usual folders, and for a reference with "backup" in its name.
func (g *gitCall) makesReference() bool {
	name, ok := strings.CutPrefix(g.o.Word(0), "refs/")
	kind, _, _ := strings.Cut(name, "/")
	return ok && (kind != words.Among(kind, "heads tags remotes notes stash replace") || strings.Contains(name, "backup")) ||
		len(g.o.Operands) > 2 && strings.Trim(g.o.Word(2), "0") == ""
}

package git

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
)

// remote() analyzes the git verbs that contact a remote or create a repository.
func remote(t *trace.Trace, g *gitCall) {
	for _, v := range g.rest {
		if script, ok := strings.CutPrefix(v.Text, "ext::"); ok {
			t.Mark(g.Command, "makes git run a command to connect to the remote", effect.HiddenExecution)
			v.Text = strings.ReplaceAll(script, "% ", `\ `) // "% " stands for a space in an argument
			t.RunText(g.Command, v)
		}
	}
	t.RunTexts(g.Command, g.o.Values("upload-pack exec"))
	if v := g.o.Values("template"); (g.verb == "init" || g.verb == "clone") && len(v) > 0 && v[0].Text != "" {
		t.Mark(g.Command, "installs hooks from "+v[0].Text+", which git runs automatically later", effect.StartupChange)
	}
	if g.verb == "fetch" {
		markMovedBranch(t, g)
	}
	if g.verb == "clone" || g.verb == "fetch" {
		t.Emit(effect.Effect{Kind: effect.Fetch, Host: remoteHost(g.o.Word(0)), Span: g.Span})
	}
	if g.verb == "clone" {
		clone(t, g)
	}
}

const movesBranch = "makes a branch point to other commits, so that its own commits can get lost"

// markMovedBranch marks "git fetch" or "git pull" if it overwrites a local branch that a team usually shares.
func markMovedBranch(t *trace.Trace, g *gitCall) {
	force := g.o.Has("f force")
	if slices.ContainsFunc(g.o.Operands[min(1, len(g.o.Operands)):], func(v trace.Value) bool {
		text, plus := strings.CutPrefix(v.Text, "+")
		_, to, ok := strings.Cut(text, ":")
		return ok && (plus || force) && pushesShared([]trace.Value{{Text: to}})
	}) {
		t.Mark(g.Command, movesBranch, effect.DiscardChanges)
	}
}

// clone() adds the folder that "git clone" creates, and judges the settings given with -c.
func clone(t *trace.Trace, g *gitCall) {
	t.RunTexts(g.Command, g.o.Values("u"))
	for _, v := range g.o.Values("c config") {
		key, text, _ := strings.Cut(v.Text, "=")
		judgeSetting(t, g.Command, key, trace.Value{Text: text, Quality: trace.Quality{Partial: v.Partial}}, false)
	}
	if len(g.o.Operands) > 1 {
		cloneInto(t, g, g.o.Operands[1])
	}
	t.BringIn(g.Command, cloned(g.o.Operands))
}

// bringIn is for commands such as "git submodule add" and "hg clone", which fill a folder with a repository. It records
// the folder.
func bringIn(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if folder := cloned(o.Operands[1:]); folder.Text != "" {
		program.Download(t, c, remoteHost(o.Word(1)))
		t.BringIn(c, folder)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// cloned() returns the folder that "git clone" creates for these arguments. It returns the empty value if there are no
// arguments, or if git clones a repository that is on this computer.
func cloned(args []trace.Value) trace.Value {
	if len(args) == 0 || remoteHost(args[0].Text) == "" && !args[0].Partial {
		return trace.Value{}
	}
	if len(args) > 1 {
		return args[1]
	}
	name := strings.TrimSuffix(strings.TrimRight(args[0].Text, "/"), ".git")
	return trace.Value{Text: name[strings.LastIndexAny(name, "/:")+1:], Quality: args[0].Quality}
}

// cloneInto adds the effect of writing the folder that "git clone" creates. The folder must be new or empty, so git
// overwrites nothing. A folder outside the project therefore adds no event. The exception is a hidden folder, such as
// one in ~/.config, because programs may run its files.
func cloneInto(t *trace.Trace, g *gitCall, folder trace.Value) {
	first := len(t.Effects)
	name := t.Write(folder, g.Scope, g.Span)
	for i := first; i < len(t.Effects) && !strings.Contains(name, "/."); i++ {
		t.Effects[i].Drop(effect.OutsideWrite)
	}
}

// remoteHost returns the host in the address of a remote. It returns "" for a path or for the name of a remote.
func remoteHost(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url = rest
	} else if i := strings.IndexByte(url, ':'); i < 0 {
		return ""
	}
	if i := strings.IndexByte(url, '@'); i >= 0 {
		url = url[i+1:]
	}
	if i := strings.IndexAny(url, "/:"); i >= 0 {
		url = url[:i]
	}
	return url
}

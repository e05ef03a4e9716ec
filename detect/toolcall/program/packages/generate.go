package packages

import (
	"path"
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// maxGoFiles is the maximum number of Go files that are searched for commands.
const maxGoFiles = 256

// goGenerate analyzes the commands in the source code that "go generate" runs.
func goGenerate(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if t.Env.Script != nil && t.Env.List != nil && !o.Has("n") {
		folder, deep := strings.CutSuffix(words.OrElse(o.Word(1), "."), "...")
		if strings.HasSuffix(folder, ".go") {
			folder = path.Dir(folder)
		}
		p := t.Place(trace.Value{Text: path.Clean(folder)}, c.Scope)
		g := generator{t: t, c: c, deep: deep, left: maxGoFiles}
		g.folder(p.Abs)
	}
	return goRun(t, c, o)
}

type generator struct {
	t    *trace.Trace
	c    *trace.Command
	deep bool // whether subfolders are searched too
	left int  // the number of files that may still be read
}

func (g *generator) folder(abs string) {
	names, folders := g.t.Env.List(abs)
	for _, name := range names {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		text, _ := g.t.Env.Script(abs+"/"+name, trace.MaxScriptSize)
		g.left--
		if g.left < 0 || !g.t.Spend(stepsOfTarget+len(text)/stepsOfTarget) {
			return
		}
		if strings.Contains(string(text), directive) {
			p := g.t.Place(trace.Value{Text: abs + "/" + name}, g.c.Scope)
			g.t.FromDisk(g.c, &p, g.run)
		}
	}
	for _, name := range folders {
		if g.deep && g.left > 0 && name[0] != '.' && name != "node_modules" && g.t.Spend(stepsOfTarget) {
			g.folder(abs + "/" + name)
		}
	}
}

// The constant "directive" is the beginning of a line that contains a command.
const directive = "//go:generate "

// run() analyzes the commands in one file. The analysis treats this file as the current script.
func (g *generator) run(inner *trace.Command, text string) {
	scripts := &g.t.Scripts
	inner.Scope, inner.In = g.c.Scope.Sub(), trace.Nothing()
	inner.Scope.Cwd = path.Dir(scripts.Read[scripts.Current()-1].Path)
	for _, line := range strings.Split(text, "\n") {
		if command, ok := strings.CutPrefix(line, directive); ok {
			g.t.RunText(inner, trace.Value{Text: command})
		}
	}
}

// composerScript analyzes a script of composer.json.
func composerScript(t *trace.Trace, c *trace.Command, o *flags.Options) {
	name := o.Word(0)
	if strings.HasPrefix(name, "run") {
		name = o.Word(1)
	}
	p := t.Place(trace.Value{Text: "composer.json"}, c.Scope)
	if n := t.ScriptAt(&p); n > 0 {
		packageScripts(t, c, &p, name, t.Scripts.Read[n-1].Text)
	}
}

package packages

import (
	"path"
	"slices"
	"strings"

	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/document"
)

// maxGoFiles limits how many files with Go code are searched for commands.
const maxGoFiles = 256

// goGenerate analyzes the commands in the source code that "go generate" runs.
func goGenerate(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	g := generator{t: t, c: c, left: maxGoFiles}
	places := o.Operands[1:]
	if len(places) == 0 {
		places = []trace.Value{{Text: "."}}
	}
	for _, v := range places {
		folder, deep := strings.CutSuffix(v.Text, "...")
		p := t.Place(trace.Value{Text: words.OrElse(strings.TrimRight(folder, "/"), "."), Quality: v.Quality}, c.Scope)
		switch {
		case t.Env.Script == nil || p.Partial || p.Glob || o.Has("n"):
		case strings.HasSuffix(p.Abs, ".go"):
			g.file(p.Abs)
		default:
			g.folder(p.Abs, deep)
		}
	}
	return goRun(t, c, o)
}

type generator struct {
	t    *trace.Trace
	c    *trace.Command
	left int // files
}

func (g *generator) folder(abs string, deep bool) {
	if g.t.Env.List == nil || !g.t.Spend(stepsOfTarget) {
		return
	}
	names, folders := g.t.Env.List(abs)
	slices.Sort(names)
	for _, name := range names {
		if strings.HasSuffix(name, ".go") {
			g.file(abs + "/" + name)
		}
	}
	for _, name := range folders {
		if deep && name[0] != '.' && name[0] != '_' && name != "vendor" && name != "testdata" && name != "node_modules" {
			g.folder(abs+"/"+name, deep)
		}
	}
}

func (g *generator) file(abs string) {
	const directive = "//go:generate "
	g.left--
	if g.left < 0 || g.t.Full {
		return
	}
	text, ok := g.t.Env.Script(abs, trace.MaxScriptSize)
	if !g.t.Spend(stepsOfTarget+len(text)/stepsOfTarget) || !ok || !strings.Contains(string(text), directive) {
		return
	}
	p := g.t.Place(trace.Value{Text: abs}, g.c.Scope)
	g.t.FromDisk(g.c, &p, func(inner *trace.Command, text string) {
		inner.Scope, inner.In = g.c.Scope.Sub(), trace.Nothing()
		inner.Scope.Cwd = path.Dir(abs)
		for line := range strings.Lines(text) {
			if command, ok := strings.CutPrefix(line, directive); ok && !strings.HasPrefix(command, "-command") {
				g.t.RunText(inner, trace.Value{Text: strings.TrimSpace(command)})
			}
		}
	})
}

// composerScript analyzes a script of composer.json.
func composerScript(t *trace.Trace, c *trace.Command, o *flags.Options) {
	name := o.Word(0)
	if words.OneOf(name, "run-script", "run") {
		name = o.Word(1)
	}
	p := t.Place(trace.Value{Text: "composer.json"}, c.Scope)
	if n := t.ScriptAt(&p, c.Scope); n > 0 && name != "" {
		if lines := composerLines(t.Scripts.Read[n-1].Text, name, 0); len(lines) > 0 {
			t.FromDiskTarget(c, &p, name, func(inner *trace.Command, _ string) { packageLines(t, inner, &p, lines) })
		}
	}
}

// composerLines returns the commands of a script of composer.json. A script is a command or a list of commands. A
// command that begins with @ is another script, or a program.
func composerLines(text, name string, depth int) []trace.Value {
	var out []trace.Value
	for _, m := range members([]byte(text), "scripts") {
		if m.Name != name || depth >= maxMakeDepth {
			continue
		}
		list := []document.Member{m}
		if !document.IsText(m.Raw) {
			list, _ = document.Members(m.Raw)
		}
		for _, item := range list {
			line, _ := document.Text(item.Raw)
			other, refers := strings.CutPrefix(line, "@")
			if more := composerLines(text, other, depth+1); refers && len(more) > 0 {
				out = append(out, more...)
			} else if other != "" && (strings.Contains(other, " ") || !strings.Contains(other, "::")) {
				out = append(out, trace.Value{Text: other})
			}
		}
	}
	return out
}

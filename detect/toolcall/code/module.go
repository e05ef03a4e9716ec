package code

// module.go analyzes the files that a piece of code loads, evaluates or runs.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// runContent analyzes the content of a file as code. It returns false if the value is not the content of a file.
func (in *interpreter) runContent(v value.Value) bool {
	file, ok := trace.FileOf(v.ToTrace())
	return ok && in.Trace.Spend(stepsOfFile) && in.Trace.InputScript(in.Command, file, func(inner *trace.Command, text string) {
		Run(in.Trace, inner, in.Language, trace.Value{Text: text})
	})
}

// importModule analyzes a module that the code imports, if the same tool call has written the file of the module. If
// the code is in the tool call itself and not in a script on disk, importModule also looks for the module on disk. In a
// module on disk, it analyzes only the functions that the code mentions.
func (in *interpreter) importModule(name string) {
	if trace.IsURL(name) && in.Trace.Scripts.Current() == 0 {
		in.runScript(value.Text(name))
		return
	}
	onDisk := in.onDisk(name) && in.Trace.Spend(stepsOfFile)
	if name == "" || len(in.Trace.Content) == 0 && !onDisk {
		return
	}
	if in.Language == trace.Python {
		name = strings.ReplaceAll(strings.TrimLeft(name, "."), ".", "/")
	}
	endings := [...]string{"", ".js", "/index.js"}
	if in.Language != trace.Script {
		endings = [...]string{"", sourceEnding(in.Language), "/__init__.py"}
	}
	for _, ending := range endings {
		place := in.Trace.Place(trace.Value{Text: name + ending}, in.Command.Scope)
		f, ok := in.Trace.Content[place.Name]
		switch {
		case ok && (!f.Known || in.Trace.IsCalling(place.Abs)):
		case ok:
			in.Trace.Calling = append(in.Trace.Calling, place.Abs)
			inner := *in.Command
			inner.In = trace.Nothing()
			Run(in.Trace, &inner, in.Language, trace.Value{Text: f.Text})
			in.Trace.Calling = in.Trace.Calling[:len(in.Trace.Calling)-1]
			return
		case onDisk && (ending != "" || in.Language != trace.Python) && in.importFile(&place):
			return
		}
	}
}

// onDisk reports whether importModule looks for a module in the files of the project.
func (in *interpreter) onDisk(name string) bool {
	switch {
	case in.Trace.Scripts.Current() > 0:
		return false
	case in.Language == trace.Python:
		return name != words.Among(name, standardModules)
	}
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "/")
}

// standardModules lists modules of Python that code on a command line often imports. The analysis does not look for
// them in the project.
const standardModules = "sys os json re time datetime pathlib subprocess shutil collections itertools random math csv io " +
	"glob base64 hashlib string struct socket urllib.request urllib.parse logging argparse tempfile threading asyncio " +
	"sqlite3 inspect ast numpy pandas requests yaml"

// importFile analyzes a module on disk. It returns false if the file cannot be read.
func (in *interpreter) importFile(p *trace.Place) bool {
	return in.Trace.FromDisk(in.Command, p, func(inner *trace.Command, text string) {
		module := newInterpreter(in.Trace, inner, in.Language, trace.Value{Text: text})
		module.importer = in.source
		in.Trace.Inside(inner.Span, func() trace.Flow {
			module.run(text)
			module.callRemaining()
			return trace.Nothing()
		})
	})
}

// LoadFile analyzes a file of the project that an option loads before the code runs, as in "node -r ./x.js" and
// "ruby -r./x".
func LoadFile(t *trace.Trace, c *trace.Command, lang trace.Language, v trace.Value) {
	if !strings.HasPrefix(v.Text, ".") && !strings.HasPrefix(v.Text, "/") && lang != trace.Other || v.Partial {
		return
	}
	if !trace.NamesFile(v.Text) && lang != trace.Other {
		v.Text += sourceEnding(lang)
	}
	inner := *c
	inner.In = trace.Nothing()
	RunFile(t, &inner, lang, v)
}

// RunFile analyzes a script that the tool call has written or that is on disk. It returns false if the script is
// unknown.
func RunFile(t *trace.Trace, c *trace.Command, lang trace.Language, v trace.Value) bool {
	if !t.Spend(stepsOfFile) {
		return false
	}
	place := t.Place(v, c.Scope)
	return t.TextAt(c, &place, func(inner *trace.Command, text string) { Run(t, inner, lang, trace.Value{Text: text}) })
}

// sourceEnding returns the ending of the source files of a language, such as ".py".
func sourceEnding(lang trace.Language) string {
	switch lang {
	case trace.Python:
		return ".py"
	case trace.Ruby:
		return ".rb"
	case trace.Lua:
		return ".lua"
	case trace.PHP:
		return ".php"
	case trace.Perl:
		return ".pm"
	case trace.Script:
		return ".js"
	}
	return ""
}

// ImportModules analyzes what happens when Python imports modules.
func ImportModules(t *trace.Trace, c *trace.Command, names []string) {
	in := newInterpreter(t, c, trace.Python, trace.Value{})
	in.source = "-"
	for _, name := range names {
		in.importModule(name)
	}
}

// runScript analyzes a script that the code runs. The script is in the same language as the code.
func (in *interpreter) runScript(path value.Value) {
	v := path.ToTrace()
	if trace.IsURL(v.Text) || v.Taint.Has(trace.FromNetwork) {
		in.Trace.Opaque(in.Command.Span, "runs a program straight from "+trace.HostOf(v.Text), effect.PipeToShell)
		return
	}
	if !strings.HasPrefix(v.Text, ".") && !strings.HasPrefix(v.Text, "/") {
		v.Text = "./" + v.Text
	}
	if place := in.Trace.Place(v, in.Command.Scope); !v.Partial {
		in.Trace.RunForeign(in.Command, in.Trace.Content[place.Name])
	}
	LoadFile(in.Trace, in.Command, in.Language, v)
}

// fork() evaluates a function that starts a copy of the program. In JavaScript, that function starts the script at the
// given path.
func (in *interpreter) fork(path value.Value) {
	in.Seen.Forks = true
	if path.Known && in.Language == trace.Script {
		in.runScript(path) // as in child_process.fork("./x.js")
	}
}

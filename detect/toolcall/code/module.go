package code

// module.go analyzes code in other files that the code loads, evaluates or runs.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// runContent analyzes code that is the content of a file. It returns false if the value is anything else.
func (in *interpreter) runContent(v value) bool {
	file, ok := trace.FileOf(v.toTrace())
	return ok && in.trace.Spend(stepsOfFile) && in.trace.InputScript(in.command, file, func(inner *trace.Command, text string) {
		Run(in.trace, inner, in.language, trace.Value{Text: text})
	})
}

// runScript analyzes a script that the code runs. The script is in the same language as the code.
func (s *system) runScript(path value) {
	v := path.toTrace()
	if IsURL(v.Text) || v.Taint.Has(trace.FromNetwork) {
		s.trace.Opaque(s.command.Span, "runs a program straight from "+trace.HostOf(v.Text), effect.PipeToShell)
		return
	}
	if !strings.HasPrefix(v.Text, ".") && !strings.HasPrefix(v.Text, "/") {
		v.Text = "./" + v.Text
	}
	if place := s.trace.Place(v, s.command.Scope); !v.Partial {
		s.trace.RunForeign(s.command, s.trace.Content[place.Name])
	}
	LoadFile(s.trace, s.command, s.language, v)
}

// importModule analyzes a module that the code imports, if the same call has written the file of the module. If the
// code is part of the call itself, importModule also looks for the module on disk. It does not analyze the functions of
// such a module that the code does not mention.
func (in *interpreter) importModule(name string) {
	if IsURL(name) && in.trace.Scripts.Current() == 0 {
		in.runScript(textValue(name))
		return
	}
	onDisk := in.onDisk(name) && in.trace.Spend(stepsOfFile)
	if name == "" || len(in.trace.Content) == 0 && !onDisk {
		return
	}
	if in.language == trace.Python {
		name = strings.ReplaceAll(strings.TrimLeft(name, "."), ".", "/")
	}
	endings := [...]string{"", ".js", "/index.js"}
	if in.language != trace.Script {
		endings = [...]string{"", sourceEnding(in.language), "/__init__.py"}
	}
	for _, ending := range endings {
		place := in.trace.Place(trace.Value{Text: name + ending}, in.command.Scope)
		f, ok := in.trace.Content[place.Name]
		switch {
		case ok && (!f.Known || in.trace.IsCalling(place.Abs)):
		case ok:
			in.trace.Calling = append(in.trace.Calling, place.Abs)
			inner := *in.command
			inner.In = trace.Nothing()
			Run(in.trace, &inner, in.language, trace.Value{Text: f.Text})
			in.trace.Calling = in.trace.Calling[:len(in.trace.Calling)-1]
			return
		case onDisk && (ending != "" || in.language != trace.Python) && in.importFile(&place):
			return
		}
	}
}

// onDisk reports whether a module is looked for in the files of the project.
func (in *interpreter) onDisk(name string) bool {
	switch {
	case in.trace.Scripts.Current() > 0:
		return false
	case in.language == trace.Python:
		return name != words.Among(name, standardModules)
	}
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "/")
}

// standardModules lists modules of Python that code on a command line often imports. The project is not searched for
// them.
const standardModules = "sys os json re time datetime pathlib subprocess shutil collections itertools random math csv io " +
	"glob base64 hashlib string struct socket urllib.request urllib.parse logging argparse tempfile threading asyncio " +
	"sqlite3 inspect ast numpy pandas requests yaml"

// importFile analyzes a module on disk. It returns false if the file cannot be read.
func (in *interpreter) importFile(p *trace.Place) bool {
	return in.trace.FromDisk(in.command, p, func(inner *trace.Command, text string) {
		module := newInterpreter(in.trace, inner, in.language, trace.Value{Text: text})
		module.importer = in.source
		in.trace.Inside(inner.Span, func() trace.Flow {
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

// RunFile analyzes a script that the call has written or that is on disk. It returns false if the script is unknown.
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

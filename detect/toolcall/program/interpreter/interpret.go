package interpreter

// interpret.go finds the code that an interpreter runs: in its options, in a script, or in its input.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/program/files"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// interpret() analyzes the code in the options of an interpreter. If there is no such code, it analyzes the script or
// the input.
func interpret(t *trace.Trace, c *trace.Command, lang trace.Language, p commandLine) trace.Flow {
	if p.hasOption("", "--version", "--help", "-h", "-version", "-help") ||
		len(p.flags) == 1 && (p.flags[0] == "-v" || p.flags[0] == "-V") && len(p.operands) == 0 {
		return trace.Unknown()
	}
	if p.hasOption("", "--test") {
		t.MarkTest(c)
	}
	if p.hasOption("c", "--check", "--syntax-check", "-l") && len(p.code) == 0 && !p.hasOption("", "-lane") &&
		(lang == trace.Script || lang == trace.Perl || lang == trace.Ruby || lang == trace.PHP) {
		return trace.Unknown()
	}
	loadModules(t, c, lang, p.loaded)
	if len(p.code) == 0 {
		return interpretFile(t, c, lang, p.operands)
	}
	noteLoopOperands(t, c, lang, p)
	source := joinCode(p.code)
	options := strings.Join(p.flags, " ")
	if strings.Contains(options, "--env-file") || readsSettings(options+source.Text+trace.FirstText(p.loaded)) {
		c.Scope = c.Scope.Sub()
		c.Scope.Secrets, t.Sourced = true, c.Run+1
	}
	if lang == trace.Script && words.OneOf(p.option, "p print pe") && !strings.ContainsAny(source.Text, ";\n") {
		source.Text = "console.log(" + source.Text + ")"
	}
	args := argumentsOf(lang, p.operands, false)
	run := func(inner *trace.Command, text string) { code.RunWith(t, inner, lang, trace.Value{Text: text}, args) }
	if file, ok := trace.FileOf(source); ok && t.InputScript(c, file, run) {
		return trace.Unknown()
	}
	noteUnknownCode(t, c, source)
	return code.RunWith(t, c, lang, source, args)
}

// noteUnknownCode adds an effect for code that is unknown or comes from an untrusted source.
func noteUnknownCode(t *trace.Trace, c *trace.Command, source trace.Value) {
	whole := source.Partial && strings.HasPrefix(source.Text, "$") && !strings.ContainsAny(source.Text, " \n;")
	if whole || source.Taint.Has(trace.FromNetwork|trace.FromSocket|trace.Decoded) {
		t.RunUnknown(c, source.Taint, "runs unknown code")
	}
}

func joinCode(sources []trace.Value) trace.Value {
	out := sources[0]
	for _, v := range sources[1:] {
		v.Text = "\n" + v.Text
		out = trace.Concat(out, v)
	}
	return out
}

// noteLoopOperands adds the effects on the files that Perl or Ruby processes line by line. The options -n and -p read
// the files, and -i changes them in place.
func noteLoopOperands(t *trace.Trace, c *trace.Command, lang trace.Language, p commandLine) {
	if lang != trace.Perl && lang != trace.Ruby {
		return
	}
	inPlace, reads, empties := false, false, false
	for _, f := range p.flags {
		if len(f) < 2 || f[1] == '-' || f[1] == 'M' || f[1] == 'm' || f[1] == 'I' {
			continue
		}
		letters, _, _ := strings.Cut(f[1:], "e")
		inPlace = inPlace || strings.Contains(letters, "i")
		reads = reads || strings.ContainsAny(letters, "npi")
		empties = empties || strings.Contains(letters, "n")
	}
	if !reads {
		return
	}
	for _, source := range p.code {
		prints, condition, _ := strings.Cut(words.Replace(source.Text, " ", "", ";", "", "(", "", ")", ""), "if")
		never := prints == "print" && words.OneOf(condition, "0 $.<1 $.<=0 $.<0 $.==0 !1 undef")
		empties = empties && (never || !words.HasPart(source.Text, "print|puts|say|write"))
	}
	for _, v := range p.operands {
		if inPlace {
			t.Write(v, c.Scope, c.Span)
			if empties { // the option -n prints no line by itself
				t.NoteEmptied(v, c.Scope, c.Span)
			}
			for _, source := range p.code {
				files.EditFile(t, v, c.Scope, source.Text)
			}
			continue
		}
		f := t.ReadFlow(v, c.Scope, c.Span)
		c.In.Taint |= f.Taint
		c.In.File = f.File
		c.In.Known = false
	}
}

// interpretFile analyzes the script that the first operand names. Without operands, it analyzes the input.
func interpretFile(t *trace.Trace, c *trace.Command, lang trace.Language, operands []trace.Value) trace.Flow {
	args := argumentsOf(lang, operands, true)
	if len(operands) == 0 || operands[0].Text == "-" || operands[0].Text == "/dev/stdin" {
		return interpretInput(t, c, lang, c.In, args)
	}
	v := operands[0]
	if v.Pipe != nil {
		return interpretInput(t, c, lang, *v.Pipe, args)
	}
	if trace.IsURL(v.Text) {
		t.Opaque(c.Span, "runs a program straight from "+trace.HostOf(v.Text), effect.PipeToShell)
		return trace.Unknown()
	}
	place := t.Place(v, c.Scope)
	f, ok := t.Content[place.Name]
	if main, isFolder := mainFile(t, lang, &place); isFolder {
		f, ok = main, true
	}
	switch {
	case ok && f.Known:
		return code.Run(t, c, lang, trace.Value{Text: f.Text, Quality: trace.Quality{Taint: f.Taint}})
	case ok && f.IsTemplate():
		return code.Run(t, c, lang, trace.Value{Text: f.Text, Quality: trace.Quality{Partial: true, Taint: f.Taint}})
	case ok:
		t.RunWritten(c, f)
	default:
		if program.IsTestProgram(place.Name) || isTestScript(operands) {
			t.MarkTest(c)
		}
		database.FrameworkScript(t, c, operands)
		runFrameworkShell(t, c, lang, operands)
		found := lang == trace.Script && runWithoutEnding(t, c, v)
		if runScriptFromDisk(t, c, lang, &place) || found {
			break
		}
		if names := t.Matches(&place); place.Glob && !place.Partial && len(names) > 0 {
			for _, name := range names {
				interpretFile(t, c, lang, []trace.Value{{Text: name}})
			}
			break
		}
		t.NotAnalyzed(c, &place, lang)
	}
	return trace.Flow{Taint: c.In.Taint | trace.FromProgram}
}

// mainFile returns the file that an interpreter runs if a script is a folder, such as x/__main__.py for x. It returns
// false if the call has not written this file.
func mainFile(t *trace.Trace, lang trace.Language, p *trace.Place) (trace.Flow, bool) {
	name := "/index.js"
	if lang == trace.Python {
		name = "/__main__.py"
	}
	f, ok := t.Content[p.Name+name]
	return f, ok
}

// runWithoutEnding analyzes what "node x" runs: the script x.js, or x/index.js if x is a folder.
func runWithoutEnding(t *trace.Trace, c *trace.Command, v trace.Value) bool {
	name, found := strings.TrimSuffix(v.Text, "/"), false
	if strings.Contains(trace.BaseName(name), ".") && name != "." {
		return false
	}
	for _, ending := range [...]string{".js", "/index.js"} {
		v.Text = name + ending
		found = code.RunFile(t, c, trace.Script, v) || found
	}
	return found
}

// runFrameworkShell analyzes the code in a command such as "manage.py shell -c CODE".
func runFrameworkShell(t *trace.Trace, c *trace.Command, lang trace.Language, operands []trace.Value) {
	for i := 2; i+1 < len(operands); i++ {
		shell := strings.HasPrefix(operands[1].Text, "shell")
		if option := operands[i].Text; shell && (option == "-c" || option == "--command") {
			code.Run(t, c, lang, operands[i+1])
		}
	}
	if len(operands) == 2 && strings.HasPrefix(operands[1].Text, "shell") && c.In.Known {
		code.Run(t, c, lang, trace.Value{Text: c.In.Text})
	}
}

// readsSettings reports whether code uses a library that reads the file .env.
func readsSettings(source string) bool {
	for _, name := range [...]string{"dotenv", "decouple", "environs", ".read_env("} {
		if strings.Contains(source, name) {
			return true
		}
	}
	return false
}

// loadModules analyzes the modules that options load before the code runs. The value of such an option is the name of a
// file, or an address that contains code, such as data:text/javascript,CODE.
func loadModules(t *trace.Trace, c *trace.Command, lang trace.Language, list []trace.Value) {
	for _, v := range list {
		kind, source, isCode := strings.Cut(v.Text, ",")
		switch {
		case !isCode || !strings.HasPrefix(kind, "data:"):
			code.LoadFile(t, c, lang, v)
		case strings.HasSuffix(kind, ";base64"):
			t.Opaque(c.Span, "runs decoded text", effect.HiddenExecution)
		default:
			v.Text = words.UnescapePercent(source)
			code.Run(t, c, lang, v)
		}
	}
}

// isTestScript reports whether a script runs the tests of a project. An example is "manage.py test".
func isTestScript(operands []trace.Value) bool {
	if len(operands) < 2 || operands[1].Text != "test" {
		return false
	}
	script := operands[0].Text
	return strings.HasSuffix(script, "manage.py") || strings.HasSuffix(script, "setup.py") || script == "artisan" ||
		script == "ace"
}

// interpretInput analyzes the input of an interpreter as its program.
func interpretInput(
	t *trace.Trace, c *trace.Command, lang trace.Language, in trace.Flow, args []trace.Value,
) trace.Flow {
	switch {
	case in.Known && strings.TrimSpace(in.Text) == "":
		return trace.Unknown()
	case in.Known:
		if in.Taint.Has(trace.Decoded) {
			t.Opaque(c.Span, "runs decoded text", effect.HiddenExecution)
		} else if in.Taint.Has(trace.FromNetwork | trace.FromSocket) {
			t.RunUnknown(c, in.Taint, "")
		}
		c.In = trace.Nothing()
		return code.RunWith(t, c, lang, trace.Value{Text: in.Text, Quality: trace.Quality{Taint: in.Taint}}, args)
	case in.From() != "" && !in.Taint.Has(trace.FromNetwork|trace.Decoded|trace.FromSocket|trace.FromProgram):
		run := func(inner *trace.Command, text string) { code.RunWith(t, inner, lang, trace.Value{Text: text}, args) }
		if t.InputScript(c, in.From(), run) {
			break
		}
		t.InputNotAnalyzed(c, in.From(), lang)
	case in.Text != "" && !in.Taint.Has(trace.FromNetwork|trace.Decoded|trace.FromSocket|trace.FromProgram):
		// The input is a here-document that contains an unknown variable or substitution.
		c.In = trace.Nothing()
		source := trace.Value{Text: in.Text, Quality: trace.Quality{Partial: true, Taint: in.Taint}}
		return code.RunWith(t, c, lang, source, args)
	default:
		t.RunUnknown(c, in.Taint|trace.FromProgram, "runs the output of another program")
	}
	return trace.Flow{Taint: in.Taint | trace.FromProgram}
}

// runScriptFromDisk analyzes a script on disk. It returns false if the script cannot be read.
func runScriptFromDisk(t *trace.Trace, c *trace.Command, lang trace.Language, p *trace.Place) bool {
	return t.FromDisk(c, p, func(inner *trace.Command, text string) {
		code.Run(t, inner, lang, trace.Value{Text: text})
	})
}

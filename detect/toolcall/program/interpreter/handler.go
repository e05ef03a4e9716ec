// Package interpreter handles programs that run source code. Examples are python3, node, perl and awk. The package also
// handles editors that have a language of their own, and compilers if the same command runs the compiled program.
//
// Handler returns the handler of an interpreter. The handler finds the source code on the command line, in a script or
// in the input. The package named code evaluates the source code.
package interpreter

import (
	"strings"

	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Handler returns the handler of a language interpreter or of an editor that can run commands. It returns nil for any
// other program.
func Handler(name string) trace.Handler {
	switch name {
	case words.Among(name, "python python2 python3 pypy pypy3 ipython ipython3 jython graalpy micropython bpython coconut"):
		return pythonProgram
	case "pytest", "py.test":
		return pytestProgram
	case "deno":
		return denoProgram
	case "bun":
		return bunProgram
	case "awk", "gawk", "mawk", "nawk":
		return awkProgram
	case "mlr":
		return millerProgram
	case "r":
		return interpreterHandler(trace.Statistics, "e", "f file")
	case "expect":
		return expectProgram
	case "jshell":
		return interpreterHandler(trace.Groovy, "", "startup class-path")
	case words.Among(name, "erl scala kotlin clojure clj bb swipl ghc guile gosh chibi-scheme janet fennel hy pike qjs d8 jsc sml poly "+
		"gp gap gprolog matlab wolframscript newlisp"):
		return otherProgram
	case words.Among(name, "vim vi nvim ex gvim"):
		return vimProgram
	case "ed", "red":
		return edProgram
	case words.Among(name, "escript gnuplot octave octave-cli racket ocaml runghc runhaskell sbcl clisp ecl raku csi maxima"):
		return interpreterHandler(trace.Other, "e eval evaluate batch-string", "l i load init")
	case "emacs", "emacsclient":
		return interpreterHandler(trace.Other, "e -eval eval execute", "l load f funcall -load -funcall")
	}
	if strings.HasPrefix(name, "python3.") || strings.HasPrefix(name, "python2.") {
		return pythonProgram
	}
	if plain := strings.TrimRight(name, "0123456789."); words.OneOf(plain, "lua ruby perl php tclsh") {
		name = plain // as in lua5.4
	}
	return scriptingHandler(name)
}

// scriptingHandler returns the handler of an interpreter that takes code in an option such as -e. Without that option,
// the interpreter runs a script or its input.
func scriptingHandler(name string) trace.Handler {
	switch name {
	case words.Among(name, "node nodejs tsx ts-node zx"):
		return nodeProgram
	case "perl":
		return interpreterHandler(trace.Perl, "e E", "x")
	case "ruby":
		return interpreterHandler(trace.Ruby, "e", "r I C E")
	case words.Among(name, "jruby truffleruby rbx mruby"):
		return interpreterHandler(trace.Ruby, "e", "r I C E J")
	case "irb":
		return interpreterHandler(trace.Ruby, "", "r I")
	case "php", "hhvm":
		return phpProgram
	case "frankenphp":
		return frankenProgram
	case "lua", "luajit", "texlua":
		return interpreterHandler(trace.Lua, "e", "l")
	case "rscript":
		return interpreterHandler(trace.Statistics, "e", "")
	case "julia":
		return interpreterHandler(trace.Julia, "e E eval print", "L load p procs t threads J sysimage project")
	case "osascript":
		return osascriptProgram
	case "groovy":
		return interpreterHandler(trace.Groovy, "e", "cp classpath c")
	case "elixir", "iex", "elixirc":
		return interpreterHandler(trace.Elixir, "e eval rpc-eval", "r S pa pz name sname cookie")
	case "tclsh", "wish":
		return tclProgram
	}
	return nil
}

// otherProgram handles a program that may get code in an option or from its input. If a call has no code, it is
// analyzed as if the program had no handler.
func otherProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	p := parseCommandLine(c.Args(), "e eval -eval g c code batch", "cp classpath Sdeps pa")
	if c.Name == "bb" && len(p.operands) > 0 && strings.HasPrefix(p.operands[0].Text, "(") {
		p.code = p.operands[:1]
	}
	if len(p.code) > 0 {
		return interpret(t, c, languageOfProgram(c.Name), p)
	}
	if len(p.operands) == 0 {
		t.RunForeign(c, c.In)
		if c.In.Known && c.In.Text != "" {
			return interpretInput(t, c, trace.Other, c.In, nil)
		}
	}
	return program.Plain(t, c)
}

// frankenProgram handles FrankenPHP, whose subcommand php-cli is PHP.
func frankenProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	if args := c.Args(); len(args) > 1 && args[0].Text == "php-cli" {
		return t.RunInner(c, append([]trace.Value{{Text: "php"}}, args[1:]...))
	}
	return program.Plain(t, c)
}

// phpProgram handles PHP. Its option -f names a script.
func phpProgram(t *trace.Trace, c *trace.Command) trace.Flow {
	p := parseCommandLine(c.Args(), "r run B R process-code E process-begin process-end", "S t d c")
	return interpret(t, c, trace.PHP, p)
}

// interpreterHandler returns the handler of an interpreter. The parameter "codes" lists the options that take code.
// The parameter "values" lists the options that take any other value.
func interpreterHandler(lang trace.Language, codes, values string) trace.Handler {
	return func(t *trace.Trace, c *trace.Command) trace.Flow {
		p := parseCommandLine(c.Args(), codes, values)
		return interpret(t, c, lang, p)
	}
}

package packages

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// pythonPackageHandler knows pip and its relatives.
func pythonPackageHandler(name string) trace.Handler {
	switch name {
	case words.Among(name, "pip pip2 pip3 pipx easy_install"):
		return func(t *trace.Trace, c *trace.Command) trace.Flow { return pip(t, c, c.Args()) }
	case words.Among(name, "uv poetry pipenv pdm hatch rye flit pixi"):
		return pythonProject
	case "uvx":
		return func(t *trace.Trace, c *trace.Command) trace.Flow {
			_, rest := flags.ParseLeading(c.Args(), uvValues)
			return runInner(t, c, rest)
		}
	case "conda", "mamba", "micromamba":
		return conda
	case "twine", "anaconda":
		return twine
	case "coverage":
		return coverage
	}
	return versionedPip(name)
}

// versionedPip returns the handler of pip with a version in its name: pip3.12.
func versionedPip(name string) trace.Handler {
	if strings.HasPrefix(name, "pip3.") {
		return func(t *trace.Trace, c *trace.Command) trace.Flow { return pip(t, c, c.Args()) }
	}
	return nil
}

const pipValues = "i index-url extra-index-url trusted-host f find-links r requirement c constraint e editable t target prefix root proxy timeout python index default-index"

func pip(t *trace.Trace, c *trace.Command, args []trace.Value) trace.Flow {
	o := flags.Parse(args, pipValues)
	switch o.Word(0) {
	case "install", "download", "wheel", "sync", "compile", "inject", "upgrade":
		pipSources(t, c, &o)
	case "config":
		if o.Word(1) == "set" {
			sources(t, c, o.Operands[min(3, len(o.Operands)):]...)
		}
	case "run":
		return runInner(t, c, o.Operands[1:])
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func pipSources(t *trace.Trace, c *trace.Command, o *flags.Options) {
	sources(t, c, o.Operands[1:]...)
	sources(t, c, o.Values("i index-url extra-index-url f find-links r requirement e editable index default-index")...)
	for _, v := range o.Values("trusted-host") {
		if host := trace.HostOf(v.Text); !trace.IsLoopback(host) {
			t.Mark(c, "installs from "+host+" without checking who it is", effect.UntrustedSource)
		}
	}
}

const uvValues = "with with-requirements python p extra group env-file directory project index-url extra-index-url index default-index from package n C"

// pythonProject analyses a manager of a project and its environment, in which it runs commands.
func pythonProject(t *trace.Trace, c *trace.Command) trace.Flow {
	_, rest := flags.ParseLeading(c.Args(), "directory project C P p python config-file color e env env-file")
	if len(rest) == 0 {
		return trace.Nothing()
	}
	args := rest[1:]
	all := flags.Parse(args, pipValues)
	switch verb := rest[0].Text; verb {
	case "run", "shell":
		_, inner := flags.ParseLeading(args, uvValues)
		if c.Name == "hatch" && len(inner) > 0 {
			name := words.AfterLast(inner[0].Text, ":")
			inner = append([]trace.Value{{Text: name}}, inner[1:]...)
		}
		return runInner(t, c, inner)
	case "tool", "x":
		if all.Word(0) == "run" {
			_, inner := flags.ParseLeading(args[1:], uvValues)
			return runInner(t, c, inner)
		}
	case "pip":
		return pip(t, c, args)
	case "publish", "upload":
		return publishes(t, c, &all, "to the registry")
	case "test":
		t.Mark(c, "", effect.TestRun)
	case words.Among(verb, "add install sync lock update"):
		pipSources(t, c, &flags.Options{Flags: all.Flags, Operands: append([]trace.Value{{}}, all.Operands...)})
	case "source":
		sources(t, c, all.Operands...)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func conda(t *trace.Trace, c *trace.Command) trace.Flow {
	_, rest := flags.ParseLeading(c.Args(), "n name p prefix")
	if len(rest) == 0 {
		return trace.Nothing()
	}
	all := flags.Parse(rest[1:], "n name p prefix c channel f file")
	switch rest[0].Text {
	case "run":
		_, inner := flags.ParseLeading(rest[1:], "n name p prefix cwd")
		return runInner(t, c, inner)
	case "install", "create", "update":
		sources(t, c, append(all.Values("c channel"), all.Operands...)...)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func twine(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "r repository repository-url u p config-file")
	if o.Word(0) == "upload" {
		return publishes(t, c, &o, "to the registry")
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// coverage analyses a program that measures another one, usually a test runner.
func coverage(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "m source rcfile omit include")
	if o.Word(0) != "run" {
		return trace.Flow{Taint: trace.FromProgram}
	}
	if module := trace.FirstText(o.Values("m")); program.IsTestProgram(module) || program.IsTestProgram(o.Word(1)) {
		t.Mark(c, "", effect.TestRun)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

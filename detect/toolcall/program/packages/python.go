package packages

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// pythonPackageHandler returns the handler of a program such as pip3.12, whose own name is not in the table. It returns
// nil for any other program.
func pythonPackageHandler(name string) trace.Handler {
	switch {
	case name == "uvx":
		return uvx
	case strings.HasPrefix(name, "pip3."):
		return table.Handler("pip3")
	}
	return nil
}

func uvx(t *trace.Trace, c *trace.Command) trace.Flow {
	return pythonToolOf(t, c, c.Args())
}

// pipInstall checks the sources of the packages in operands and flags.
func pipInstall(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	sources(t, c, o.Operands[1:]...)
	sources(t, c, o.Values("i index-url extra-index-url f find-links r requirement e editable index default-index")...)
	variableSources(t, c)
	for _, v := range o.Values("trusted-host") {
		if host := trace.HostOf(v.Text); !trace.IsLoopback(host) {
			t.Mark(c, "installs from "+host+" without checking its identity", effect.UntrustedSource)
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// pipConfig analyzes "pip config set KEY VALUE", which can change where packages come from.
func pipConfig(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	sources(t, c, o.Operands[min(3, len(o.Operands)):]...)
	return trace.Flow{Taint: trace.FromProgram}
}

func pipxRun(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	runsFrom(t, c, o.Values("spec")...)
	runsFrom(t, c, o.Operands[1:min(2, len(o.Operands))]...)
	return runInner(t, c, o.Operands[1:])
}

// pythonRun analyzes a command that runs in the environment of a project.
func pythonRun(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	inner := flags.SkipLeading(afterSubcommand(c, pythonLeading), uvValues)
	if c.Name == "hatch" && len(inner) > 0 {
		name := words.AfterLast(inner[0].Text, ":")
		inner = append([]trace.Value{{Text: name}}, inner[1:]...)
	}
	if len(inner) > 0 && program.IsTestTarget(inner[0].Text) && !strings.ContainsAny(inner[0].Text, "./") {
		t.MarkTest(c) // the word names a script of the project
	}
	return runInner(t, c, inner)
}

// pythonTool analyzes a program that runs in a separate environment, as in "uv tool run".
func pythonTool(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	return pythonToolOf(t, c, afterSubcommand(c, pythonLeading)[1:])
}

// pythonToolOf analyzes a program and the packages that the program needs. The names of the program and of the packages
// are in the arguments.
func pythonToolOf(t *trace.Trace, c *trace.Command, args []trace.Value) trace.Flow {
	o, inner := flags.ParseLeading(args, uvValues)
	runsFrom(t, c, o.Values("from with")...)
	runsFrom(t, c, inner[:min(1, len(inner))]...)
	return runInner(t, c, inner)
}

func condaRun(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	inner := flags.SkipLeading(afterSubcommand(c, condaLeading), condaLeading+" cwd")
	return runInner(t, c, inner)
}

func condaInstall(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	sources(t, c, append(o.Values("c channel"), o.Operands[1:]...)...)
	return trace.Flow{Taint: trace.FromProgram}
}

// coverageRun analyzes a program that measures another program, usually a test runner.
func coverageRun(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if module := trace.FirstText(o.Values("m")); program.IsTestProgram(module) || program.IsTestProgram(o.Word(1)) {
		t.MarkTest(c)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// Package packages analyzes package managers, build tools, and the targets and scripts that they run.
package packages

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Handler returns the handler of a package manager, build tool or test runner, or nil.
func Handler(name string) trace.Handler {
	for _, group := range [...]func(string) trace.Handler{nodePackageHandler, pythonPackageHandler, systemPackageHandler, buildHandler} {
		if h := group(name); h != nil {
			return h
		}
	}
	return table.Handler(name)
}

// target analyzes a script or target of the project, if its text is known.
func target(t *trace.Trace, c *trace.Command, name, where string) {
	if program.IsTestTarget(name) {
		t.MarkTest(c)
	} else if program.IsReleaseTarget(name) {
		t.Mark(c, "releases: "+name, effect.Deploy)
	}
	if targetOnDisk(t, c, name, where) {
		return
	}
	t.Opaque(c.Span, "runs "+words.OrElse(name, "the first target")+" from "+where+", which was not analyzed")
}

// sources adds an event if packages come from an address without transport security.
func sources(t *trace.Trace, c *trace.Command, vs ...trace.Value) {
	for _, v := range vs {
		text := words.AfterLast(v.Text, " @ ")
		if program.IsInsecure(text) {
			t.Mark(c, "installs from "+text+" without transport security", effect.UntrustedSource)
		}
	}
}

// publishes adds an event for a publication, except for a dry run.
func publishes(t *trace.Trace, c *trace.Command, o *flags.Options, what string) trace.Flow {
	if !o.Has("dry-run n dryrun DryRun") {
		t.Mark(c, "publishes "+what, effect.Publish)
	}
	return trace.Nothing()
}

// runInner analyzes a command that a package manager finds and runs. The name of the command may contain a version, as
// in prisma@5.
func runInner(t *trace.Trace, c *trace.Command, argv []trace.Value) trace.Flow {
	if len(argv) == 0 || strings.HasPrefix(argv[0].Text, "-") {
		return trace.Flow{Taint: trace.FromProgram}
	}
	first := argv[0]
	if i := strings.LastIndexByte(first.Text, '@'); i > 0 {
		first.Text = first.Text[:i]
	}
	argv = append([]trace.Value{first}, argv[1:]...)
	if strings.HasSuffix(first.Text, ".py") {
		argv = append([]trace.Value{{Text: "python"}}, argv...)
	}
	return t.RunInner(c, argv)
}

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

// target() analyzes a script or target of the project. If the text of the script or target is not known, the effect
// says that the script or target was not analyzed.
func target(t *trace.Trace, c *trace.Command, name, where string) {
	noteTarget(t, c, name)
	if targetOnDisk(t, c, name, where) || (where != packageFile || words.OneOf(name, "start build dev serve prepare")) &&
		len(t.BroughtIn) > 0 && runsThere(t, c, words.OrElse(name, "Makefile")) {
		return
	}
	t.Unanalyzed(c.Span, "runs "+words.OrElse(name, "the first target")+" from "+where+", which was not analyzed")
}

// noteTarget adds the events that the name of a target suggests.
func noteTarget(t *trace.Trace, c *trace.Command, name string) {
	if program.IsTestTarget(name) {
		t.MarkTest(c)
	} else if program.IsReleaseTarget(name) {
		t.Mark(c, "releases: "+name, effect.Deploy)
	}
}

// runsThere calls RunsHere for the folder that an option such as "make -C" names.
func runsThere(t *trace.Trace, c *trace.Command, name string) bool {
	o := flags.Parse(c.Args(), makeValues+" prefix cwd dir")
	return t.RunsHere(c, words.OrElse(trace.FirstText(o.Values("C directory prefix cwd dir")), ".")+"/"+name)
}

// sources() adds an event if packages come from an address without transport security.
func sources(t *trace.Trace, c *trace.Command, vs ...trace.Value) {
	for _, v := range vs {
		text := words.AfterLast(v.Text, " @ ")
		if program.IsInsecure(text) {
			t.Mark(c, "installs from "+text+" without transport security", effect.UntrustedSource)
		}
		if f, ok := t.Content[t.Place(v, c.Scope).Name]; ok {
			t.RunForeign(c, f) // the call itself has downloaded the package
		}
	}
}

// sourceVariables lists variables with the addresses from which package managers take packages. uncheckedHosts lists
// variables with the names of hosts. Package managers do not check the identity of these hosts.
const (
	sourceVariables = "PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS UV_INDEX_URL UV_DEFAULT_INDEX UV_INDEX NPM_CONFIG_REGISTRY " +
		"npm_config_registry YARN_REGISTRY YARN_NPM_REGISTRY_SERVER GOPROXY BUNDLE_MIRROR__ALL"
	uncheckedHosts = "PIP_TRUSTED_HOST UV_INSECURE_HOST GOINSECURE GONOSUMDB"
)

// variableSources adds an event if a variable makes a package manager use an unencrypted address. It also adds an event
// if a variable makes a package manager skip the check of a host's identity.
func variableSources(t *trace.Trace, c *trace.Command) {
	for _, name := range strings.Split(sourceVariables, " ") {
		for _, address := range strings.Fields(strings.ReplaceAll(c.Scope.Exported(name).Text, ",", " ")) {
			sources(t, c, trace.Value{Text: address})
		}
	}
	if c.Scope.Exported("GOSUMDB").Text == "off" || c.Scope.Exported("COREPACK_INTEGRITY_KEYS").Text == "0" {
		t.Mark(c, "installs without checking the sums of packages", effect.UntrustedSource)
	}
	for _, name := range strings.Split(uncheckedHosts, " ") {
		if host := c.Scope.Exported(name).Text; host != "" && !trace.IsLoopback(trace.HostOf(host)) {
			t.Mark(c, "installs from "+host+" without checking its identity", effect.UntrustedSource)
		}
	}
}

// runsFrom checks a package that a command fetches and runs without installing it. The command may name a URL or a
// repository instead of a package. For such a command, runsFrom adds an opaque effect, because the code at that address
// can do anything.
func runsFrom(t *trace.Trace, c *trace.Command, vs ...trace.Value) {
	for _, v := range vs {
		scheme, rest, ok := strings.Cut(words.AfterLast(v.Text, " @ "), ":")
		switch {
		case !ok:
		case words.OneOf(scheme, "github gitlab bitbucket gist"):
			t.Opaque(c.Span, "runs a program straight from "+scheme, effect.PipeToShell)
		case strings.HasPrefix(rest, "//") && scheme != "file" && !trace.IsLoopback(trace.HostOf(v.Text)):
			t.Opaque(c.Span, "runs a program straight from "+trace.HostOf(v.Text), effect.PipeToShell)
		}
	}
	sources(t, c, vs...)
}

// publishes() adds the event Publish unless the call is a dry run.
func publishes(t *trace.Trace, c *trace.Command, what string) trace.Flow {
	if flags.FirstOf(c.Args(), "-n --dry-run --dryrun -DryRun") == "" {
		t.Mark(c, "publishes "+what, effect.Publish)
	}
	return trace.Nothing()
}

// runInner analyzes a command that a package manager finds and runs. The name of the command may include a version, as
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

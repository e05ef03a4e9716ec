package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// pythonPackageHandler knows pip and its relatives.
func pythonPackageHandler(name string) handler {
	switch name {
	case among(name, "pip pip2 pip3 pipx easy_install"):
		return func(a *analyzer, c *command) flow { return a.pip(c, c.args()) }
	case among(name, "uv poetry pipenv pdm hatch rye flit pixi"):
		return pythonProject
	case "uvx":
		return func(a *analyzer, c *command) flow {
			_, rest := leadingOptions(c.args(), uvValues)
			return a.inner(c, rest)
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

// versionedPip is pip with a version in its name: pip3.12.
func versionedPip(name string) handler {
	if strings.HasPrefix(name, "pip3.") {
		return func(a *analyzer, c *command) flow { return a.pip(c, c.args()) }
	}
	return nil
}

const pipValues = "i index-url extra-index-url trusted-host f find-links r requirement c constraint e editable t target prefix root proxy timeout python index default-index"

func (a *analyzer) pip(c *command, args []value) flow {
	o := parseOptions(args, pipValues)
	switch o.word(0) {
	case "install", "download", "wheel", "sync", "compile", "inject", "upgrade":
		a.pipSources(c, &o)
	case "config":
		if o.word(1) == "set" {
			a.sources(c, o.operands[min(3, len(o.operands)):]...)
		}
	case "run":
		return a.inner(c, o.operands[1:])
	}
	return flow{taint: fromProgram}
}

func (a *analyzer) pipSources(c *command, o *options) {
	a.sources(c, o.operands[1:]...)
	a.sources(c, o.values("i index-url extra-index-url f find-links r requirement e editable index default-index")...)
	for _, v := range o.values("trusted-host") {
		if host := hostOf(v.text); !isLoopback(host) {
			a.mark(c, "installs from "+host+" without checking who it is", effect.UntrustedSource)
		}
	}
}

const uvValues = "with with-requirements python p extra group env-file directory project index-url extra-index-url index default-index from package n C"

// pythonProject is a manager of a project and its environment, in which it runs commands.
func pythonProject(a *analyzer, c *command) flow {
	_, rest := leadingOptions(c.args(), "directory project C P p python config-file color e env env-file")
	if len(rest) == 0 {
		return nothing()
	}
	args := rest[1:]
	all := parseOptions(args, pipValues)
	switch verb := rest[0].text; verb {
	case "run", "shell":
		_, inner := leadingOptions(args, uvValues)
		if c.name == "hatch" && len(inner) > 0 {
			name := afterLast(inner[0].text, ":")
			inner = append([]value{{text: name}}, inner[1:]...)
		}
		return a.inner(c, inner)
	case "tool", "x":
		if all.word(0) == "run" {
			_, inner := leadingOptions(args[1:], uvValues)
			return a.inner(c, inner)
		}
	case "pip":
		return a.pip(c, args)
	case "publish", "upload":
		return a.publishes(c, &all, "to the registry")
	case "test":
		a.mark(c, "", effect.TestRun)
	case among(verb, "add install sync lock update"):
		a.pipSources(c, &options{flags: all.flags, operands: append([]value{{}}, all.operands...)})
	case "source":
		a.sources(c, all.operands...)
	}
	return flow{taint: fromProgram}
}

func conda(a *analyzer, c *command) flow {
	_, rest := leadingOptions(c.args(), "n name p prefix")
	if len(rest) == 0 {
		return nothing()
	}
	all := parseOptions(rest[1:], "n name p prefix c channel f file")
	switch rest[0].text {
	case "run":
		_, inner := leadingOptions(rest[1:], "n name p prefix cwd")
		return a.inner(c, inner)
	case "install", "create", "update":
		a.sources(c, append(all.values("c channel"), all.operands...)...)
	}
	return flow{taint: fromProgram}
}

func twine(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "r repository repository-url u p config-file")
	if o.word(0) == "upload" {
		return a.publishes(c, &o, "to the registry")
	}
	return flow{taint: fromProgram}
}

// coverage measures a program, which most often is a test runner.
func coverage(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "m source rcfile omit include")
	if o.word(0) != "run" {
		return flow{taint: fromProgram}
	}
	if module := firstText(o.values("m")); isTestProgram(module) || isTestProgram(o.word(1)) {
		a.mark(c, "", effect.TestRun)
	}
	return flow{taint: fromProgram}
}

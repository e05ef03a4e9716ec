package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// packageHandler knows package managers, build tools and test runners.
func packageHandler(name string) handler {
	for _, group := range [...]func(string) handler{nodePackageHandler, pythonPackageHandler, systemPackageHandler, buildHandler} {
		if h := group(name); h != nil {
			return h
		}
	}
	return nil
}

// isTestProgram reports whether a program's or script's name alone says that it runs tests.
func isTestProgram(name string) bool {
	name = strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	if name == among(name, "pytest py.test unittest nose2 nosetests jest vitest mocha ava tap jasmine karma rspec minitest "+
		"phpunit pest paratest behat codecept ctest busted bats tox nox gotestsum ginkgo cucumber behave "+
		"robot prove wtr testem uvu trial stestr cargo-nextest test-runner runtests xctest") {
		return true
	}
	stem, ext, isScript := strings.Cut(name, ".")
	if !isScript || !oneOf(ext, "sh", "bash", "py", "js", "ts", "mjs", "cjs", "rb", "pl", "php", "test.js", "test.ts", "test.mjs", "spec.js", "spec.ts") {
		return false
	}
	return isTestTarget(stem) || strings.HasPrefix(ext, "test.") || strings.HasPrefix(ext, "spec.")
}

// isTestTarget reports whether a script, target or task runs tests by its name: test, test:unit, run-tests.
func isTestTarget(name string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(":-_./", r) }) {
		if word == among(word, "test tests spec specs e2e unittest unittests runtests pytest jest vitest testall") {
			return true
		}
	}
	return false
}

// isReleaseTarget reports whether a script, target or task brings something to its users by its name.
func isReleaseTarget(name string) bool {
	word := strings.ToLower(name)
	if i := strings.IndexAny(word, ":-_"); i > 0 {
		word = word[:i]
	}
	return word == "deploy" || word == "release" || word == "publish" || word == "rollout"
}

// target notes that a script or target of the project is run; where its text cannot be had it is not looked into.
func (a *analyzer) target(c *command, name, where string) {
	if isTestTarget(name) {
		a.mark(c, "", effect.TestRun)
	} else if isReleaseTarget(name) {
		a.mark(c, "releases: "+name, effect.Deploy)
	}
	if a.targetOnDisk(c, name, where) {
		return
	}
	a.opaque(c.span, "runs "+orElse(name, "the first target")+" of "+where+", which is not looked into")
}

// isInsecure reports whether a source of packages is reached without transport security.
func isInsecure(text string) bool {
	for _, prefix := range [...]string{"git+", "svn+", "hg+"} {
		text = strings.TrimPrefix(text, prefix)
	}
	return (strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "git://")) && !isLoopback(hostOf(text))
}

// sources marks packages, or registries, that come from a place without transport security.
func (a *analyzer) sources(c *command, vs ...value) {
	for _, v := range vs {
		text := afterLast(v.text, " @ ")
		if isInsecure(text) {
			a.mark(c, "installs from "+text+" without transport security", effect.UntrustedSource)
		}
	}
}

// publishes marks a publication, unless it is only tried.
func (a *analyzer) publishes(c *command, o *options, what string) flow {
	if !o.has("dry-run n dryrun DryRun") {
		a.mark(c, "publishes "+what, effect.Publish)
	}
	return nothing()
}

// inner runs a command that a package manager only finds. Its name may carry a version: prisma@5.
func (a *analyzer) inner(c *command, argv []value) flow {
	if len(argv) == 0 || strings.HasPrefix(argv[0].text, "-") {
		return flow{taint: fromProgram}
	}
	first := argv[0]
	if i := strings.LastIndexByte(first.text, '@'); i > 0 {
		first.text = first.text[:i]
	}
	argv = append([]value{first}, argv[1:]...)
	if strings.HasSuffix(first.text, ".py") {
		argv = append([]value{{text: "python"}}, argv...)
	}
	return a.again(c, argv)
}

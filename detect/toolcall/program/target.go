package program

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// IsTestProgram reports whether the name of a program or script shows that it runs tests.
func IsTestProgram(name string) bool {
	name = strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	if name == words.Among(name,
		"pytest py.test unittest nose2 nosetests jest vitest mocha ava tap jasmine karma rspec minitest "+
			"phpunit pest paratest behat codecept ctest busted bats tox nox gotestsum ginkgo cucumber behave "+
			"robot prove wtr testem uvu trial stestr cargo-nextest test-runner runtests xctest") {
		return true
	}
	stem, ext, isScript := strings.Cut(name, ".")
	if strings.HasPrefix(name, "run-test") || strings.HasPrefix(name, "run_test") || strings.HasPrefix(name, "runtest") {
		return true
	}
	if !isScript || !words.OneOf(ext, "sh bash py js ts mjs cjs rb pl php test.js test.ts test.mjs spec.js spec.ts") {
		return false
	}
	return IsTestTarget(stem) || strings.HasPrefix(ext, "test.") || strings.HasPrefix(ext, "spec.")
}

// IsTestTarget reports whether the name of a script, target or task, such as test:unit, shows that it runs tests.
func IsTestTarget(name string) bool {
	name = strings.ToLower(name)
	if words.OneOf(name, "check checks ci") {
		return true
	}
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(":-_./+", r) }) {
		if word == words.Among(word,
			"test tests spec specs e2e unittest unittests runtests pytest jest vitest testall testacc") {
			return true
		}
	}
	return false
}

// IsReleaseTarget reports whether the name of a script, target or task shows that it releases something.
func IsReleaseTarget(name string) bool {
	word := strings.ToLower(name)
	if i := strings.IndexAny(word, ":-_"); i > 0 {
		word = word[:i]
	}
	return word == "deploy" || word == "release" || word == "publish" || word == "rollout"
}

// IsInsecure reports whether packages from this source are downloaded without encryption.
func IsInsecure(text string) bool {
	for _, prefix := range [...]string{"git+", "svn+", "hg+"} {
		text = strings.TrimPrefix(text, prefix)
	}
	return (strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "git://")) &&
		!trace.IsLoopback(trace.HostOf(text))
}

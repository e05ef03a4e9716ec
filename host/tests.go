package host

import (
	"cmp"
	"path"
	"strings"

	"guardrails/decide"
	"guardrails/detect/toolcall/program/packages"
)

// maxTestEntries is the largest number of entries of a project that are searched for tests. A project with more entries
// counts as a project with tests. maxTestFile is the largest size of a build file that is read.
const (
	maxTestEntries = 5000
	maxTestFile    = 1 << 20
)

// projectTests reports whether a project has tests, and which command runs them. A project has tests if its root
// contains a file that shows this, such as a test script or a build file with a test target. A project also has tests
// if any file has the name of a test file.
func (m *Machine) projectTests(root string) decide.ProjectTests {
	entries, complete := m.List(root, maxTestEntries)
	s := &testSearch{m: m, root: root, left: maxTestEntries - len(entries), complete: complete}
	for _, e := range entries {
		s.names = append(s.names, e.Name)
	}
	command, isTarget := s.target()
	if isTarget || s.hasTests("", entries) || !s.complete {
		return decide.ProjectTests{Command: command}
	}
	return decide.ProjectTests{None: true}
}

type testSearch struct {
	m        *Machine
	root     string
	names    []string // the files and folders in the root
	left     int
	complete bool
}

// hasTests reports whether a folder contains a test file. It checks the files in the folder first, and then the
// subfolders.
func (s *testSearch) hasTests(folder string, entries []decide.Entry) bool {
	for _, e := range entries {
		if !e.Folder && decide.IsTestFile(path.Join(folder, e.Name)) {
			return true
		}
	}
	for _, e := range entries {
		if !e.Folder || strings.HasPrefix(e.Name, ".") || decide.IsGenerated(e.Name) {
			continue
		}
		if s.left <= 0 {
			s.complete = false
			return false
		}
		name := path.Join(folder, e.Name)
		inner, complete := s.m.List(path.Join(s.root, name), s.left)
		s.left -= len(inner)
		s.complete = s.complete && complete
		if s.hasTests(name, inner) {
			return true
		}
	}
	return false
}

// target() returns the command that runs the tests. If a file in the root shows that the project has tests, isTarget is
// true.
func (s *testSearch) target() (command string, isTarget bool) {
	command = cmp.Or(s.runner(), s.makeTarget(), s.justTarget(), s.packageScript(), s.commandFor(testTools))
	if command != "" {
		return command, true
	}
	return s.commandFor(languageTools), false
}

func (s *testSearch) has(names ...string) bool {
	for _, name := range names {
		for _, have := range s.names {
			if have == name {
				return true
			}
		}
	}
	return false
}

func (s *testSearch) read(name string) string {
	if s.m.Script == nil || !s.has(name) {
		return ""
	}
	text, _ := s.m.Script(path.Join(s.root, name), maxTestFile)
	return string(text)
}

// runner() returns the command that runs a test script in the root, such as run-tests.sh.
func (s *testSearch) runner() string {
	for _, name := range s.names {
		for _, prefix := range [...]string{"run-tests", "run_tests", "runtests", "runtest"} {
			if name == prefix || strings.HasPrefix(name, prefix+".") {
				return "./" + name
			}
		}
	}
	return ""
}

func (s *testSearch) makeTarget() string {
	for _, name := range [...]string{"GNUmakefile", "makefile", "Makefile"} {
		if text := s.read(name); text != "" {
			rules := packages.ParseMakefile(text).Rules
			return firstTarget("make ", func(target string) bool { return rules[target] != nil })
		}
	}
	return ""
}

func (s *testSearch) justTarget() string {
	for _, file := range [...]struct{ name, command, indent string }{
		{"justfile", "just ", "\n"},
		{"Justfile", "just ", "\n"},
		{".justfile", "just ", "\n"},
		{"Taskfile.yml", "task ", "\n  "},
		{"Taskfile.yaml", "task ", "\n  "},
	} {
		if text := "\n" + s.read(file.name); len(text) > 1 {
			return firstTarget(file.command, func(target string) bool { return strings.Contains(text, file.indent+target+":") })
		}
	}
	return ""
}

func firstTarget(command string, exists func(target string) bool) string {
	for _, target := range [...]string{"test", "tests", "check"} {
		if exists(target) {
			return command + target
		}
	}
	return ""
}

// packageScript returns the command that runs the "test" script in package.json. It returns "" for the script that "npm
// init" creates, because that script runs no test.
func (s *testSearch) packageScript() string {
	lines := packages.PackageLines(s.read("package.json"), "test")
	if len(lines) == 0 || strings.Contains(lines[len(lines)-1].Text, "no test specified") {
		return ""
	}
	switch {
	case s.has("pnpm-lock.yaml"):
		return "pnpm test"
	case s.has("yarn.lock"):
		return "yarn test"
	case s.has("bun.lock", "bun.lockb"):
		return "bun run test"
	}
	return "npm test"
}

// testTools lists files that belong to test tools, each with the command of the tool. languageTools lists files that
// projects in a language usually have, each with the usual test command. It is possible that a project with such a file
// has no tests.
const (
	testTools = "tox.ini=tox noxfile.py=nox pytest.ini=pytest conftest.py=pytest .rspec=bundle_exec_rspec " +
		"phpunit.xml=vendor/bin/phpunit phpunit.xml.dist=vendor/bin/phpunit Cargo.toml=cargo_test"
	languageTools = "go.mod=go_test_./... pyproject.toml=pytest setup.py=pytest setup.cfg=pytest pom.xml=mvn_test " +
		"gradlew=./gradlew_test build.gradle=gradle_test build.gradle.kts=gradle_test mix.exs=mix_test " +
		"deno.json=deno_test Package.swift=swift_test pubspec.yaml=dart_test Rakefile=rake_test build.sbt=sbt_test " +
		"stack.yaml=stack_test dune-project=dune_test rebar.config=rebar3_eunit build.zig=zig_build_test " +
		"*.sln=dotnet_test *.csproj=dotnet_test"
)

// commandFor returns the command of the first file in a list that exists in the root.
func (s *testSearch) commandFor(list string) string {
	for _, tool := range strings.Fields(list) {
		file, command, _ := strings.Cut(tool, "=")
		for _, name := range s.names {
			if ending, ok := strings.CutPrefix(file, "*"); name == file || ok && strings.HasSuffix(name, ending) {
				return strings.ReplaceAll(command, "_", " ")
			}
		}
	}
	return ""
}

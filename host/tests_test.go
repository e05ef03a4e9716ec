package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/host"
)

func TestAProjectSaysHowItsTestsRun(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"a Makefile with a target test", map[string]string{"Makefile": "build:\n\tgo build\ntest:\n\tgo test\n", "go.mod": ""}, "make test"},
		{"a Makefile with a target check", map[string]string{"Makefile": "check: build\n\t./check\n"}, "make check"},
		{"a justfile", map[string]string{"justfile": "build:\n  x\ntest:\n  y\n"}, "just test"},
		{"a Taskfile", map[string]string{"Taskfile.yml": "tasks:\n  test:\n    cmd: x\n"}, "task test"},
		{"a script in package.json", map[string]string{"package.json": `{"scripts": {"test": "jest"}}`}, "npm test"},
		{"a script for pnpm", map[string]string{"package.json": `{"scripts": {"test": "vitest"}}`, "pnpm-lock.yaml": ""}, "pnpm test"},
		{"a script for yarn", map[string]string{"package.json": `{"scripts": {"test": "vitest"}}`, "yarn.lock": ""}, "yarn test"},
		{"the script that npm init writes", map[string]string{"package.json": `{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}`, "a.js": ""}, "none"},
		{"a package.json without a script", map[string]string{"package.json": `{"scripts": {"build": "tsc"}}`}, "none"},
		{"Go without tests", map[string]string{"go.mod": "", "a.go": ""}, "none"},
		{"Go with tests", map[string]string{"go.mod": "", "in/side/a_test.go": ""}, "go test ./..."},
		{"Rust, whose tests may be in any file", map[string]string{"Cargo.toml": "", "src/main.rs": ""}, "cargo test"},
		{"Python with tests", map[string]string{"pyproject.toml": "", "tests/test_a.py": ""}, "pytest"},
		{"tox", map[string]string{"tox.ini": ""}, "tox"},
		{"a script of its own", map[string]string{"run-tests.sh": "", "a.c": ""}, "./run-tests.sh"},
		{"Java", map[string]string{"pom.xml": "", "src/test/java/ATest.java": ""}, "mvn test"},
		{"C#", map[string]string{"app.sln": "", "app.Tests/AppTests.cs": ""}, "dotnet test"},
		{"tests without a known command", map[string]string{"spec/a_spec.lua": ""}, ""},
		{"tests of other people's code alone", map[string]string{"a.js": "", "node_modules/x/test/a.js": "", "vendor/a_test.go": ""}, "none"},
		{"documents alone", map[string]string{"README.md": "", "docs/testing.md": "", "tests/README.md": ""}, "none"},
		{"nothing", nil, "none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			for name, text := range c.files {
				path := filepath.Join(root, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got := host.New(func(string) string { return "" }, "").Facts(root).Tests()
			if command := strings.TrimSuffix(c.want, "none"); got.None != (c.want == "none") || got.Command != command {
				t.Errorf("got %+v, want %q", got, c.want)
			}
		})
	}
}

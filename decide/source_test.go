package decide_test

import (
	"testing"

	"guardrails/decide"
)

func TestTestsAreExpectedAfterChangesOfSourceFiles(t *testing.T) {
	for name, want := range map[string]bool{
		"a.go": true, "src/A.PY": true, "src/App.vue": true, "scripts/build.sh": true, "a_test.go": true, "web/a.d.ts": true,
		"README.md": false, "go.sum": false, "a.PNG": false, "LICENSE": false, ".gitignore": false, "Makefile": false,
		"x/Dockerfile": false, "conf.yaml": false, "package.json": false, "package-lock.json": false, "style.css": false,
		"a.scss": false, "index.html": false, "go.mod": false, "Cargo.toml": false, "vite.config.ts": false,
		".eslintrc.js": false, "jest.config.mjs": false, "src": false, "": false, ".": false,
	} {
		if decide.IsSource(name) != want {
			t.Errorf("%s: got %v", name, !want)
		}
	}
}

func TestNamesOfFilesSayThatTheyContainTests(t *testing.T) {
	for name, want := range map[string]bool{
		"a_test.go": true, "tests/a.py": true, "src/__tests__/a.js": true, "a.spec.ts": true, "FooTest.java": true,
		"src/test/java/Foo.java": true, "test_a.py": true, "FooTests.cs": true, "a.test.tsx": true, "spec/a_spec.rb": true,
		"login.cy.ts": true, "features/test.feature": true, "APITest.php": true, "test.sh": true,
		"a.go": false, "latest.go": false, "contest.py": false, "docs/testing.md": false, "openapi.spec.yaml": false,
		"src/attest/a.rs": false, "testdata/a.json": false, "inspector.js": false, "specialTask.ts": false,
	} {
		if decide.IsTestFile(name) != want {
			t.Errorf("%s: got %v", name, !want)
		}
	}
}

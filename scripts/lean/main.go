// Lean makes the copy of the shell parser that hooks are built with, in .build/lean: the files of the library's parser as
// they are in Go's module cache, of which fmt alone is replaced by a small package of the same name. The printer, which
// hooks do not use, is left out, because it compiles regular expressions at every start.
//
// Start with run. The copy is used by go build -modfile=.build/lean/go.mod; every other build uses the library itself.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// library is the module that is copied.
const library = "mvdan.cc/sh/v3"

// files are those of the library that a hook needs.
func files() []string {
	return []string{
		"go.mod", "LICENSE", "syntax/braces.go", "syntax/lexer.go", "syntax/nodes.go", "syntax/parser.go", "syntax/parser_arithm.go",
		"syntax/token_string.go", "syntax/tokens.go", "syntax/tokens_parse.go", "syntax/walk.go",
	}
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "lean:", err)
		os.Exit(1)
	}
}

func run() error {
	from, err := moduleFolder(library)
	if err != nil {
		return err
	}
	root, err := moduleFolder("guardrails")
	if err != nil {
		return err
	}
	return build(root, from, filepath.Join(root, ".build", "lean"), "./.build/lean")
}

func moduleFolder(module string) (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	dir := strings.TrimSpace(string(out))
	if err != nil || dir == "" {
		return "", fmt.Errorf("the module %s is not in Go's module cache; run go mod download: %w", module, err)
	}
	return dir, nil
}

// build copies the library and writes a go.mod that uses the copy by the name that is given for its folder.
func build(root, from, to, name string) error {
	for _, file := range files() {
		text, err := os.ReadFile(filepath.Join(from, file))
		if err != nil {
			return fmt.Errorf("the library %s has changed its files; look which of them hooks need: %w", library, err)
		}
		if err := put(filepath.Join(to, "sh", file), leaner(file, text)); err != nil {
			return err
		}
	}
	small, err := os.ReadFile(filepath.Join(root, "scripts", "lean", "fmt", "fmt.go"))
	if err != nil {
		return err
	}
	if err := put(filepath.Join(to, "sh", "internal", "fmt", "fmt.go"), small); err != nil {
		return err
	}
	return modules(root, to, name)
}

// leaner is a file of the library as it stands in the copy.
func leaner(name string, text []byte) []byte {
	if !strings.HasSuffix(name, ".go") {
		return text
	}
	return bytes.Replace(text, []byte(`"fmt"`), []byte(`"`+library+`/internal/fmt"`), 1)
}

// modules writes the go.mod and go.sum of the build.
func modules(root, to, name string) error {
	for _, file := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return err
		}
		if file == "go.mod" {
			text = fmt.Appendf(text, "\nreplace %s => %s/sh\n", library, name)
		}
		if err := put(filepath.Join(to, file), text); err != nil {
			return err
		}
	}
	return nil
}

// put writes a file unless it is there already, so that two builds at once do not disturb each other.
func put(path string, text []byte) error {
	if have, err := os.ReadFile(path); err == nil && bytes.Equal(have, text) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	draft := path + ".new"
	if err := os.WriteFile(draft, text, 0o644); err != nil {
		return err
	}
	return os.Rename(draft, path)
}

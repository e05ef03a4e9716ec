// Lean prepares smaller code for building the hooks. In .build/lean, it creates a copy of the shell parser from Go's
// module cache. The copy imports a small package named fmt instead of the standard package. The copy leaves out the
// printer, because hooks do not need it, and because the printer compiles regular expressions at every start. Lean also
// prepares files with each declaration on one line, because many line numbers would make the hooks larger, and packs
// the tables of programs.
//
// Start with run(). Only scripts/hooks.sh uses the copies. Every other build uses the library and the original files.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// The constant "library" is the module that is copied.
const library = "mvdan.cc/sh/v3"

// files() lists the files of the library that a hook needs.
func files() []string {
	return []string{
		"go.mod", "LICENSE", "syntax/braces.go", "syntax/lexer.go", "syntax/nodes.go", "syntax/parser.go",
		"syntax/parser_arithm.go",
		"syntax/token_string.go", "syntax/tokens.go", "syntax/tokens_parse.go", "syntax/walk.go",
	}
}

// commentLoop returns a pattern for the code of the library that visits the comments of a node. If a comment stands
// after the node, the library visits this comment last, which takes much code. In the copy, all comments come first.
func commentLoop() *regexp.Regexp {
	return regexp.MustCompile(`\t\tfor _, c := range node\.Comments {\n(?s:.*?)\n\t\t}\n`) //nolint:forbidigo // no hook runs this
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
	to := filepath.Join(root, ".build", "lean")
	if err := build(root, from, to, "./.build/lean"); err != nil {
		return err
	}
	if err := shorten(root, filepath.Join(to, "sh"), filepath.Join(to, "short")); err != nil {
		return err
	}
	return joinLines(to)
}

func moduleFolder(module string) (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	dir := strings.TrimSpace(string(out))
	if err != nil || dir == "" {
		return "", fmt.Errorf("the module %s is not in Go's module cache; run go mod download: %w", module, err)
	}
	return dir, nil
}

// build() copies the library from one folder ("from") to another ("to"). It also writes a go.mod that uses the copy.
// The parameter "name" is the path of the copy in this go.mod.
func build(root, from, to, name string) error {
	for _, file := range files() {
		text, err := os.ReadFile(filepath.Join(from, file))
		if err != nil {
			return fmt.Errorf("the files of the library %s have changed; find out which of them the hooks need: %w", library, err)
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

// leaner() returns the text of a library file for the copy. The copy imports the small package fmt instead of the
// standard one.
func leaner(name string, text []byte) []byte {
	if !strings.HasSuffix(name, ".go") {
		return text
	}
	text = bytes.Replace(text, []byte(`"fmt"`), []byte(`"`+library+`/internal/fmt"`), 1)
	return commentLoop().ReplaceAll(text, []byte("\t\twalkComments(node.Comments, f)\n"))
}

// modules() writes files go.mod and go.sum for building the hooks with the copy of the library. The parameter "name" is
// the path of the copy in go.mod.
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

// put() writes a file, unless the file already has this content. So two builds can run at the same time without
// disturbing each other.
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

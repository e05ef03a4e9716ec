package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// shortModule is the name of the module that contains the copies of our packages.
const shortModule = "g"

// shortParser is the name of the folder in this module that contains the copy of the shell parser.
const shortParser = "y"

// oneName is a comment that makes the compiler use the same file name for all files of a package. A built program
// contains the file names, so this comment makes the program smaller.
const oneName = "//line x:1\n"

// shorten() writes a module with copies of three things: the programs that run as hooks, the packages of these
// programs, and the shell parser. The argument "parser" is the folder of the shell parser. A program contains the name
// of each function with the path of its package. In the copy, the paths are as short as g/a, and the names of functions
// are short too. The tables of programs are packed. No function of these packages is inlined, so all declarations of a
// copy can be on one line (joinDeclarations explains why). The joined lines make the program 5 % smaller.
func shorten(root, parser, to string) error {
	dirs, err := hookFolders(root)
	if err != nil {
		return err
	}
	names, folders := map[string]string{}, map[string]string{}
	for i, dir := range dirs {
		folders[dir] = shortFolder(dir, i)
		names[fmt.Sprintf("%q", "guardrails/"+dir)] = fmt.Sprintf("%s %q", path.Base(dir), shortModule+"/"+folders[dir])
	}
	names[fmt.Sprintf("%q", library+"/syntax")] = fmt.Sprintf("syntax %q", shortModule+"/"+shortParser)
	names[fmt.Sprintf("%q", library+"/internal/fmt")] = fmt.Sprintf("%q", shortModule+"/fmt")
	copies := map[string][]byte{}
	for _, dir := range dirs {
		if err := readFolder(filepath.Join(root, filepath.FromSlash(dir)), filepath.Join(to, folders[dir]), copies); err != nil {
			return err
		}
	}
	for folder, name := range map[string]string{"syntax": shortParser, "internal/fmt": "fmt"} {
		if err := readFolder(filepath.Join(parser, folder), filepath.Join(to, name), copies); err != nil {
			return err
		}
	}
	if err := pack(copies); err != nil {
		return err
	}
	identifiers, err := shortNames(slices.Collect(maps.Values(copies)))
	if err != nil {
		return err
	}
	maps.Copy(names, identifiers)
	for copied, text := range copies {
		if err := put(copied, append([]byte(oneName), rewrite(comparedBits(text), names, "")...)); err != nil {
			return err
		}
	}
	if err := removeOthers(to, copies); err != nil {
		return err
	}
	return shortModules(root, to)
}

// comparedBits replaces calls that ask whether a set of bits has at least one of the given bits. The parser makes such
// calls about its language, which is one bit. The analysis makes such calls about taints. The copy compares the bits
// without a call, because calls are not inlined, and each call makes a hook larger.
func comparedBits(text []byte) []byte {
	calls := regexp.MustCompile(`(^|[^\w.)\]])(p\.lang|[a-zA-Z][\w.]*\.Taint)\.(?:in|Has)\(([^()"]+)\)`) //nolint:forbidigo // no hook runs this
	return calls.ReplaceAll(text, []byte("$1($2&($3) != 0)"))
}

// shortFolder returns the name of the folder for the copy of a package. The folder of a program keeps its name, because
// Go gives a built program the name of its folder. shortFolder never returns the folder name of the parser.
func shortFolder(dir string, index int) string {
	if strings.HasPrefix(dir, "cmd/") {
		return path.Base(dir)
	}
	const letters = "abcdefghijklmnopqrstuvwx"
	name := letters[index%len(letters):][:1]
	if index >= len(letters) {
		name += fmt.Sprint(index / len(letters))
	}
	return name
}

// hookFolders returns the folders of the programs that run as hooks, and of all packages that these programs may link.
func hookFolders(root string) ([]string, error) {
	dirs := []string{"cmd/guardrails-enforce", "cmd/guardrails-inject", "cmd/guardrails-stop", "cmd/guardrails-subagent"}
	for _, name := range []string{"decide", "detect", "evaluator", "guideline", "hooks", "host", "internal"} {
		err := filepath.WalkDir(filepath.Join(root, name), func(dir string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.IsDir() {
				return err
			}
			if entry.Name() == "testdata" {
				return fs.SkipDir
			}
			sources, err := filepath.Glob(filepath.Join(dir, "*.go"))
			if err != nil || len(sources) == 0 {
				return err
			}
			below, err := filepath.Rel(root, dir)
			dirs = append(dirs, filepath.ToSlash(below))
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return dirs, nil
}

// readFolder reads the files of a package into the map "copies". The keys are the paths that the copied files will
// have. Tables of programs lose the spaces that align their columns.
func readFolder(from, to string, copies map[string][]byte) error {
	sources, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil {
		return err
	}
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		text, err := os.ReadFile(source)
		if err != nil {
			return err
		}
		if strings.HasSuffix(source, "orders.go") {
			text = narrow(text)
		}
		text = bytes.Replace(text, []byte("package syntax\n"), []byte("package "+shortParser+"\n"), 1)
		copies[filepath.Join(to, filepath.Base(source))] = text
	}
	return nil
}

// removeOthers removes copies of files that no longer exist, because Go would still compile these copies.
func removeOthers(dir string, written map[string][]byte) error {
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if written[file] != nil {
			continue
		}
		if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

// shortModules writes the files go.mod and go.sum of the module with the copies.
func shortModules(root, to string) error {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	text = bytes.Replace(text, []byte("module guardrails\n"), []byte("module "+shortModule+"\n"), 1)
	if err := put(filepath.Join(to, "go.mod"), text); err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	return put(filepath.Join(to, "go.sum"), sums)
}

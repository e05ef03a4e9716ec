package main

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// shortNames returns a short name for each name of a function, method, type or field in the sources. A program contains
// the names of its functions, so short names make the program smaller. Every occurrence of a name is replaced, even if
// the name means different things in different places. For this reason, the behaviour of the program does not change.
// Names that also occur in Go's own packages are not replaced, because a method with such a name can implement an
// interface of these packages.
func shortNames(sources [][]byte) (map[string]string, error) {
	kept, err := standardNames()
	if err != nil {
		return nil, err
	}
	declared, uses := map[string]bool{}, map[string]int{}
	for _, text := range sources {
		file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			noteDeclared(declared, node)
			return true
		})
		for _, spec := range file.Imports {
			name := strings.Trim(spec.Path.Value, `"`)
			kept[name[strings.LastIndexByte(name, '/')+1:]] = true
		}
		eachToken(text, func(kind token.Token, literal string) {
			if kind == token.IDENT {
				uses[literal]++
			}
			if kind == token.COMMENT && strings.HasPrefix(literal, "//go:") {
				for _, word := range strings.Fields(literal) {
					kept[word] = true
				}
			}
		})
		kept[file.Name.Name] = true
	}
	var names []string
	for name := range declared {
		if !kept[name] && types.Universe.Lookup(name) == nil {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(uses[b], uses[a]), strings.Compare(a, b))
	})
	return chooseNames(names, func(name string) bool {
		return uses[name] > 0 || kept[name] || token.IsKeyword(name) || types.Universe.Lookup(name) != nil
	}), nil
}

// noteDeclared adds the name of each function, type and field that a node declares to the map "declared".
func noteDeclared(declared map[string]bool, node ast.Node) {
	switch node := node.(type) {
	case *ast.FuncDecl:
		declared[node.Name.Name] = true
	case *ast.TypeSpec:
		declared[node.Name.Name] = true
	case *ast.StructType:
		for _, field := range node.Fields.List {
			for _, name := range field.Names {
				declared[name.Name] = true
			}
		}
	}
}

// chooseNames maps each name to the next free short name. The short name of an exported name is exported, too.
func chooseNames(names []string, taken func(string) bool) map[string]string {
	chosen := map[string]string{}
	next := [2]int{}
	for _, name := range names {
		first, class := "abcdefghijklmnopqrstuvwxyz", 0
		if token.IsExported(name) {
			first, class = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", 1
		}
		short := numbered(first, next[class])
		for taken(short) {
			next[class]++
			short = numbered(first, next[class])
		}
		if len(short) < len(name) {
			chosen[name] = short
			next[class]++
		}
	}
	return chosen
}

// numbered() returns the short name for the given number. The name begins with one of the given letters ("first"), and
// continues with letters and digits.
func numbered(first string, number int) string {
	const rest = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	name := string(first[number%len(first)])
	for number /= len(first); number > 0; number = (number - 1) / len(rest) {
		name += string(rest[(number-1)%len(rest)])
	}
	return name
}

// standardNames returns the exported names of Go's own packages that hooks import. It also returns names with a special
// meaning in Go, such as main.
func standardNames() (map[string]bool, error) {
	standard, err := standardFolder()
	if err != nil {
		return nil, err
	}
	names := map[string]bool{"_": true, "init": true, "main": true}
	for _, folder := range []string{
		"bytes", "cmp", "embed", "errors", "hash", "hash/fnv", "io", "io/fs", "iter", "maps", "math", "math/bits",
		"math/rand/v2", "os", "path", "path/filepath", "reflect", "runtime", "slices", "sort", "strconv", "strings", "sync",
		"sync/atomic", "syscall", "time", "unicode", "unicode/utf16", "unicode/utf8", "unsafe",
	} {
		files, err := filepath.Glob(filepath.Join(standard, folder, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			eachToken(text, func(kind token.Token, literal string) {
				if kind == token.IDENT && token.IsExported(literal) {
					names[literal] = true
				}
			})
		}
	}
	return names, nil
}

// eachToken calls a function for each token of a Go file.
func eachToken(text []byte, visit func(kind token.Token, literal string)) {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), text, nil, scanner.ScanComments)
	for {
		_, kind, literal := s.Scan()
		if kind == token.EOF {
			return
		}
		visit(kind, literal)
	}
}

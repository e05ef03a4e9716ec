package main

import (
	"bytes"
	"encoding/json"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// joinLines writes copies of the analysis and of the library with each file on one line, and an overlay with which go build
// uses the copies. The program then has no table of line numbers for them, which makes it 2 % smaller. The stack of
// a panic still names the functions.
func joinLines(root, to string) error {
	replace := map[string]string{}
	dirs := []string{filepath.Join(to, "sh")}
	for _, name := range []string{"decide", "detect", "evaluator", "guideline", "hooks", "host", "internal"} {
		dirs = append(dirs, filepath.Join(root, name))
	}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := os.ReadFile(name)
			if err != nil || hasDirective(text) {
				return err
			}
			below, err := filepath.Rel(root, name)
			if err != nil {
				return err
			}
			replace[name] = filepath.Join(to, "lines", below)
			return put(replace[name], onOneLine(text))
		})
		if err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	return put(filepath.Join(to, "overlay.json"), text)
}

// hasDirective reports whether a file has comments for the compiler, which need a line of their own.
func hasDirective(text []byte) bool {
	return bytes.HasPrefix(text, []byte("//go:")) || bytes.Contains(text, []byte("\n//go:"))
}

// onOneLine returns a Go file without comments and line ends.
func onOneLine(text []byte) []byte {
	files := token.NewFileSet()
	var s scanner.Scanner
	s.Init(files.AddFile("", -1, len(text)), text, nil, 0)
	var out bytes.Buffer
	for {
		_, kind, literal := s.Scan()
		switch {
		case kind == token.EOF:
			return out.Bytes()
		case kind == token.SEMICOLON:
			// The scanner adds one at the end of a line where Go needs it.
			literal = ";"
		case literal == "":
			literal = kind.String()
		}
		out.WriteString(literal)
		out.WriteByte(' ')
	}
}

package main

import (
	"go/scanner"
	"go/token"
	"os"
	"slices"
	"testing"
)

// A file on one line has the same tokens as before.
func TestJoiningLinesKeepsTheProgram(t *testing.T) {
	for _, name := range []string{"lines.go", "main.go", "lean_test.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		joined := onOneLine(text)
		if want, got := tokens(text), tokens(joined); !slices.Equal(got, want) {
			t.Errorf("%s: the tokens differ:\n%q\n%q", name, got, want)
		}
	}
	raw := "package a\n\nconst text = `two\nlines` // a comment\n\nvar x = []int{\n\t1, /* two */ 2,\n}\n"
	if want, got := tokens([]byte(raw)), tokens(onOneLine([]byte(raw))); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFilesWithCommentsForTheCompilerStayAsTheyAre(t *testing.T) {
	for text, want := range map[string]bool{
		"//go:build unix\n\npackage a\n": true, "package a\n\n//go:noinline\nfunc f() {}\n": true, "package a // go:build\n": false,
	} {
		if got := hasDirective([]byte(text)); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

// tokens returns the tokens of a file. Semicolons that the scanner adds look like written ones.
func tokens(text []byte) []string {
	files := token.NewFileSet()
	var s scanner.Scanner
	s.Init(files.AddFile("", -1, len(text)), text, nil, 0)
	var out []string
	for {
		_, kind, literal := s.Scan()
		if kind == token.EOF {
			return out
		}
		if kind == token.SEMICOLON {
			literal = ""
		}
		out = append(out, kind.String()+literal)
	}
}

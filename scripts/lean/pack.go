package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/scanner"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// The constant "unpacked" is a line of the package "program". In this line, the list of pairs is still empty.
const unpacked = `const pairs = ""`

// pack() shortens the rows of all tables of programs in a copy. The tables are a tenth of a hook's own data, and their
// words repeat. A byte with a value of at least 128 stands for a pair of bytes. Each byte of the pair may stand for
// another pair. The list of pairs is written into the package "program". If a call runs a program, this package unpacks
// the rows of the program. Lines with the names of programs stay as they are, because the package searches the tables
// for these names. The parameter "files" has the texts of Go files by their paths.
func pack(files map[string][]byte) error {
	var rows [][]byte
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if isTable(name) {
			_ = eachText(files[name], func(text string) string {
				rows = append(rows, rowsIn(text)...)
				return text
			})
		}
	}
	if i := slices.IndexFunc(rows, isCoded); i >= 0 {
		return fmt.Errorf("the row %q has a letter that is not ASCII; use ASCII only, because scripts/lean encodes pairs of letters "+
			"as the other bytes", rows[i])
	}
	pairs := findPairs(rows)
	done := false
	for name, text := range files {
		switch {
		case isTable(name):
			files[name] = eachText(text, func(text string) string { return packText(text, pairs) })
		case bytes.Contains(text, []byte(unpacked)):
			list := strconv.Quote(string(slices.Concat(pairs...)))
			files[name], done = bytes.Replace(text, []byte(unpacked), []byte(`const pairs = `+list), 1), true
		}
	}
	if !done && len(rows) > 0 {
		return fmt.Errorf("no file has the line %q, which scripts/lean replaces by the list of pairs", unpacked)
	}
	return nil
}

// isTable reports whether a file has a table of programs.
func isTable(file string) bool { return strings.HasSuffix(path.Base(file), "orders.go") }

// isCoded reports whether a text has a byte that stands for a pair.
func isCoded(text []byte) bool {
	return slices.ContainsFunc(text, func(c byte) bool { return c >= 128 })
}

// eachText passes the texts between backquotes of a Go file to change(), and returns the file with the changed texts.
func eachText(file []byte, change func(string) string) []byte {
	files := token.NewFileSet()
	var s scanner.Scanner
	at := files.AddFile("", -1, len(file))
	s.Init(at, file, nil, 0)
	var out []byte
	end := 0
	for {
		pos, kind, literal := s.Scan()
		if kind == token.EOF {
			return append(out, file[end:]...)
		}
		if kind != token.STRING || literal[0] != '`' {
			continue
		}
		from := at.Offset(pos)
		out = append(append(out, file[end:from]...), strconv.Quote(change(literal[1:len(literal)-1]))...)
		end = from + len(literal)
	}
}

// rowsIn returns the indented lines of a text, without the tab and the end of the line.
func rowsIn(text string) [][]byte {
	var rows [][]byte
	for line := range strings.Lines(text) {
		if row, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "\t"); ok {
			rows = append(rows, []byte(row))
		}
	}
	return rows
}

// packText returns a text in which the indented lines are packed.
func packText(text string, pairs [][]byte) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		row, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			out.WriteString(line)
			continue
		}
		packed := []byte(row)
		for i, pair := range pairs {
			packed = bytes.ReplaceAll(packed, pair, []byte{byte(128 + i)})
		}
		out.WriteString("\t" + string(packed) + line[1+len(row):])
	}
	return out.String()
}

// findPairs returns at most 128 pairs of bytes. Each pair is the one that occurs most often after the earlier pairs
// have been replaced. If two pairs occur equally often, the pair with the smaller bytes comes first, so that every
// build gives the same result.
func findPairs(rows [][]byte) [][]byte {
	var pairs [][]byte
	for len(pairs) < 128 {
		count := map[[2]byte]int{}
		for _, row := range rows {
			for i := range len(row) - 1 {
				count[[2]byte(row[i:])]++
			}
		}
		if len(count) == 0 {
			return pairs
		}
		best := slices.MaxFunc(slices.Collect(maps.Keys(count)), func(a, b [2]byte) int {
			return cmp.Or(cmp.Compare(count[a], count[b]), bytes.Compare(b[:], a[:]))
		})
		if count[best] < 4 {
			return pairs
		}
		for i := range rows {
			rows[i] = bytes.ReplaceAll(rows[i], best[:], []byte{byte(128 + len(pairs))})
		}
		pairs = append(pairs, best[:])
	}
	return pairs
}

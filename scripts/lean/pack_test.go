package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// unpackAll unpacks rows in the same way as the package "program" does in a hook.
func unpackAll(text []byte, pairs [][]byte) string {
	for i, pair := range slices.Backward(pairs) {
		text = []byte(strings.ReplaceAll(string(text), string([]byte{byte(128 + i)}), string(pair)))
	}
	return string(text)
}

func TestPackedTablesUnpackToTheSameRows(t *testing.T) {
	tables, err := filepath.Glob("../../detect/toolcall/program/*/*orders.go")
	if err != nil || len(tables) < 15 {
		t.Fatalf("%d tables (%v)", len(tables), err)
	}
	var rows [][]byte
	var before []string
	for _, table := range tables {
		text, err := os.ReadFile(table)
		if err != nil {
			t.Fatal(err)
		}
		_ = eachText(narrow(text), func(text string) string {
			before = append(before, text)
			rows = append(rows, rowsIn(text)...)
			return text
		})
	}
	pairs := findPairs(rows)
	sizeBefore, sizeAfter := 0, 2*len(pairs)
	for _, text := range before {
		packed := packText(text, pairs)
		if got := unpackAll([]byte(packed), pairs); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
		sizeBefore, sizeAfter = sizeBefore+len(text), sizeAfter+len(packed)
	}
	if sizeAfter > sizeBefore*2/3 {
		t.Errorf("%d bytes are packed into %d", sizeBefore, sizeAfter)
	}
}

// The tables are searched for the names of programs, so the lines with these names must stay as they are.
func TestNamesOfProgramsAreNotPacked(t *testing.T) {
	files := map[string][]byte{
		"a/orders.go": []byte("package a\n\nconst x = `\nabab abab\n\tabab abab abab abab\n` + y + `\n\tabab\n`\n"),
		"b/table.go":  []byte("package b\n\n" + unpacked + "\n"),
	}
	if err := pack(files); err != nil {
		t.Fatal(err)
	}
	want := "package a\n\nconst x = \"\\nabab abab\\n\\t\\x81 \\x81 \\x81 \\x81\\n\" + y + \"\\n\\t\\x81\\n\"\n"
	if got := string(files["a/orders.go"]); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := string(files["b/table.go"]), "package b\n\nconst pairs = \"ab\\x80\\x80\"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestATableThatCannotBePackedIsAnError(t *testing.T) {
	files := map[string][]byte{"a/orders.go": []byte("package a\n\nconst x = `\nname\n\tüb\n`\n")}
	if err := pack(files); err == nil || !strings.Contains(err.Error(), `"üb"`) {
		t.Errorf("got the error %v", err)
	}
	files = map[string][]byte{"a/orders.go": []byte("package a\n\nconst x = `\nname\n\trow\n`\n")}
	if err := pack(files); err == nil || !strings.Contains(err.Error(), "no file has the line") {
		t.Errorf("without a list to fill: got the error %v", err)
	}
}

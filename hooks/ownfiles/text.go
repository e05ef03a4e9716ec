package ownfiles

import (
	"io/fs"
	"strconv"
	"strings"

	"guardrails/internal/private"
	"guardrails/internal/product"
)

// A list is a text with one line for each file. Tabs separate the parts of a line: the stamp, the path, the kind, the
// sum, the copy, and the sum of the change about which the user was told. A line that begins with messageMark is a
// message.

const (
	messageMark = "! "
	separator   = "\t"
	parts       = 6
)

// Comparison is the result of Compare.
type Comparison struct {
	// The field "Changed" is set if a file no longer has the stamp that is in the list. Program is set if such a file is a
	// program.
	Changed, Program bool
	// Helper is the path of a program that can handle the change and is itself unchanged. It is "" if there is none.
	Helper string
}

// Compare checks whether the files on disk still have the stamps that the list records.
func Compare(list string) (c Comparison) {
	for list != "" {
		var line string
		line, list, _ = strings.Cut(list, "\n")
		stamp, rest, ok := strings.Cut(line, separator)
		if !ok {
			continue
		}
		path, rest, _ := strings.Cut(rest, separator)
		kind, _, _ := strings.Cut(rest, separator)
		name := product.ProgramName(path)
		if string(private.StampOf(path).Append(nil)) != stamp {
			isProgram := product.IsOwnProgram(name) && !Kind(kind).isFolder() // the folder .claude/guardrails is not a program
			c.Changed, c.Program = true, c.Program || isProgram
		} else if name == product.Stop || name == product.Inject {
			c.Helper = path
		}
	}
	return c
}

func (f *Files) encode() []byte {
	var out []byte
	for i := range f.list {
		out = append(f.list[i].appendLine(out), '\n')
	}
	for _, text := range f.Messages {
		out = append(append(append(out, messageMark...), strings.ReplaceAll(text, "\n", " ")...), '\n')
	}
	return out
}

func (x *File) appendLine(out []byte) []byte {
	out = x.stamp.Append(out)
	for _, text := range [...]string{x.Path, string(x.Kind), x.sum, x.copied, x.told} {
		out = append(append(out, separator...), text...)
	}
	return out
}

// parse() reads a list. It returns false if a line is not valid.
func (f *Files) parse(text string) bool {
	for _, line := range strings.Split(text, "\n") {
		if message, ok := strings.CutPrefix(line, messageMark); ok {
			f.Messages = append(f.Messages, message)
			continue
		}
		if line == "" {
			continue
		}
		x, ok := parseLine(line)
		if !ok {
			return false
		}
		f.list = append(f.list, x)
	}
	return true
}

func parseLine(line string) (File, bool) {
	words := strings.Split(line, separator)
	if len(words) != parts || len(words[2]) != 1 {
		return File{}, false
	}
	stamp, ok := private.ParseStamp(words[0])
	return File{
		stamp: stamp, Path: words[1], Kind: Kind(words[2]), sum: words[3], copied: words[4], told: words[5],
	}, ok
}

func octal(mode fs.FileMode) string { return strconv.FormatUint(uint64(mode), 8) }

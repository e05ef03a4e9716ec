// Package worstcase makes tool calls that are hard to analyze. Tests use them to prove that no call takes too long.
package worstcase

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Call is a tool call that is hard to analyze.
type Call struct {
	// Name describes what the call consists of, such as "variables in subshells".
	Name string
	Tool string
	// Input is the JSON object with the tool's arguments.
	Input []byte
	// Files has the scripts that the call runs. A key is the path of a script, and the value is the text of this
	// script.
	Files map[string]string
}

// Calls returns all hard calls. The parameter "size" is the approximate size of the input of each call, in bytes.
func Calls(size int) []Call {
	out := bash(size)
	out = append(out, programs(size)...)
	out = append(out, inlineCode(size)...)
	out = append(out, powershell(size)...)
	out = append(out, otherTools(size)...)
	out = append(out, onMachine(size)...)
	out = append(out, multiplied(size)...)
	return append(out, scripts(size)...)
}

func call(tool, name string, arguments any) Call {
	input, err := json.Marshal(arguments)
	if err != nil {
		panic(err)
	}
	return Call{Name: name, Tool: tool, Input: input}
}

func command(name, text string) Call {
	return call("Bash", name, map[string]string{"command": text})
}

// fill() repeats a text until the result has as many bytes as the parameter "size" says.
func fill(size int, part string) string { return strings.Repeat(part, max(size/len(part), 1)) }

// count() repeats a text until the result has as many bytes as the parameter "size" says. In each repetition, it
// replaces # with the number of the repetition.
func count(size int, part string) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString(strings.ReplaceAll(part, "#", strconv.Itoa(i)))
	}
	return b.String()
}

// nested() returns the inner text with one text before it and another text after it. It repeats each of these two texts
// as often as the parameter "depth" says.
func nested(depth int, before, inner, after string) string {
	return strings.Repeat(before, depth) + inner + strings.Repeat(after, depth)
}

// half() returns a text of two kinds of parts. It repeats each kind until this kind fills half of the size.
func half(size int, one, two string) string { return count(size/2, one) + count(size/2, two) }

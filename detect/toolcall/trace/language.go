package trace

import "guardrails/detect/toolcall/words"

// Language is a family of programming languages with a similar syntax of calls and strings.
type Language uint8

// These are the languages that are analyzed.
const (
	Python Language = iota
	Script          // JavaScript and TypeScript
	Perl
	Ruby
	PHP
	Lua
	Awk
	Statistics // R
	Julia
	Groovy
	Elixir
	Compiled // Go, Rust, C, Java and similar languages
	Other    // any other language; only its strings and calls are analyzed
)

// IsShell reports whether a program is a shell.
func IsShell(name string) bool {
	return name == words.Among(name, "sh bash zsh dash ksh mksh ash fish rbash csh tcsh yash elvish nu xonsh")
}

package code

// gitlibrary.go handles libraries that do what git does. It analyzes a method of such a library like the git command
// that has the same effect.

import (
	"strings"

	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// loadsGit reports whether a token is the name of a library for git. In JavaScript, "git" is often a variable.
func (in *interpreter) loadsGit(t *lexer.Token) bool {
	return t.Text == words.Among(t.Text, "simple-git simpleGit isomorphic-git nodegit") ||
		in.language != trace.Script && t.Kind == lexer.Name && t.Text == words.Among(t.Text, "git dulwich pygit2 Git Rugged")
}

// gitMethod analyzes a method that is named like a verb of git, such as reset in repo.git.reset("--hard"). It returns
// false for any other method.
func (in *interpreter) gitMethod(name string, args value) bool {
	if !in.git {
		return false
	}
	verb, rest, _ := strings.Cut(name, "_")
	argv := textValues("git", verb)
	switch {
	case name == "raw":
		argv = argv[:1]
	case name == "reset_hard":
		argv = append(argv, textValue("--"+rest))
	case name == words.Among(name, "deleteBranch delete_branch deleteLocalBranch delete_head"):
		argv = textValues("git", "branch", "-D")
	case name != words.Among(name, "reset clean push checkout restore rm stash branch rebase"):
		return false
	}
	for _, v := range args.flatten() {
		v = gitWord(name, v)
		argv = append(argv, &data{text: v.Text, known: !v.Partial, glob: v.Glob, taint: v.Taint})
	}
	for _, v := range args.items {
		if hard := strings.ToLower(v.name); strings.HasSuffix(hard, "hard") {
			argv = append(argv, textValue("--hard"))
		}
		argv = appendGitFlags(argv, v)
	}
	in.runProgram(appendGitFlags(argv, args))
	return true
}

// gitWord converts an argument of a method to an argument of git. Some libraries leave out the hyphens of flags.
func gitWord(method string, v trace.Value) trace.Value {
	switch {
	case v.Text == "hard" || v.Text == ":hard":
		v.Text = "--hard"
	case method == "clean" && v.Text != "" && strings.Trim(v.Text, "fdxXn") == "":
		v.Text = "-" + v.Text
	}
	return v
}

// appendGitFlags adds flags for named arguments: force=True, or {ref: "main"}.
func appendGitFlags(argv []value, named value) []value {
	for _, p := range named.pairs {
		switch {
		case p.value.name == off:
		case p.key == "ref":
			argv = append(argv, p.value)
		case p.key == "working_tree":
			argv = append(argv, textValue("--hard"))
		case p.key == words.Among(p.key, "force hard d x f D"):
			dashes := "--"[:min(len(p.key), 2)]
			argv = append(argv, textValue(dashes+p.key))
		}
	}
	return argv
}

package code

// gitlibrary.go handles libraries that do the same as git. It treats a call of such a library like the git command that
// has the same effect.

import (
	"strings"

	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// loadsGit reports whether a token is the name of a library for git. In JavaScript, the name "git" is ignored, because
// it is often the name of a variable.
func (in *interpreter) loadsGit(t *lexer.Token) bool {
	return t.Text == words.Among(t.Text, "simple-git simpleGit isomorphic-git nodegit") ||
		in.Language != trace.Script && t.Kind == lexer.Name && t.Text == words.Among(t.Text, "git dulwich pygit2 Git Rugged")
}

// gitMethod analyzes a method with the name of a git verb, such as reset in repo.git.reset("--hard"). It returns false
// for any other method.
func (in *interpreter) gitMethod(name string, args value.Value) bool {
	if !in.git {
		return false
	}
	verb, rest, _ := strings.Cut(name, "_")
	argv := textValues("git", verb)
	switch {
	case name == "raw":
		argv = argv[:1]
	case name == "reset_hard":
		argv = append(argv, value.Text("--"+rest))
	case name == words.Among(name, "deleteBranch delete_branch deleteLocalBranch delete_head"):
		argv = textValues("git", "branch", "-D")
	case name != words.Among(name, "reset clean push checkout restore rm stash branch rebase"):
		return false
	}
	for _, v := range args.Flatten() {
		v = gitWord(name, v)
		argv = append(argv, &value.Data{Text: v.Text, Known: !v.Partial, Glob: v.Glob, Taint: v.Taint})
	}
	for _, v := range args.Items {
		if hard := strings.ToLower(v.Name); strings.HasSuffix(hard, "hard") {
			argv = append(argv, value.Text("--hard"))
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

// appendGitFlags adds flags to argv. It makes these flags from named arguments such as force=True and {ref: "main"}.
func appendGitFlags(argv []value.Value, named value.Value) []value.Value {
	for _, p := range named.Pairs {
		switch {
		case p.Value.Name == value.Off:
		case p.Key == "ref":
			argv = append(argv, p.Value)
		case p.Key == "working_tree":
			argv = append(argv, value.Text("--hard"))
		case p.Key == words.Among(p.Key, "force hard d x f D"):
			dashes := "--"[:min(len(p.Key), 2)]
			argv = append(argv, value.Text(dashes+p.Key))
		}
	}
	return argv
}

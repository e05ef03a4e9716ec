package code

// The code may run an unknown command, or write or delete an unknown file. In these cases, the analysis judges each
// string literal in the code as if it were that command or the path of that file.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/lexer"
	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/code/system"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// maxLiterals is the maximum number of string literals that are judged. maxLiteralSize is the maximum size of such a
// string literal.
const (
	maxLiterals    = 128
	maxLiteralSize = 4 << 10
)

// The type "literals" holds the string literals in the code, and the lists of string literals that may be commands.
type literals struct {
	texts []string
	lists []value.Value
}

// noteLiterals collects the string literals in the tokens.
func (in *interpreter) noteLiterals(toks []lexer.Token) {
	for i := range toks {
		if in.loadsGit(&toks[i]) {
			in.git = true
		} else if in.findsFunctions(&toks[i]) {
			in.Unsure.Runs, in.Unsure.Deletes = true, true
		} else if toks[i].IsWord("objects") && !strings.Contains(in.source, "boto3") {
			in.connected.others++ // the name of Django models, whose database is unknown
		} else if toks[i].Text == words.Among(toks[i].Text, databaseLibraries) &&
			(in.Language != trace.Python || toks[i].Kind == lexer.Name || toks[i].Text != "postgres") { // a dialect of SQL
			in.database = true
		} else if strings.Contains(toks[i].Text, "ctokit") {
			in.octokit = true
		}
		switch {
		case toks[i].Kind != lexer.Text || len(toks[i].Text) < 2 || len(toks[i].Text) > maxLiteralSize:
		case len(in.literals.texts) < maxLiterals:
			in.literals.texts = append(in.literals.texts, toks[i].Text)
			in.NoteEnding(toks[i].Text)
		}
	}
}

// findsFunctions reports whether a token is the name of something that looks up functions by their names, such as
// attrgetter. If the code has such a token, the analysis does not know what the code runs. findsFunctions also records
// whether the code uses a module that runs programs.
func (in *interpreter) findsFunctions(t *lexer.Token) bool {
	if t.Text == words.Among(t.Text, "os subprocess posix pty child_process process Kernel") {
		in.runner = true
	}
	return t.Kind == lexer.Name && t.Text == words.Among(t.Text, "methodcaller attrgetter __getattribute__ "+
		"ReflectionFunction ReflectionMethod Reflect resolve_name binding const_get") ||
		t.Kind == lexer.Text && strings.HasPrefix(t.Text, "CORE::")
}

// noteCallbacks records that the code passes a library function as an argument, as in sorted(list, key=os.system). Only
// functions that run commands or delete files matter.
func (in *interpreter) noteCallbacks(args value.Value) {
	list := args.Items
	for _, p := range args.Pairs {
		list = append(list[:len(list):len(list)], p.Value)
	}
	for _, v := range list {
		if v == nil || v.Function != nil || strings.IndexByte(v.Name, '.') < 0 {
			continue
		}
		switch in.actionOf(library.Canonical(v.Name)).Kind {
		case library.RunCommand, library.StartCommand, library.ExecProgram:
			in.Unsure.Runs = true
		case library.RemoveFile, library.RemoveTree:
			in.Unsure.Deletes = true
		}
	}
}

// noteList collects a list of known texts if the first item is the name of a program that has a handler.
func (in *interpreter) noteList(list value.Value) {
	if len(list.Items) < 2 || len(in.literals.lists) >= maxLiterals/4 || !list.Items[0].IsPlainText() ||
		in.Trace.Find(trace.ProgramName(list.Items[0].Text)) == nil {
		return
	}
	for _, item := range list.Items {
		if !item.IsPlainText() {
			return
		}
	}
	in.literals.lists = append(in.literals.lists, list)
}

// judgeLiterals judges each string literal of the code as if it were the unknown command or path, and adds the effects.
func (in *interpreter) judgeLiterals() {
	if in.Unsure == (system.Unsure{}) {
		return
	}
	for _, text := range in.literals.texts {
		if !in.spend(len(text)) {
			return
		}
		v := trace.Value{Text: text}
		switch {
		case in.Unsure.Runs && in.isCommand(text):
			in.judge(func() { in.Trace.RunText(in.copied(), v) })
		case in.Unsure.Runs && strings.ContainsAny(text, "\n\""):
			in.judgeParts(text)
		case strings.ContainsAny(text, " \n*$") || !strings.ContainsAny(text, "/."):
		case in.Unsure.Reads && in.isSecret(v):
			in.Trace.Read(v, in.Command.Scope, in.Command.Span)
		case in.Unsure.Writes && in.isProtected(v):
			in.Trace.Write(v, in.Command.Scope, in.Command.Span)
		case in.Unsure.Deletes && in.isProtected(v):
			in.Trace.Remove(v, in.Command.Scope, in.Command.Span, trace.Removal{Tree: true, How: "may delete"})
		}
	}
	if in.Unsure.Runs && (in.Language == trace.Other || in.Language == trace.Compiled) {
		in.judgeSequence()
	}
	for _, list := range in.literals.lists {
		if in.Unsure.Runs {
			in.judge(func() { in.Trace.RunInner(in.copied(), list.Flatten()) })
		}
	}
}

// judgeSequence judges several string literals as one command. The first of these literals is the name of a program.
// Code in a language that is not analyzed may pass a program and its arguments as separate strings, as in (sh "rm"
// "-rf" "x").
func (in *interpreter) judgeSequence() {
	for i, text := range in.literals.texts {
		if strings.Contains(text, " ") || in.Trace.Find(trace.ProgramName(text)) == nil || !in.spend(maxSequence) {
			continue
		}
		var argv []trace.Value
		for _, word := range in.literals.texts[i:min(i+maxSequence, len(in.literals.texts))] {
			argv = append(argv, trace.Value{Text: word})
		}
		in.judge(func() { in.Trace.RunInner(in.copied(), argv) })
	}
}

// maxSequence is the maximum number of string literals that are judged as one command.
const maxSequence = 8

// judgeParts judges each line of a text and each quoted string in the text as a command, because the text may be JSON
// or YAML.
func (in *interpreter) judgeParts(text string) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '"' || r == '\n' })
	for _, part := range parts[:min(len(parts), maxLiterals)] {
		if _, behind, ok := strings.Cut(part, ": "); ok {
			part = behind
		}
		if in.isCommand(part) {
			in.judge(func() { in.Trace.RunText(in.copied(), trace.Value{Text: part}) })
		}
	}
}

// copied() returns a copy of in.Command. The analysis of another command may change this copy.
func (in *interpreter) copied() *trace.Command {
	c := *in.Command
	return &c
}

// isCommand reports whether a text is a command line with at least one argument and a program that has a handler.
func (in *interpreter) isCommand(text string) bool {
	first, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	return rest != "" && first != "" && !strings.ContainsAny(first, "\n=:(") &&
		in.Trace.Find(trace.ProgramName(first)) != nil
}

// isProtected reports whether a path belongs to the guard, or is the path of a file that runs automatically later.
func (in *interpreter) isProtected(v trace.Value) bool {
	p := in.Trace.Place(v, in.Command.Scope)
	return p.Guard || p.Startup && strings.IndexByte("~/.", v.Text[0]) >= 0
}

// isSecret reports whether a path is the path of a file with secrets.
func (in *interpreter) isSecret(v trace.Value) bool {
	return in.Trace.Place(v, in.Command.Scope).Secret
}

// judge() calls analyze(). Then it removes the new effects that have no events.
func (in *interpreter) judge(analyze func()) {
	t := in.Trace
	first := len(t.Effects)
	analyze()
	kept := t.Effects[:min(first, len(t.Effects))]
	for _, e := range t.Effects[len(kept):] {
		if e.Drop(effect.TestRun); len(e.Events) > 0 {
			kept = append(kept, e)
		}
	}
	t.Effects = kept
}

package shell

// names.go recognizes pipes that show only the number or the names of secrets, not their values.

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// forgiveReads handles a pipe between two commands. The parameters "from" and "to" hold the words of the first and the
// second command. If the second command shows no secrets, forgiveReads removes the event for reading secrets from the
// effects of the first command. The parameter "begin" is the index of the first of these effects.
func forgiveReads(t *trace.Trace, from, to []trace.Value, sc *trace.Scope, begin int) {
	if len(from) == 0 || len(to) == 0 || trace.IsRedefined(from[0].Text, sc) || trace.IsRedefined(to[0].Text, sc) {
		return
	}
	reader, command := trace.JoinAll(from), trace.JoinAll(to)
	names := trace.ShowsNames(to, sc)
	if names && (from[0].Text == "cat" || strings.HasPrefix(reader, "grep -v ^# ") && strings.Count(reader, " -") == 1) ||
		!names && isQuiet(from[0].Text, reader) && showsNoSecret(command, from[0].Text) {
		t.ForgiveReads(begin, names)
	} else if names && printsEnvironment(from) || reader == "gh auth token" && (command == "gh auth login --with-token" ||
		strings.HasPrefix(command, "docker login ghcr.io ")) {
		t.ForgiveReads(begin, false)
	}
}

// printsEnvironment reports whether a command only prints the variables of a container.
func printsEnvironment(argv []trace.Value) bool {
	all := trace.JoinAll(argv)
	return strings.Count(all, " ") == len(argv)-1 && strings.Contains(all, " exec ") &&
		(strings.HasSuffix(all, " env") || strings.HasSuffix(all, " printenv"))
}

// isQuiet reports whether a command writes secrets only to its output, and not to its error output.
func isQuiet(source, command string) bool {
	switch source {
	case "cat", "grep":
		return true
	case "terraform", "tofu":
		return !mayHoldSecret(command) // if the input is a text, the error of "jq keys" shows this text
	case "docker", "docker-compose":
		return words.OneOf(strings.ReplaceAll(command, " ", "_"), "docker_compose_config docker-compose_config")
	case "kubectl", "oc":
		options, ok := strings.CutPrefix(command, source+" get ")
		for _, word := range strings.Fields(options) {
			ok = ok && (word[0] != '-' || !strings.Contains(word, "v")) // -v=9 logs the responses of the server
		}
		return ok
	}
	return false
}

// showsNames lists commands that only count what they read, or print only names from their input. grepsImage lists
// commands that print only the images or the names of containers.
const (
	showsNames = "\nwc -l\nwc -c\nwc -w\njq keys\njq -r keys\njq keys[]\njq -r keys[]\njq length\n"
	grepsImage = "\ngrep image\ngrep image:\ngrep -w image\ngrep -o image:.*\ngrep container_name\ngrep container_name:\n"
)

// showsNoSecret reports whether a command counts its input, tests its input, or prints only names from its input. The
// output of terraform contains secrets and other values. So for terraform, showsNoSecret also returns true for a query
// that selects only a harmless value.
func showsNoSecret(command, source string) bool {
	first, last, ok := strings.Cut(command, " | ")
	if i := strings.LastIndexByte(first, ' ') + 1; ok && i > 0 && isMember(first[i:]) {
		command = first[:i] + last // as in jq '.data | keys'
	}
	if path, ok := strings.CutPrefix(command, "jq "); ok && source[0] == 't' && strings.HasSuffix(path, ".value") {
		path = strings.TrimPrefix(path, "-r ")
		return isPath(path) && onlyHarmless(strings.TrimSuffix(path[1:], ".value"))
	}
	if source[0] == 'd' && strings.Contains(grepsImage, "\n"+command+"\n") {
		return true
	}
	return command != "" && strings.Contains(showsNames, "\n"+command+"\n") ||
		strings.HasPrefix(command, "grep -c ") || strings.HasPrefix(command, "grep -q ")
}

// onlyHarmless reports whether every word in the name of an output shows that the output is not a secret.
func onlyHarmless(name string) bool {
	for _, word := range strings.Split(strings.ReplaceAll(name, "_", "."), ".") {
		if !words.OneOf(word, "url id ids name arn region host ip port bucket endpoint zone cluster vpc subnet") {
			return false
		}
	}
	return true
}

// isPath reports whether a query of jq only selects a member, as .a.b does.
func isPath(query string) bool {
	return strings.HasPrefix(query, ".") && !strings.Contains(query, "..") &&
		strings.Trim(query, ".0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// isMember reports whether a query of jq selects the whole input, or a member that is probably not a text with a
// secret. The reason: if the member is a text, the command "jq keys" fails, and its error message shows the text.
func isMember(query string) bool {
	return isPath(query) && strings.LastIndexByte(query, '.') == 0 && !mayHoldSecret(query)
}

// mayHoldSecret reports whether the name of an output suggests that the output is a secret, or an address that may
// contain a secret.
func mayHoldSecret(name string) bool {
	upper := strings.ToUpper(name)
	for _, word := range strings.Fields("URL URI DSN CONN KEY PASS PWD CONFIG TOKEN SECRET CRED") {
		if strings.Contains(upper, word) {
			return true
		}
	}
	return false
}

// plainWords returns the words of a simple command. It returns nil if the statement is not a simple command, if the
// command has expansions or assignments, or if it does not have the given number of redirections.
func plainWords(s *syntax.Stmt, redirections int) []trace.Value {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(s.Redirs) != redirections || len(call.Assigns) > 0 {
		return nil
	}
	out := make([]trace.Value, len(call.Args))
	for i, w := range call.Args {
		word := w.Lit()
		if quoted, ok := w.Parts[0].(*syntax.SglQuoted); ok && len(w.Parts) == 1 {
			word = quoted.Value
		}
		if word == "" {
			return nil
		}
		out[i].Text = word
	}
	return out
}

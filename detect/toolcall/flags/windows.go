package flags

import (
	"strings"

	"guardrails/detect/toolcall/trace"
)

// WindowsWords splits a command line into words as cmd.exe does.
func WindowsWords(v trace.Value) []trace.Value {
	words, _ := CmdWords(v.Text)
	for i := range words {
		words[i].Taint, words[i].Partial = v.Taint, v.Partial && strings.Contains(words[i].Text, "$")
	}
	return words
}

// CmdWords splits a command for cmd.exe into words. The files of redirections are returned separately ("targets").
func CmdWords(text string) (words, targets []trace.Value) {
	var l cmdLine
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			l.quoted, l.started = !l.quoted, true
		case c == '^' && !l.quoted && i+1 < len(text):
			i++
			l.add(text[i])
		case !l.quoted && (c == ' ' || c == '\t' || c == '\r' || c == ',' || c == ';'):
			l.flush()
		case !l.quoted && c == '>':
			i += l.redirect(text[i:])
		default:
			l.add(c)
		}
	}
	l.flush()
	return l.words, l.targets
}

type cmdLine struct {
	words, targets []trace.Value
	word           strings.Builder
	// The field "started" is set while a word is being read. The field "target" is set if the word is the file
	// of a redirection.
	started, quoted, target bool
}

func (l *cmdLine) add(c byte) {
	l.word.WriteByte(c)
	l.started = true
}

func (l *cmdLine) flush() {
	if !l.started {
		return
	}
	v := trace.Value{Text: l.word.String()}
	v.Partial = strings.Count(v.Text, "%") > 1
	v.Glob = strings.ContainsAny(v.Text, "*?")
	if l.target {
		l.targets = append(l.targets, v)
	} else {
		l.words = append(l.words, v)
	}
	l.word.Reset()
	l.started, l.target = false, false
}

// redirect() parses a redirection. The next word is then the name of a file, unless the redirection leads to another
// stream, as in 2>&1. The method returns the number of bytes that it has read after the first byte.
func (l *cmdLine) redirect(text string) (more int) {
	if s := l.word.String(); s == "1" || s == "2" {
		l.word.Reset()
		l.started = false
	}
	l.flush()
	for more+1 < len(text) && text[more+1] == '>' {
		more++
	}
	if more+2 < len(text) && text[more+1] == '&' {
		return more + 2
	}
	l.target = true
	return more
}

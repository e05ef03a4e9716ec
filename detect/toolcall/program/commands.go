package program

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// texts() analyzes arguments that each contain a whole shell command. The parameter "word" comes from a table row and
// says which arguments these are. For "-c|--command", they are the values of these two flags. For "0", the only such
// argument is the first operand. For "1+", the arguments are all operands after the first.
func (w *writer) texts(word, rest string) {
	w.ran = true
	if word[0] != '-' {
		for _, v := range choose(word, w.list(rest)) {
			w.t.RunText(w.c, v)
		}
		return
	}
	for i, v := range w.args {
		name, text, attached := strings.Cut(v.Text, "=")
		switch {
		case !IsOneOf(name, word):
			continue
		case attached:
			v.Text = text
		case i+1 < len(w.args):
			v = w.args[i+1]
		default:
			continue // the value is missing
		}
		w.t.RunText(w.c, v)
	}
}

// command() analyzes a command whose words are separate arguments. The parameter "word" comes from a table row and says
// where the command begins. For "--|-c", it begins after one of these two flags. For "0" or "1", it begins after the
// flags and this number of operands. For "0=python3", it begins at the same place as for "0", but the words are the
// arguments of python3.
func (w *writer) command(word string) {
	args := w.args[w.at:]
	word, runner, _ := strings.Cut(word, "=")
	if word[0] == '-' {
		for len(args) > 0 && !IsOneOf(args[0].Text, word) {
			args = args[1:]
		}
		args = args[min(1, len(args)):]
	} else {
		args = w.skip(args, int(word[0]-'0'), runner)
	}
	if runner != "" && len(args) > 0 {
		args = append([]trace.Value{{Text: runner}}, args...)
	}
	if w.far {
		defer func(level int) { w.t.Privileged = level }(w.t.Privileged)
		w.t.Privileged = 0
	}
	switch {
	case len(args) == 0:
		return
	case strings.Contains(args[0].Text, " "):
		w.t.RunText(w.c, args[0])
	default:
		w.t.RunInner(w.c, args)
	}
	w.ran = true
}

// skip() removes the flags and the given number of operands from the beginning of the arguments and returns the rest.
// If it meets --, it returns the arguments after --. The parameter "runner" can be the name of a program such as
// python3. The method then stops at -m, because -m is a flag of that program.
func (w *writer) skip(args []trace.Value, operands int, runner string) []trace.Value {
	for len(args) > 0 {
		text := args[0].Text
		switch {
		case text == "--":
			return args[1:]
		case text == "-m" && runner != "":
			return args
		case len(text) > 1 && text[0] == '-':
			args = args[min(1+words.Btoi(words.Among(text, w.values) == text), len(args)):]
			continue
		case operands == 0:
			return args
		}
		operands--
		args = args[1:]
	}
	return nil
}

// farAway makes the working folder unknown. It is for a command that runs on another machine or in a container.
func (w *writer) farAway() {
	far := *w.c
	w.far = true
	far.Scope = &trace.Scope{Cwd: w.c.Scope.Cwd, CwdUnknown: true}
	w.c = &far
}

// maxGuesses is the depth of nested commands at which the analysis stops guessing: it no longer tries to read the
// arguments of an unknown program as a command.
const maxGuesses = 8

// arguments() analyzes the arguments of an unknown program as if the program ran them as a command. If try() drops the
// effects of that command, the arguments count as data.
func arguments(t *trace.Trace, c *trace.Command) {
	if len(c.Argv) < 2 || TakesProse(c.Name) || TakesFolders(c.Name) || t.Depth >= maxGuesses {
		return
	}
	operands, sure := 0, true
	for i := 1; i < len(c.Argv) && operands < 3; i++ {
		v := c.Argv[i]
		switch before := c.Argv[i-1].Text; {
		case v.Partial:
			return
		case strings.Contains(v.Text, " "):
			if strings.Contains(c.Argv[0].Text, "/") {
				return // perhaps a tool of the project only checks the text
			}
			if name, value, ok := strings.Cut(v.Text, "="); ok && namesCommand(name) {
				before, v.Text = name, value
			}
			if namesCommand(before) || len(c.Argv) == 2 && !isProse(v.Text) && startsCommand(v.Text) {
				try(t, c, func() { t.RunText(c, v) }, false)
			}
			return
		case v.Text == "--":
			operands, sure = 0, true
			continue
		case len(v.Text) > 1 && v.Text[0] == '-', strings.HasPrefix(before, "--") && before != "--" &&
			!hasFlags(c.Argv[i+1:]):
			sure = false
			continue
		case isCommand(v.Text):
			if operands < 2 || runsRest(c.Argv[1:i]) {
				try(t, c, func() { t.RunInner(c, c.Argv[i:]) }, sure && operands == 0)
			}
			return
		case words.Among(v.Text, takesData) == v.Text:
			return
		}
		operands++
	}
}

// TakesProse reports whether the arguments of a program are text for people.
func TakesProse(name string) bool { return words.Among(name, takesProse) == name }

func hasFlags(args []trace.Value) bool { return len(args) > 0 && strings.HasPrefix(args[0].Text, "-") }

// try() runs an analysis. It keeps the new effects only if one of them has an event. Two kinds of events are ignored.
// The first are the events of an effect that runs tests. The second is the event for invalid shell syntax, because a
// text with such syntax is probably in another language. If the parameter "files" is set, an effect that writes or
// deletes a file is also a reason to keep all new effects.
func try(t *trace.Trace, c *trace.Command, analyze func(), files bool) {
	first, outer := len(t.Effects), c.Scope
	c.Scope = outer.Sub()
	analyze()
	c.Scope = outer
	for i := first; i < len(t.Effects); i++ {
		e := &t.Effects[i]
		change := files && (e.Kind == effect.Write || e.Kind == effect.Delete) && strings.ContainsAny(e.Path, "/.")
		if change || len(e.Events) > 0 && !e.Has(effect.TestRun) && !strings.HasPrefix(e.Reason, trace.BadSyntax) {
			return
		}
	}
	t.Effects = t.Effects[:first]
}

// isCommand reports whether a word is the name of a program, and is seldom used for anything else, such as a
// subcommand.
func isCommand(word string) bool {
	name := trace.ProgramName(word)
	return words.Among(name, "rm rmdir unlink shred mv cp dd chmod chown chattr tee truncate sed perl ruby python python3 node bash sh zsh "+
		"dash fish ksh sudo doas su git gh curl wget docker podman kubectl helm terraform tofu aws gcloud az psql mysql mongosh redis-cli "+
		"sqlite3 dropdb npm npx pnpm yarn pip pip3 find xargs env rsync scp ssh nc crontab systemctl kill pkill killall launchctl eval exec "+
		"php deno bun osascript pwsh powershell gpg openssl timeout nohup nice command rimraf mkfs cat") == name
}

// maxStarts is the maximum number of statements of a text in which startsCommand looks for a command.
const maxStarts = 16

// startsCommand reports whether a text has a statement that begins with the name of a program.
func startsCommand(text string) bool {
	for range maxStarts {
		text = strings.TrimLeft(text, " ;&|\n")
		word, _, _ := strings.Cut(text, " ")
		if isCommand(word) {
			return true
		}
		end := strings.IndexAny(text, ";&|\n")
		if strings.IndexByte(word, '=') > 0 && end != len(word) { // as in "A=1 rm x"
			end = len(word)
		}
		if end < 0 || end >= len(text) {
			break
		}
		text = text[end:]
	}
	return false
}

// namesCommand reports whether a command usually follows a flag or a word such as "run". This must be true for nearly
// every program that accepts the flag or the word.
func namesCommand(flag string) bool {
	return words.Among(flag, "-c --command --cmd --exec --execute --run --shell --sh --on-change --hook "+
		"--script -- run exec sh shell") == flag
}

// runsRest reports whether one of the words is a verb, such as "run" or "exec", that usually comes before a command.
func runsRest(before []trace.Value) bool {
	for _, v := range before {
		if words.Among(v.Text, "run exec x shell sh enter do with wrap start spawn invoke launch ssh") == v.Text {
			return true
		}
	}
	return false
}

// isProse reports whether a text has words that English sentences have and commands do not.
func isProse(text string) bool {
	for _, word := range strings.Fields(text) {
		word = strings.ToLower(strings.Trim(word, ",.:;!?"))
		if words.Among(word, "the a an is are was were be and or not of to for in on with that this it why how what when does never "+
			"only should must can will because if then so as blocked deleted removed instead before after you we") == word {
			return true
		}
	}
	return false
}

const (
	// takesProse lists programs whose arguments are text for people.
	takesProse = "fzf sk peco fzy rofi dmenu " +
		"say espeak spd-say notify-send logger wall write cowsay figlet toilet banner lolcat todo task jrnl note notes memo tldr " +
		"man info whatis apropos cheat howdoi explain llm ollama mods sgpt chatgpt gum dialog whiptail zenity xmessage " +
		"terminal-notifier slack slackcat wl-copy xclip xsel pbcopy clip bd linear jira trello"
	// takesData lists subcommands whose arguments are data and never commands.
	takesData = "add note say log new create message comment search find grep echo set title commit get describe docs help info show list " +
		"ls install uninstall remove use config completion init explain test which config edit view open tag label"
)

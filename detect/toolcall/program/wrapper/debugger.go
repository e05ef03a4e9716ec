package wrapper

import (
	"strings"

	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// debugger() analyzes gdb and lldb. These debuggers run a program, and they also run commands in a language of their
// own.
func debugger(t *trace.Trace, c *trace.Command) trace.Flow {
	args := c.Args()
	for i := 0; i < len(args) && args[i].Text != "--args" && args[i].Text != "--"; i++ {
		flag, attached, ok := strings.Cut(args[i].Text, "=")
		v := trace.Value{Text: attached}
		if !ok && i+1 < len(args) {
			v = args[i+1]
		}
		switch flag {
		case words.Among(flag, "-ex -iex --ex --iex --eval-command --init-eval-command -o -O --one-line"):
			debugCommand(t, c, v)
		case words.Among(flag, "-x -ix -command --command --init-command -s -S --source --source-before-file"):
			debugFile(t, c, v)
		}
	}
	return Transparent("c d e p s x o O k -ex -iex ex iex command eval-command exec one-line", 0)(t, c)
}

// debugFile analyzes a file with commands of a debugger.
func debugFile(t *trace.Trace, c *trace.Command, v trace.Value) {
	if strings.HasSuffix(v.Text, ".py") {
		t.RunInner(c, []trace.Value{{Text: "python3"}, v})
		return
	}
	t.CommandsIn(c, v, func(inner *trace.Command, text string) {
		for text != "" {
			v.Text, text, _ = strings.Cut(text, "\n")
			debugCommand(t, inner, v)
		}
	})
}

// debugCommand analyzes one command of a debugger. The command may run a shell command or Python code, or write a file.
func debugCommand(t *trace.Trace, c *trace.Command, v trace.Value) {
	text := strings.TrimPrefix(strings.TrimSpace(v.Text), "platform ")
	word, rest, _ := strings.Cut(text, " ")
	switch {
	case strings.HasPrefix(text, "!"):
		v.Text = text[1:]
		t.RunText(c, v)
	case words.OneOf(word, "shell pipe |"):
		_, behind, piped := strings.Cut(rest, "|")
		if v.Text = rest; piped && word != "shell" {
			v.Text = behind
		}
		t.RunText(c, v)
	case word == "source":
		v.Text = rest
		debugFile(t, c, v)
	case words.OneOf(word, "python python-interactive py script"):
		v.Text = rest
		t.RunInner(c, []trace.Value{{Text: "python3"}, {Text: "-c"}, v})
	case words.OneOf(word, "dump append save gcore generate-core-file tee"),
		strings.HasPrefix(text, "set logging file"), strings.Contains(text, " -o "), strings.Contains(text, " -f "):
		for _, name := range strings.Fields(rest) {
			if strings.ContainsAny(name, "./") {
				v.Text = name
				program.Output(t, c, v)
			}
		}
	}
}

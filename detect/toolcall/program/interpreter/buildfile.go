package interpreter

import (
	"strings"

	"guardrails/detect/toolcall/trace"
)

// buildFile returns the file from which a build tool runs code, and the interpreter for the language of the file. It
// returns "" for any other program.
func buildFile(c *trace.Command) (name, interpreter string) {
	switch c.Name {
	case "rake":
		return "Rakefile", "ruby"
	case "inv", "invoke":
		return "tasks.py", "python3"
	case "nox":
		return "noxfile.py", "python3"
	case "fab":
		return "fabfile.py", "python3"
	case "scons":
		return "SConstruct", "python3"
	case "gulp":
		return "gulpfile.js", "node"
	case "grunt":
		return "Gruntfile.js", "node"
	case "pip", "pip3", "uv":
		if hasOperand(c, "install") && (hasOperand(c, ".") || hasOperand(c, "./")) {
			return "setup.py", "python3"
		}
	}
	return "", ""
}

// contextOfTasks is Python code for the object that invoke and fab pass to a task.
const contextOfTasks = `
import os
class guardContext:
    def run(self, command):
        os.system(command)
`

// runBuildFile analyzes the file of a build tool if the call has written the file. In Python, the tasks are functions,
// which run only if the call names them.
func runBuildFile(t *trace.Trace, c *trace.Command) {
	name, interpreter := buildFile(c)
	if name == "" {
		return
	}
	f, ok := t.Content[t.Place(trace.Value{Text: name}, c.Scope).Name]
	if !ok {
		return
	}
	if t.RunForeign(c, f); !f.Known {
		return
	}
	if interpreter == "python3" {
		f.Text += contextOfTasks
		for _, v := range c.Args() {
			if task := strings.ReplaceAll(v.Text, "-", "_"); strings.Contains(f.Text, "def "+task+"(") {
				f.Text += "\n" + task + "(guardContext())\n"
			}
		}
	}
	if t.Depth < trace.MaxDepth {
		t.Depth++
		defer func() { t.Depth-- }()
		t.Dispatch([]trace.Value{{Text: interpreter}}, c.Span, c.Scope, trace.Streams{In: f})
	}
}

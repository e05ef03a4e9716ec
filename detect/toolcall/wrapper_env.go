package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// envWrapper skips the assignments that env makes; -S holds a whole command in one argument.
func envWrapper(a *analyzer, c *command) flow {
	for i := 1; i < len(c.argv); i++ {
		text := c.argv[i].text
		name, val, isAssign := strings.Cut(text, "=")
		split, isSplit := strings.CutPrefix(text, "--split-string=")
		switch {
		case text == "-S" || text == "--split-string" || isSplit || strings.HasPrefix(text, "-S"):
			rest := c.argv[i+1:]
			switch {
			case isSplit:
			case len(text) > 2 && text[1] == 'S':
				split = text[2:]
			case len(rest) > 0:
				split, rest = rest[0].text, rest[1:]
			}
			return a.again(c, append(splitWords(split, c.argv[i]), rest...))
		case text == "-u" || text == "--unset":
			i++
			a.unset(c, argAt(c.argv, i), text)
		case text == "-C" || text == "--chdir":
			i++
			a.runsIn(c, argAt(c.argv, i))
		case strings.HasPrefix(text, "--chdir="):
			a.runsIn(c, val)
		case strings.HasPrefix(text, "--unset="):
			a.unset(c, val, "-u")
		case text == "--" || text == "-" || strings.HasPrefix(text, "-"):
		case isAssign:
			given := value{text: val, quality: quality{partial: c.argv[i].partial}}
			a.sensitiveVariable(c, name, given)
			if leadsToGuard(name) {
				c.sc = c.sc.sub()
				c.sc.set(name, variable{values: []value{given}})
			}
		default:
			if c.run < len(a.effects) {
				a.effects[c.run].Inert = true
			}
			return a.again(c, c.argv[i:])
		}
	}
	return flow{taint: fromEnviron}
}

// runsIn makes a folder the one that the wrapped command runs in.
func (a *analyzer) runsIn(c *command, folder string) {
	c.sc = c.sc.sub()
	if folder != "" {
		changeDir(a, &command{name: "cd", argv: []value{{text: "cd"}, {text: folder}}, sc: c.sc, run: c.run})
	}
}

func argAt(argv []value, i int) string {
	if i < len(argv) {
		return argv[i].text
	}
	return ""
}

func splitWords(text string, at value) []value {
	var out []value
	for _, w := range strings.Fields(text) {
		v := at
		v.text = strings.Trim(w, `'"`)
		out = append(out, v)
	}
	return out
}

// unset notes that a variable which the guard depends on is taken away.
func (a *analyzer) unset(c *command, name, flag string) {
	if isGuardVariable(name) || strings.Contains(c.span.Text, "GUARDRAILS") {
		a.mark(c, "takes away "+name+", which the guard depends on", effect.GuardTamper)
	}
	if isHistoryVariable(name) && flag == "" {
		a.mark(c, "stops the shell from recording commands", effect.DefenseOff)
	}
}

package find

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/product"
)

// The type "expression" holds the command line of find: the folders in which the program starts, and the actions
// for the files that the program finds.
//
// The parser in the package "flags" cannot read such a command line, because its grammar is different. A word with one
// hyphen is a test or an action. Tests and actions are evaluated from left to right. An exclamation mark negates a
// test, and parentheses group tests. All words from -exec to a semicolon are a command.
type expression struct {
	starts []trace.Value
	// The field "actions" holds the actions -delete and -exec. The field "printed" holds the filters for the files
	// whose names are printed.
	actions []action
	printed []filter
	prints  bool // the expression has an action that prints
	outputs []trace.Value

	// The field "args" holds the words of the expression, and the field "i" is the index of the next word.
	args []trace.Value
	i    int
}

// The type "action" holds a command that the program "find" runs on the files that pass one of the filters. Without
// a command, the program deletes these files.
type action struct {
	command []trace.Value
	found   []filter
}

// The type "filter" holds the tests that a file must pass.
type filter struct {
	_ [0]func() // makes == on filters an error; see trace.Place
	// The field "narrowed" is set if tests exclude some of the files below the start folders.
	narrowed   bool
	name, path string // the pattern that the names or the paths must match
	// The field "hollow" is set if the program finds only links and folders, or only empty files and folders. The
	// action -delete then loses no data, because find does not delete a folder that has content.
	hollow bool
	// skipsHidden is set if the program skips the files in folders whose names begin with a dot.
	skipsHidden bool
}

// maxFilters is the maximum number of filters for one expression. If an expression has more filters, the analysis knows
// only that the files are below the start folders.
const maxFilters = 32

// These tests of find take a value. The tests in narrowingTests exclude files.
const (
	narrowingTests = "-mtime -mmin -newer -size -atime -ctime -inum -xtype -links -perm -user -maxdepth"
	otherTests     = "-type -group -uid -gid -amin -cmin -anewer -cnewer -mindepth -fstype -lname -ilname -samefile -used " +
		"-context -regextype -files0-from"
)

func parseExpression(args []trace.Value) expression {
	e := expression{args: args}
	e.i = e.readStarts(args)
	found := []filter{{}}
	for e.i < len(args) {
		found = e.either(found)
		e.i++ // a parenthesis that closes nothing
	}
	if !e.prints {
		e.printed = found
	}
	return e
}

// either() reads alternatives that are separated by -o. It stops at the end or at a closing parenthesis. The parameter
// "from" contains the filters of the files that reach the first test. The method returns the filters of the files that
// pass one of the alternatives. If there is a comma, it returns only the filters of the part after the last comma.
func (e *expression) either(from []filter) []filter {
	rest := from
	var out []filter
	for {
		passed := e.all(rest)
		out = append(out[:len(out):len(out)], passed...)
		if len(out) > maxFilters {
			out = []filter{{narrowed: true}}
		}
		switch word := e.word(); word {
		case ",":
			rest, out = from, nil
		case "-o", "-or":
			rest = without(rest, passed)
		default:
			return out
		}
		e.i++
	}
}

// word() returns the next word, or "" at the end.
func (e *expression) word() string {
	if e.i >= len(e.args) {
		return ""
	}
	return e.args[e.i].Text
}

// all() reads tests and actions up to the next -o, comma or closing parenthesis. The parameter "found" has the
// filters of the files that reach the first test. The method returns the filters of the files that pass all tests.
func (e *expression) all(found []filter) []filter {
	negated := false
	for ; e.i < len(e.args); e.i++ {
		switch word := e.word(); word {
		case ")", ",", "-o", "-or":
			return found
		case "!", "-not":
			negated = true
			continue
		case "(":
			e.i++
			passed := e.either(found)
			if negated {
				passed = without(found, passed)
			}
			found = passed
		case "-delete":
			e.actions = append(e.actions, action{found: found})
		case "-exec", "-execdir", "-ok", "-okdir":
			end := endOfCommand(e.args, e.i+1)
			if command := e.args[e.i+1 : end]; len(command) > 0 {
				e.actions = append(e.actions, action{command, found})
			}
			e.i = end
		case "-print", "-print0", "-printf", "-ls":
			e.prints = true
			e.printed = append(e.printed, found...)
			e.i += words.Btoi(word == "-printf")
		default:
			found = e.test(found, word, negated)
		}
		negated = false
	}
	return found
}

// test() reads a test or another action. The parameter "found" has the filters so far. The result selects the files
// that match these filters and also pass this test.
func (e *expression) test(found []filter, word string, negated bool) []filter {
	var value trace.Value
	if e.i+1 < len(e.args) {
		value = e.args[e.i+1]
	} else if word != "-empty" {
		return found
	}
	out := append([]filter{}, found...)
	takesValue := false
	for i := range out {
		takesValue = out[i].add(word, value, negated)
	}
	if strings.HasPrefix(word, "-fprint") || word == "-fls" {
		e.outputs, takesValue = append(e.outputs, value), true
	}
	e.i += words.Btoi(takesValue)
	return out
}

// without() returns filters for the files that pass a filter in the first list ("from"), but no filter in the second
// list ("passed").
func without(from, passed []filter) []filter {
	out := append([]filter{}, from...)
	for i := range out {
		for _, f := range passed {
			out[i].narrowed = out[i].narrowed || f.narrowed
			out[i].skipsHidden = out[i].skipsHidden || out[i].path == "" && isHidden(f.path)
		}
	}
	return out
}

// isHidden reports whether a pattern for paths matches folders whose names begin with a dot.
func isHidden(path string) bool {
	return strings.Contains(path, "/.") || strings.Contains(path, product.ClientFolder)
}

// readStarts reads the folders in which find starts, and the options before them. It returns the index of the first
// test or action.
func (e *expression) readStarts(args []trace.Value) int {
	i := 0
	for ; i < len(args); i++ {
		v := args[i]
		if v.Text == "-H" || v.Text == "-L" || v.Text == "-P" || strings.HasPrefix(v.Text, "-O") {
			continue
		}
		if strings.HasPrefix(v.Text, "-") && len(v.Text) > 1 || v.Text == "(" || v.Text == "!" {
			break
		}
		e.starts = append(e.starts, v)
	}
	if len(e.starts) == 0 {
		e.starts = []trace.Value{{Text: "."}}
	}
	return i
}

// add() adds a test with a value to the filter. It returns false if the test takes no value.
func (f *filter) add(word string, value trace.Value, negated bool) bool {
	switch word {
	case "-empty":
		f.narrowed, f.hollow = true, f.hollow || !negated
		return false
	case "-name", "-iname":
		if !negated && (f.name == "" || isOutput(value.Text)) {
			f.name = value.Text
		}
	case "-path", "-ipath", "-wholename", "-iwholename":
		if !negated {
			f.path = value.Text
		} else if isHidden(value.Text) {
			f.skipsHidden = true
		}
	case "-type", "-xtype":
		if kinds := strings.Trim(value.Text, "dl,"); kinds == "" && !negated {
			f.narrowed, f.hollow = true, true
		}
		f.narrowed = f.narrowed || word == "-xtype"
		return true
	case "-regex", "-iregex":
	case words.Among(word, narrowingTests):
		f.narrowed = true
		return true
	default:
		newer := strings.HasPrefix(word, "-newer")
		f.narrowed = f.narrowed || newer
		return newer || words.Among(word, otherTests) == word
	}
	if strings.Trim(value.Text, "*.") != "" {
		f.narrowed = true
	}
	return true
}

// endOfCommand returns the index of the ; or + that ends a command.
func endOfCommand(args []trace.Value, from int) int {
	for i := from; i < len(args); i++ {
		if args[i].Text == ";" || args[i].Text == "+" && args[i-1].Text == "{}" {
			return i
		}
	}
	return len(args)
}

// isOutput reports whether a pattern is for the names of files that tools can create again.
func isOutput(pattern string) bool { return trace.IsRegenerable(strings.ReplaceAll(pattern, "*", "x")) }

// found() returns the pattern for the files that the program "find" looks for. The result is usually the pattern for
// the name. The result is the pattern for the path if there is no pattern for the name, or if the pattern for the path
// matches output of tools. The method also reports whether the returned pattern is for names of files that tools can
// create again.
func (f *filter) found() (string, bool) {
	if f.name != "" && (f.path == "" || !trace.IsRegenerable(f.path)) {
		return f.name, isOutput(f.name)
	}
	return f.path, false
}

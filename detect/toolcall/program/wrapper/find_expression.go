package wrapper

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/product"
)

// expression is the command line of find: the folders in which it starts, and what it does with the files it
// finds.
//
// It does not follow the grammar of the package flags. A word with one hyphen is a test or an action. Tests
// and actions are evaluated from left to right. An exclamation mark negates a test, and parentheses group
// tests. -exec takes all words up to a semicolon.
type expression struct {
	starts []trace.Value
	// narrowed is set if tests exclude some of the files below the start folders.
	narrowed   bool
	name, path string // the pattern that the names or the paths must match
	pruned     bool
	// hollow is set if find finds only links and folders, or only empty files and folders. With -delete, find does not
	// delete a folder that is not empty.
	hollow bool
	// skipsHidden is set if find skips the files in folders whose names begin with a dot.
	skipsHidden bool
	deletes     bool
	commands    [][]trace.Value
	outputs     []trace.Value
}

// These tests of find take a value. Those in narrowingTests exclude files.
const (
	narrowingTests = "-mtime -mmin -newer -size -atime -ctime -inum -xtype -links -perm -user -maxdepth"
	otherTests     = "-type -group -uid -gid -amin -cmin -anewer -cnewer -mindepth -fstype -lname -ilname -samefile -used " +
		"-context -printf -regextype -files0-from"
)

func parseExpression(args []trace.Value) expression {
	var e expression
	i := e.readStarts(args)
	negated := false
	for ; i < len(args); i++ {
		word := args[i].Text
		switch word {
		case "!", "-not":
			negated = true
			continue
		case "-delete":
			e.deletes = true
		case "-exec", "-execdir", "-ok", "-okdir":
			end := endOfCommand(args, i+1)
			e.commands = append(e.commands, args[i+1:end])
			i = end
		case "-prune":
			e.pruned = true
		case "-empty":
			e.narrowed, e.hollow = true, e.hollow || !negated
		default:
			if i+1 < len(args) {
				i += words.Btoi(e.readTest(word, args[i+1], negated))
			}
		}
		negated = false
	}
	return e
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

// readTest reads a test or action with a value. It returns false if the word takes no value.
func (e *expression) readTest(word string, value trace.Value, negated bool) bool {
	switch word {
	case "-fprint", "-fprintf", "-fls", "-fprint0":
		e.outputs = append(e.outputs, value)
	case "-name", "-iname":
		if !negated && e.name == "" {
			e.name = value.Text
		}
	case "-path", "-ipath", "-wholename", "-iwholename":
		if !negated {
			e.path = value.Text
		} else if strings.Contains(value.Text, "/.") || strings.Contains(value.Text, product.ClientFolder) {
			e.skipsHidden = true
		}
	case "-type", "-xtype":
		if kinds := strings.Trim(value.Text, "dl,"); kinds == "" && !negated {
			e.narrowed, e.hollow = true, true
		}
		e.narrowed = e.narrowed || word == "-xtype"
		return true
	case "-regex", "-iregex":
	case words.Among(word, narrowingTests):
		e.narrowed = true
		return true
	default:
		return words.Among(word, otherTests) == word || strings.HasPrefix(word, "-newer")
	}
	if word[1] != 'f' && strings.Trim(value.Text, "*.") != "" {
		e.narrowed = true
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

// found returns the name or path of the files that find looks for, and whether tools can create such files again. With
// -prune, found returns no path, because find may skip the files at that path.
func (e *expression) found() (string, bool) {
	switch {
	case e.name != "":
		return e.name, trace.IsRegenerable(strings.ReplaceAll(e.name, "*", "x"))
	case e.pruned:
		return "", false
	}
	return e.path, false
}

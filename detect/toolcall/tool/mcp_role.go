package tool

import (
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/document"
)

// The type "role" says how a call uses an argument, for example as a path or as a command.
type role uint8

const (
	roleData role = iota
	rolePath
	roleSource
	roleTarget
	roleCommand
	roleCode
	roleAddress
	roleSQL
	rolePatch
)

// roleOf returns the role that the plain name of an argument suggests. If the name suggests no role, the argument is
// data, such as the content of a file, a message or a prompt.
func roleOf(name string, verbs toolVerb) role {
	switch name {
	case words.Among(name, "path paths file files filepath filepaths filename filenames targetfile relativepath "+
		"absolutepath fullpath outputpath outputfile savepath notebookpath localpath folder folderpath dirpath "+
		"directorypath notepath"):
		return rolePath
	case "directory", "dir":
		if verbs.has(verbRun) {
			return roleData
		}
		return rolePath
	case words.Among(name, "oldpath sourcepath srcpath frompath sourcefile"):
		return roleSource
	case words.Among(name, "newpath destinationpath destpath dstpath topath destinationfile downloadpath targetpath"):
		return roleTarget
	case "source", "src", "from", "old":
		if verbs.has(verbMove | verbCopy) {
			return roleSource
		}
	case words.Among(name, "destination dest dst to target new newname"):
		if verbs.has(verbMove|verbCopy) || verbs.has(verbGet) && name[0] == 'd' {
			return roleTarget
		}
	case words.Among(name, "uri url urls uris href endpoint link"):
		return roleAddress
	case words.Among(name, "sql sqlquery query q statement statements stmt sqlstatement sqlstatements sqlqueries queries"):
		return roleSQL
	}
	switch {
	case strings.HasSuffix(name, "uri"):
		return roleAddress
	case name == words.Among(name, "xpath jsonpath urlpath apipath keypath"):
		return roleData
	case strings.HasPrefix(name, "path"), strings.HasSuffix(name, "path"), strings.HasSuffix(name, "filename"):
		return rolePath
	case len(name) > len("command") && strings.HasSuffix(name, "command"), name == "cmdline":
		return roleCommand
	}
	return runRole(name, verbs)
}

// runRole returns the role of an argument of a tool that runs something. For any other tool, it returns roleData.
func runRole(name string, verbs toolVerb) role {
	if !verbs.has(verbRun) {
		return roleData
	}
	switch name {
	case words.Among(name, "command commands cmd cmds commandline shellcommand executable binary exe"):
		return roleCommand
	case words.Among(name, "input text line lines stdin keys keystrokes data"):
		if verbs.has(verbShell) {
			return roleCommand
		}
	case words.Among(name, "code script source function expression expr snippet codesnippet program js cellsource"):
		return roleCode
	}
	if strings.HasSuffix(name, "code") && !strings.HasSuffix(name, "exitcode") {
		return roleCode
	}
	return roleData
}

// roleOfArgument returns the role of an argument. It decides by the name, or by the text if the name alone is not
// enough.
func (f *foreignCall) roleOfArgument(t *trace.Trace, name, text string) role {
	r := roleOf(name, f.verbs)
	switch {
	case name == "input" && (words.OneOf(f.tool, "console repl eval") || f.verbs.has(verbRun) && isForInterpreter(text)):
		return roleCode
	case r == roleCode && name == "program" && (len(f.words) > 0 || !strings.ContainsAny(text, " \n(;")):
		return roleCommand
	case r != roleData:
		return r
	}
	switch name {
	case "patch", "diff", "input", "patchtext":
		if f.verbs.has(verbWrite) && isDiff(text) {
			return rolePatch
		}
	case words.Among(name, "output out outfile outputdir saveto saveas savedir outputto"):
		if f.verbs.has(verbWrite|verbGet) && looksLikePath(text) {
			return roleTarget
		}
	case words.Among(name, "location where document name key target destination to into"):
		if f.verbs.has(verbWrite|verbRemove|verbTidy) && f.isForFiles() && (looksLikePath(text) || f.tree) {
			return rolePath
		}
	}
	return f.roleOfText(t, name, text)
}

// roleOfText returns the role of an argument whose name says nothing. If the text is the path of a secret, of a file of
// the guard, or of a file that runs automatically, the role is rolePath. If the tool runs commands and the text is a
// command, the role is roleCommand.
func (f *foreignCall) roleOfText(t *trace.Trace, name, text string) role {
	if name == words.Among(name, "query pattern search text content contents body title description prompt message thought note comment "+
		"value label labels q regex keyword newtext oldtext newstring oldstring topic") {
		return roleData
	}
	if program, rest, ok := strings.Cut(text, " "); ok && rest != "" && f.verbs.has(verbRun) && t.Find(program) != nil {
		return roleCommand
	}
	if v, ok := pathArgument(t, name, text); ok && looksLikePath(text) {
		if p := t.Place(v, f.sc); p.Guard || p.Startup || p.Secret {
			return rolePath
		}
	}
	return roleData
}

// isForFiles reports whether the name of a tool consists only of verbs and words for files, as "write" and
// "save_document" do.
func (f *foreignCall) isForFiles() bool {
	for _, word := range nameWords(f.tool) {
		if word == words.Among(word, "file files text document doc content contents to a or and disk fs folder directory "+
			"note path") {
			continue
		}
		if verbOf(word)&onPath == 0 {
			return false
		}
	}
	return true
}

// looksLikePath reports whether a text is probably a path rather than a word or a sentence.
func looksLikePath(text string) bool {
	if text == "" || len(text) > maxPathSize || strings.ContainsAny(text, "\n\t<>{}") || strings.Contains(text, "://") {
		return false
	}
	if trace.IsAbsolute(trace.Slashes(text)) ||
		strings.HasPrefix(text, "~") || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") {
		return true
	}
	return !strings.Contains(text, " ") && strings.ContainsAny(strings.TrimRight(text, "."), "./")
}

// namesFiles reports whether the keys of an object are names of files, and the values of the object are the contents of
// these files. Otherwise, the keys are the fields of a single file.
func (f *foreignCall) namesFiles(outer string, members []document.Member) bool {
	switch outer {
	case words.Among(outer, "files file filecontents documents contents changes"):
	default:
		return false
	}
	for _, m := range members {
		switch name := plainName(m.Name); name {
		case "", "content", "contents", "text", "data", "name", "encoding", "mode", "type", "edits":
			return false
		default:
			if roleOf(name, f.verbs) != roleData {
				return false
			}
		}
	}
	return true
}

package tool

import (
	"strings"

	"guardrails/detect/toolcall/words"
	"guardrails/internal/document"
)

// toolVerb is a set of actions that a tool probably performs, judging by its name.
type toolVerb uint16

const (
	verbRead toolVerb = 1 << iota
	verbList
	verbWrite
	verbRemove
	verbMove
	verbCopy
	verbSend
	verbGet
	verbRun
	verbShell
	// verbTidy stands for verbs such as "clear" and "clean", which remove files but no data of a service.
	verbTidy
)

// onPath contains the verbs that say what happens to a path.
const onPath = verbRead | verbList | verbWrite | verbRemove | verbMove | verbCopy | verbSend | verbGet | verbTidy

func (v toolVerb) has(other toolVerb) bool { return v&other != 0 }

// verbOf returns the verbs that a word in a tool's name stands for.
func verbOf(word string) toolVerb {
	switch word {
	case words.Among(word, "write edit create append save put update patch insert replace overwrite modify mkdir touch "+
		"make add export screenshot record apply truncate generate set chmod symlink link prepend "+
		"rewrite store upsert dump persist output format"):
		return verbWrite
	case words.Among(word, "delete remove rm unlink trash rmdir destroy drop purge erase del wipe"):
		return verbRemove
	case words.Among(word, "cleanup clean clear prune empty expunge tidy"):
		return verbTidy
	case "move", "mv", "rename":
		return verbMove
	case words.Among(word, "copy cp duplicate clone sync mirror"):
		return verbCopy
	case words.Among(word, "unzip untar extract unpack decompress"):
		return verbWrite | verbCopy
	case words.Among(word, "read view open cat head tail load grep print show"):
		return verbRead
	case words.Among(word, "list ls tree stat info exists find glob search dir"):
		return verbList
	case "download":
		return verbGet | verbWrite
	case words.Among(word, "get fetch navigate goto crawl scrape"):
		return verbGet
	case words.Among(word, "upload send post publish attach share submit gist paste"):
		return verbSend
	case words.Among(word, "run exec execute eval evaluate spawn process script console repl code python ipython jupyter "+
		"tinker"):
		return verbRun
	case words.Among(word, "shell bash sh zsh cmd command commands terminal powershell pwsh ssh keys keystrokes tmux iterm tty pty"):
		return verbRun | verbShell
	}
	return 0
}

// addVerbs adds the verbs that the arguments suggest. For example, an argument may name the action. A path together
// with content means that the tool writes a file.
func (f *foreignCall) addVerbs() {
	var hasPath, hasContent bool
	for _, m := range f.args {
		name := plainName(m.Name)
		text, isText := document.Text(m.Raw)
		switch name {
		case words.Among(name, "command action operation op mode"):
			if isText && !f.verbs.has(verbRun) {
				f.addVerbsOf(name, text)
			}
		case words.Among(name, "content contents text filetext data newtext newstr newstring newcontent edits append body "+
			"lines"):
			hasContent = true
		default:
			hasPath = hasPath || roleOf(name, f.verbs) == rolePath
		}
	}
	if hasPath && hasContent && !f.verbs.has(onPath) {
		f.verbs |= verbWrite
	}
}

// addVerbsOf adds the verbs in an argument that names the action. If the tool is an editor with several commands, these
// verbs replace the verbs in the name of the tool.
func (f *foreignCall) addVerbsOf(name, text string) {
	var verbs toolVerb
	for _, word := range nameWords(text) {
		verbs |= verbOf(word) & onPath &^ (verbGet | verbSend)
	}
	if verbs == 0 {
		return
	}
	if name == "command" && (strings.Contains(f.tool, "editor") || strings.Contains(f.tool, "edit_tool")) {
		f.verbs = 0
	}
	f.verbs |= verbs
}

// nameWords splits a name such as create_or_update, readFile, delete-file or dropdb into its words, in lower case.
func nameWords(name string) []string {
	var out []string
	for rest := name[:min(len(name), 256)]; ; {
		var word string
		if word, rest = words.NextWord(rest); word == "" {
			return out
		}
		if verb, object := splitVerb(word); verb != "" {
			out = append(out, verb)
			word = object
		}
		out = append(out, word)
	}
}

// Some tools have names in which a verb and an object form one word, such as dropdb. joinedVerbs and joinedObjects list
// these verbs and objects. Other words that begin with such a verb, such as dropdown and droplet, are not split.
const (
	joinedVerbs   = "drop truncate delete destroy purge remove wipe erase terminate reset empty flush prune nuke"
	joinedObjects = "table tables database databases db dbs collection collections index indexes indices schema schemas " +
		"bucket buckets queue queues topic topics all many everything repo repos repository repositories volume volumes " +
		"instance instances environment environments keyspace stack stacks cluster clusters namespace namespaces " +
		"user users account accounts server servers project projects"
)

// splitVerb splits a word such as dropdb or tabledrop into its verb and its object. It returns "" for other words.
func splitVerb(word string) (verb, object string) {
	for _, verb := range strings.Split(joinedVerbs, " ") {
		object, ok := strings.CutPrefix(word, verb)
		if !ok {
			object, ok = strings.CutSuffix(word, verb)
		}
		if ok && (words.OneOf(object, joinedObjects) || words.OneOf(verb, "delete remove") &&
			words.OneOf(object, "file files folder folders directory directories")) {
			return verb, object
		}
	}
	return "", ""
}

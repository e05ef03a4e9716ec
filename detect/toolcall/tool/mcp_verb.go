package tool

import "guardrails/detect/toolcall/words"

// toolVerb is a set of things that a tool's name says it does.
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
	// verbTidy is a removal that says nothing of a service's data: clear, clean.
	verbTidy
)

// onPath are the verbs that say what happens to a path.
const onPath = verbRead | verbList | verbWrite | verbRemove | verbMove | verbCopy | verbSend | verbGet | verbTidy

func (v toolVerb) has(other toolVerb) bool { return v&other != 0 }

func verbOf(word string) toolVerb {
	switch word {
	case words.Among(word, "write edit create append save put update patch insert replace overwrite modify mkdir touch make add "+
		"export screenshot record apply truncate generate set chmod symlink link extract unzip prepend "+
		"rewrite store upsert dump persist output format"):
		return verbWrite
	case words.Among(word, "delete remove rm unlink trash rmdir destroy drop purge erase del wipe"):
		return verbRemove
	case words.Among(word, "cleanup clean clear prune empty expunge tidy"):
		return verbTidy
	case "move", "mv", "rename":
		return verbMove
	case "copy", "cp", "duplicate", "clone":
		return verbCopy
	case words.Among(word, "read view open cat head tail load grep print show"):
		return verbRead
	case words.Among(word, "list ls tree stat info exists find glob search dir"):
		return verbList
	case "download":
		return verbGet | verbWrite
	case words.Among(word, "get fetch navigate goto crawl scrape"):
		return verbGet
	case words.Among(word, "upload send post publish attach share submit"):
		return verbSend
	case words.Among(word, "run exec execute eval evaluate spawn process script console repl code python ipython jupyter"):
		return verbRun
	case words.Among(word, "shell bash sh zsh cmd command commands terminal powershell pwsh ssh"):
		return verbRun | verbShell
	}
	return 0
}

// role is the part that an argument has in a call.
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

// roleOf is the part of an argument by its plain name. What is not named here is data: a file's content, a message, a
// prompt.
func roleOf(name string, verbs toolVerb) role {
	switch name {
	case words.Among(name, "path paths file files filepath filepaths filename filenames targetfile relativepath absolutepath "+
		"fullpath outputpath outputfile savepath notebookpath localpath folder folderpath dirpath "+
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
	case words.Among(name, "sql sqlquery query statement statements"):
		return roleSQL
	}
	return runRole(name, verbs)
}

// runRole is the part of an argument of a tool that runs something.
func runRole(name string, verbs toolVerb) role {
	if !verbs.has(verbRun) {
		return roleData
	}
	switch name {
	case words.Among(name, "command commands cmd cmds commandline shellcommand executable binary exe"):
		return roleCommand
	case words.Among(name, "input text line lines stdin"):
		if verbs.has(verbShell) {
			return roleCommand
		}
	case words.Among(name, "code script source function expression snippet program"):
		return roleCode
	}
	return roleData
}

// nameWords splits a tool's name into its words in lower case: create_or_update, readFile, delete-file.
func nameWords(name string) []string {
	var words []string
	var word []byte
	flush := func() {
		if len(word) > 0 {
			words = append(words, string(word))
			word = word[:0]
		}
	}
	for i := range min(len(name), 256) {
		c := name[i]
		switch {
		case c >= 'A' && c <= 'Z':
			if i > 0 && (name[i-1] < 'A' || name[i-1] > 'Z') {
				flush()
			}
			word = append(word, c|0x20)
		case c >= 'a' && c <= 'z':
			word = append(word, c)
		default:
			flush()
		}
	}
	flush()
	return words
}

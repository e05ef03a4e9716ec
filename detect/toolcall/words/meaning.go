package words

import "strings"

// Meaning is what a subcommand, a flag, a method or a tool probably does, judging by its name.
type Meaning uint8

// These are the meanings that a name can have.
const (
	NoMeaning Meaning = iota
	Looks             // shows something, or only says what would happen
	Makes             // makes something new, or changes a file
	Destroys          // deletes or empties something
	Reverts           // undoes a change and loses its data
	Publishes         // makes something public
	Deploys           // changes a running environment
	Grants            // gives someone rights
)

// The variable "meanings" lists the words for each meaning.
var meanings = [...]string{ //nolint:gochecknoglobals // a constant table
	Looks: "list ls show get describe status info help version view search find plan preview diff check validate lint test tests " +
		"dry log logs history doctor explain count watch monitor ps top print query select whoami ping wait verify inspect " +
		"simulate scan detect open download fetch pull login logout docs completion no not skip without ignore keep before after pre post",
	Makes: "add create new init generate gen start launch build make edit update install import use compile format fmt serve dev bench " +
		"ask say write draft",
	Destroys: "delete del destroy drop wipe erase purge terminate truncate obliterate nuke teardown undeploy unregister " +
		"deprovision decommission expunge flushall flushdb abandon strip dropdb dropall deleteall rmtree undefine " +
		"revoke rb reset rm remove flush evict",
	Reverts:   "rollback revert downgrade undo backwards",
	Publishes: "publish unpublish yank upload push submit distribute release",
	Deploys:   "deploy redeploy promote rollout",
	Grants:    "grant createsuperuser elevate",
}

// The constant "again" lists words for things that programs can create a second time, such as caches. If such a
// thing is deleted, nothing is lost.
const again = "cache caches tmp temp coverage dist build builds artifacts log logs lock alias package packages dependency " +
	"dependencies dep deps completion filter breakpoint unavailable"

// IsMigration reports whether a word stands for a database migration, which changes the structure of a database.
func IsMigration(word string) bool {
	return word == Among(word, "migrate migration migrations migrator")
}

// TakesBack reports whether a word, such as "down" in "migrate down", means that migrations are undone.
func TakesBack(word string) bool {
	return word == Among(word, "down down-to redo fresh refresh zero")
}

// MeaningOf returns the meaning of a name. The first word that has a meaning decides, as in delete-bucket,
// TerminateInstances and db:wipe. A name such as delete-cache has no meaning, because programs create a cache again.
func MeaningOf(name string) Meaning {
	meaning, migration := NoMeaning, false
	for rest := name; rest != ""; {
		var word string
		word, rest = NextWord(rest)
		switch {
		case meaning == NoMeaning && migration && TakesBack(word):
			meaning = Reverts
		case meaning == NoMeaning:
			meaning = meaningOfWord(word)
		}
		migration = migration || IsMigration(word)
		switch {
		case OneOf(word, "add create new make") && meaning == Makes && OneOf(strings.ToLower(rest), "-admin _admin admin -superuser _superuser superuser -owner _owner owner"):
			return Grants
		case meaning == Looks, meaning == Makes:
			return meaning
		case IsMadeAgain(word):
			return NoMeaning
		}
	}
	return meaning
}

// IsMadeAgain reports whether a word stands for something that programs create again, such as a cache.
func IsMadeAgain(word string) bool { return word == Among(word, again) }

func meaningOfWord(word string) Meaning {
	for m := Looks; m <= Grants; m++ {
		if word == Among(word, meanings[m]) {
			return m
		}
	}
	return NoMeaning
}

// InName reports whether one of the words in a name is in a list.
func InName(name, list string) bool {
	for rest := name; rest != ""; {
		var word string
		if word, rest = NextWord(rest); word != "" && word == Among(word, list) {
			return true
		}
	}
	return false
}

// Closing returns the character that ends a text that begins with the character c. For an opening bracket, the result
// is the closing bracket. For any other character, such as a quote, the result is the same character.
func Closing(c byte) byte {
	if i := strings.IndexByte("([{<", c); i >= 0 {
		return ")]}>"[i]
	}
	return c
}

// NextWord cuts the first word off a name such as create_or_update, readFile or delete-file. It returns the word in
// lower case, and the rest of the name. The word is empty if the name has no more words.
func NextWord(name string) (word, rest string) {
	from := 0
	for from < len(name) && !isLetter(name[from]) {
		from++
	}
	end := from
	for end < len(name) && isLetter(name[end]) && (end == from || !isUpper(name[end]) || isUpper(name[end-1])) {
		end++
	}
	return strings.ToLower(name[from:end]), name[end:]
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

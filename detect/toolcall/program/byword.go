package program

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// maxOrderWords is the maximum number of operands that are read as the words of a subcommand. It applies to unknown
// programs.
const maxOrderWords = 4

// meansOther lists words in the form PROGRAM:WORD. These words sound like a deletion or a publication, but the program
// does not delete or publish anything of value. Some of these words stand for writing a program to the memory of a
// microcontroller board, or for erasing this memory.
const meansOther = "act:push artisan:queue:flush wp:flush redis-cli:FLUSH artisan:vendor:publish lcov:--remove yalc:publish yalc:push adb:--remove-all " +
	"release-please:release-pr zoxide:remove autojump:--purge todo.sh:rm timew:delete gt:submit molecule:destroy " +
	"molecule:reset solana-test-validator:--reset watchman:watch-del watchman:watch-del-all " +
	"xcrun:push simctl:push xcrun:erase xcrun:delete avdmanager:delete " +
	"platformio:upload pio:upload arduino-cli:upload godot:--export-release godot4:--export-release " +
	"idf.py:erase-flash idf.py:erase_flash esptool.py:erase_flash esptool:erase_flash esptool:erase-flash"

// TakesFolders reports whether the operands of a program are always files and folders, which may have names such as
// deploy and release. Most of these programs only check or count. They read their input, but they never run it.
func TakesFolders(name string) bool {
	return strings.HasSuffix(name, "lint") || words.OneOf(name, "mypy pyright ruff black flake8 isort bandit pytest "+
		"vulture javap jdeps shellcheck shfmt gofmt goimports prettier tokei cloc scc dust onefetch jscpd gitleaks typos codespell vale "+
		"lychee mdl helm-docs bashate sqlfluff sqlformat pg_format bat batcat pygmentize "+
		"highlight glow "+
		"trivy grype syft checkov tfsec terrascan kubeconform kubeval kube-linter kube-score kubesec pluto")
}

// ByWords judges a subcommand that is in no table. It looks at the meanings of the words in the call. It adds no event
// if the call is only a trial run (--dry-run), or if it works in a test environment or on this machine.
func ByWords(t *trace.Trace, c *trace.Command) {
	// Programs with names such as awslocal work with a cloud that is simulated on this machine.
	if IsTest(t, c) || IsTestProgram(c.Name) || strings.HasSuffix(c.Name, "local") || TakesProse(c.Name) ||
		TakesFolders(c.Name) {
		return
	}
	order := findOrder(c)
	if order.made != "" {
		t.NoteMade(c.Name+" "+order.made, false, c.Scope)
	}
	meant := c.Name + ":" + order.word
	if words.Among(meant, meansOther) == meant {
		return
	}
	if order.tries || order.test && !NamesOther(t, c) || order.meaning == words.Destroys && (order.again || madeHere(t, c)) {
		return
	}
	if order.meaning == words.Reverts && RevertsForDevelopment(c) {
		return
	}
	MarkMeaning(t, c, order.meaning, c.Name+" "+trace.Shorten(order.word))
}

// MarkMeaning adds the events of a meaning. The parameter "what" is a text for the reason: the name of the program
// and the word with this meaning.
func MarkMeaning(t *trace.Trace, c *trace.Command, meaning words.Meaning, what string) {
	if reason, events := eventsOf(meaning); len(events) > 0 {
		t.MarkAll(c, reason+" ("+what+")", events...)
	}
}

// madeHere reports whether an earlier command of the same call has made the thing that the last operand names.
func madeHere(t *trace.Trace, c *trace.Command) bool {
	last := c.Argv[len(c.Argv)-1]
	if last.Partial || !isName(last.Text) {
		return false
	}
	_, made := t.MadeHere(c.Name+" "+last.Text, c.Scope)
	return made
}

func eventsOf(m words.Meaning) (string, []effect.Event) {
	switch m {
	case words.Destroys:
		return "deletes something, judging by the command's name", []effect.Event{effect.DestructiveOp}
	case words.Reverts:
		return "undoes changes, which can lose data, judging by the command's name", []effect.Event{effect.DestructiveOp}
	case words.Publishes:
		return "publishes something, judging by the command's name", []effect.Event{effect.Publish}
	case words.Deploys:
		return "changes a running environment, judging by the command's name", []effect.Event{effect.Deploy, effect.DevopsInvoked}
	case words.Grants:
		return "gives someone rights, judging by the command's name", []effect.Event{effect.PrivilegeGain}
	}
	return "", nil
}

// wordOrder is the result of reading the words of a call.
type wordOrder struct {
	meaning words.Meaning
	word    string // the word that has the meaning
	seen    int    // operands read so far
	at      int    // the number of the operand that has the meaning, or 0
	ended   bool   // whether the remaining operands are plain arguments
	again   bool   // whether an operand names something that programs create again, such as a cache
	// The field "migration" is set if the program or an earlier word is about database migrations.
	migration bool
	next      string // the argument after the one that is being read
	looks     bool   // whether the operand before this one may be a noun, as in "plan delete"
	making    bool   // whether all words since a verb that makes something are operands
	made      string // the last operand directly after a verb that makes something
	harmless  bool   // whether the verb before the flags is harmless, as in "check --deploy"
	tries     bool   // whether the call is a trial run
	test      bool   // whether the call names a test or local environment
}

func findOrder(c *trace.Command) wordOrder {
	order := wordOrder{migration: strings.Contains(c.Name, "migrat") || c.Name == "dbmate" || c.Name == "goose"}
	for i, v := range c.Args() {
		order.next = trace.ArgAt(c.Args(), i+1)
		switch text := v.Text; {
		case text == "--":
			return order
		case text == "-h" && strings.ContainsAny(order.next, ".:"):
			// The word after -h is the name of a host.
		case strings.HasPrefix(text, "-") && order.next == "never": // as in --publish never
		case strings.HasPrefix(text, "-"):
			order.flag(text)
		case strings.Contains(text, "://"):
			order.test = order.test || trace.IsLoopback(trace.HostOf(text))
		case namesNoEnvironment(c.Argv[i].Text) && (isTestOrLocal(text) || isText(c.Argv[i].Text) &&
			(order.seen > 0 || isHarmlessVerb(order.next))):
			// Examples are "--tag test", "migrate --name drop_users" and "--name drop_users create".
		case c.Name == "grpcurl": // as in localhost:50051 shop.Admin/DeleteOrder
			v.Text, _, _ = strings.Cut(trace.BaseName(text), ":")
			order.operand(v)
		default:
			order.operand(v)
		}
	}
	return order
}

// namesNoEnvironment reports whether the value of a flag says nothing about what a call does. Such a value is not a
// subcommand, and it does not choose the environment, even if it is "test". An example is --name.
func namesNoEnvironment(flag string) bool {
	return strings.HasPrefix(flag, "-") && IsOneOf(strings.TrimLeft(flag, "-"),
		"region|zone|location|name|tag|label|filter|user|format|output|title|message|m|comment|description|reason")
}

// isText reports whether the value of a flag is a name or a text. The caller must also check that the flag has a value,
// because a flag without a value may come directly before the subcommand.
func isText(flag string) bool {
	return !IsOneOf(strings.TrimLeft(flag, "-"), "region|zone|location|filter|user|format|output")
}

func isHarmlessVerb(word string) bool {
	m := words.MeaningOf(word)
	return (m == words.Makes || m == words.Looks) && word[0] != '-'
}

// flag() records what a flag, such as --dry-run, --delete or --env=test, says about the call.
func (w *wordOrder) flag(text string) {
	name, value, attached := strings.Cut(strings.TrimLeft(text, "-"), "=")
	w.tries = w.tries || IsOneOf(name, triesFlags) && !IsOneOf(value, "false|none|no|off|0") ||
		IsOneOf(name, showsFlags) && (value == "true" || !attached && isFlagOrNone(w.next))
	if attached {
		w.next = value
	}
	if IsOneOf(name, "role|access|permission|privilege") && (w.making || w.made != "") && w.meaning == words.NoMeaning &&
		IsOneOf(w.next, "admin|administrator|superadmin|superuser|owner|root") {
		w.meaning, w.word = words.Grants, text
	}
	w.making = false
	w.test = w.test || isTestOrLocal(value) && !namesNoEnvironment(strings.TrimSuffix(text, "="+value))
	if w.harmless || !isName(name) { // the name may end with a value, as in --eval:CODE
		return
	}
	if w.migration && words.TakesBack(name) {
		w.meaning, w.word = words.Reverts, text
	}
	if m := words.MeaningOf(name); w.meaning == words.NoMeaning && len(name) > 2 && m >= words.Destroys &&
		name != "release" && !strings.HasPrefix(name, "strip") {
		w.meaning, w.word = m, text
	}
}

// operand() records what an operand says about the call. The first word with a meaning decides what the call means,
// even if that meaning is harmless. All later words count as plain arguments.
func (w *wordOrder) operand(v trace.Value) {
	w.seen++
	w.tries = w.tries || saysTrial(v.Text)
	if w.ended && w.meaning >= words.Publishes && w.seen == w.at+1 && isNoun(w.word, v.Text) {
		w.meaning, w.harmless = words.NoMeaning, true
	}
	if isTestOrLocal(v.Text) {
		w.test = true
		return
	}
	if verb := words.AfterLast(v.Text, "."); len(verb) > 2 && strings.IndexByte(v.Text, '/') < 0 &&
		words.MeaningOf(verb) == words.Destroys {
		v.Text = verb // as in apps.delete
	}
	if w.making && isName(v.Text) && !v.Partial {
		w.made = v.Text
	}
	w.again = w.again || words.IsMadeAgain(v.Text)
	if first, _ := words.NextWord(v.Text); w.looks && words.MeaningOf(v.Text) == words.Destroys && first == v.Text &&
		(!isFlagOrNone(w.next) || IsOneOf(w.next, "-y|--yes|-f|--force")) {
		w.ended, w.harmless = false, false
	} else {
		w.looks = !w.ended && words.OneOf(first, nouns)
	}
	if w.ended || v.Partial || v.Glob || !isName(v.Text) {
		return
	}
	m := words.MeaningOf(v.Text)
	switch {
	case w.migration && words.TakesBack(v.Text):
		m = words.Reverts
	case w.migration && v.Text == "dev": // dev is the name of an environment here, not a verb
		m = words.NoMeaning
	}
	w.migration = w.migration || words.IsMigration(v.Text)
	w.ended = m != words.NoMeaning || w.seen == maxOrderWords
	w.harmless, w.making = m == words.Looks || m == words.Makes, m == words.Makes
	if m >= words.Destroys {
		w.meaning, w.word, w.at = m, v.Text, w.seen
	}
}

// isFlagOrNone reports whether the next argument is a flag, or there is no next argument.
func isFlagOrNone(next string) bool { return next == "" || next[0] == '-' }

// isNoun reports whether a word such as deploy or release is a noun and not a verb. It is a noun if the next word means
// that the call only shows something, as in "deploy status" and "release list". After "publish", words such as log and
// report do not count, because somebody may publish a log or a report.
func isNoun(word, next string) bool {
	return IsOneOf(word, "deploy|deployment|deploy-request|release|releases|rollout|publish") &&
		(IsOneOf(next, "status|list|ls|show|history|info") || word != "publish" && IsOneOf(next, "logs|log|plan|diff|report"))
}

// saysTrial reports whether an argument contains a setting that makes the call a trial run, as in "{dry_run: true}".
func saysTrial(text string) bool {
	if at := strings.Index(strings.ToLower(text), "dry"); at >= 0 {
		text = strings.ToLower(words.Replace(text[at:], " ", "", `"`, "", "'", "", "_", "", "-", ""))
		return strings.HasPrefix(text, "dryrun:true") || strings.HasPrefix(text, "dryrun=true")
	}
	return false
}

// triesFlags lists flags that make a call harmless. With some of these flags, the program only prints what it would do.
// With other flags in the list, the call affects only this machine.
const triesFlags = "dry-run|dryrun|dry|help|h|whatif|what-if|simulate|noop|no-op|pretend|local|print"

// showsFlags lists flags that do the same, but that can also be the name of a setting. With a value, as in --plan pro,
// they say nothing.
const showsFlags = "version|check|preview|plan|list|sql"

// nouns lists harmless verbs that are also the names of things. If a word such as "delete" and a name come next, they
// are names.
const nouns = "list plan status preview view check history log logs watch monitor scan"

// isTestOrLocal reports whether the whole value is a name of a test environment or of this machine.
func isTestOrLocal(value string) bool {
	return IsOneOf(strings.ToLower(value), "test|testing|local|localhost|localnet|127.0.0.1")
}

// isName reports whether an operand may be a word of a subcommand.
func isName(text string) bool {
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_:+") == ""
}

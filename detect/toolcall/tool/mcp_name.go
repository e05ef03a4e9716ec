package tool

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/document"
)

// nameOrder lists the words that say what a call does. They come from the names of the server and the tool, and from
// arguments such as "action".
type nameOrder []string

// orderOfName returns the words that say what a call does, such as "terraform apply" or "git reset hard".
func (f *foreignCall) orderOfName() nameOrder {
	server, tool := splitToolName(f.name)
	order := nameOrder(append(nameWords(server), nameWords(tool)...))
	for _, m := range f.args {
		name := plainName(m.Name)
		text, isText := document.Text(m.Raw)
		switch {
		case isText && len(text) < 32 && name == words.Among(name, "command subcommand action operation operationname op mode module modulename"):
			order = append(order, nameWords(text)...)
		case string(m.Raw) == "true":
			order = append(order, nameWords(m.Name)...)
		}
	}
	return order
}

// programOfName returns the first word from orderOfName() that is the name of a program, or "".
func (f *foreignCall) programOfName() string {
	for _, word := range f.orderOfName() {
		if word == words.Among(word, "gcloud aws az kubectl helm terraform docker gh git") {
			return word
		}
	}
	return ""
}

// has reports whether one of the words is in a list.
func (o nameOrder) has(list string) bool {
	for _, word := range o {
		if word == words.Among(word, list) {
			return true
		}
	}
	return false
}

// looks reports whether a call changes nothing, because it only shows something or is a dry run.
func (o nameOrder) looks() bool {
	if o.has("dry dryrun preview") {
		return true
	}
	for _, word := range o {
		if m := words.MeaningOf(word); m != words.NoMeaning {
			return m == words.Looks
		}
	}
	return false
}

// noteName adds the events that the words in the name of a call suggest.
func (f *foreignCall) noteName(e *effect.Effect) {
	o := f.orderOfName()
	switch {
	case o.has("heroku fly flyio render railway ecs cloudrun dokku") && o.has("scale restart stop rollback") &&
		!o.has("get list show describe dry"):
		e.Note("changes infrastructure, judging by the tool's name and arguments", effect.DevopsInvoked)
	case f.showsSecret(o):
		e.Note("shows a secret, judging by the tool's name and arguments", effect.SecretAccess)
		return
	case o.looks():
		return
	case o.has("set update write") && o.has("config") && f.setsLimits():
		e.Note("changes which folders or commands a server may use", effect.PermissionOpen)
		return
	case o.has("kubectl kubernetes k s helm terraform tofu pulumi argocd nomad"):
		f.noteInfrastructure(e, o)
	case o.has("ansible awx") && o.has("run launch execute adhoc hoc"):
		e.NoteAll("changes machines, judging by the tool's name", effect.Deploy, effect.DevopsInvoked)
		return
	case o.has("refund refunds payout payouts") && o.has("create make issue"), o.has("cancel") && o.has("subscription"):
		e.Note("moves money or ends a subscription, judging by the tool's name", effect.DestructiveOp)
		return
	case o.has("git"):
		f.noteWorkLost(e, o)
		return
	}
	switch {
	case o.has("publish push release") && o.has("npm pypi package docker image crate cargo gem nuget release registry extension"):
		e.Note("publishes something, judging by the tool's name and arguments", effect.Publish)
	case o.has("grant collaborator") || o.has("create add put attach") && o.has("iam") || o.has("create") &&
		o.has("access") && o.has("key"):
		e.Note("gives someone rights, judging by the tool's name and arguments", effect.PrivilegeGain)
	case f.opensToAll():
		e.Note("makes something public, judging by the tool's arguments", effect.Publish)
	case f.destroysMuch(o) || f.replacesAll(o) || f.requestsDeletion():
		e.Note("deletes a large amount of data, judging by the tool's name and arguments", effect.DestructiveOp)
	}
}

// opensToAll reports whether a call that changes something makes that thing public, judging by the call's arguments.
func (f *foreignCall) opensToAll() bool {
	whom := strings.Join(f.texts("visibility"), "") + strings.Join(f.texts("type"), "")
	return f.verbs.has(verbWrite|verbSend) && whom == words.Among(whom, "public anyone")
}

// noteInfrastructure adds the events of a call that changes a cluster or other infrastructure.
func (f *foreignCall) noteInfrastructure(e *effect.Effect, o nameOrder) {
	switch {
	case o.has("delete destroy uninstall remove purge") && (!o.has("pod pods") || !f.has("name")):
		e.NoteAll("deletes infrastructure, judging by the tool's name and arguments",
			effect.DestructiveOp, effect.DevopsInvoked)
	case o.has("apply up install upgrade deploy sync create rollback"):
		e.NoteAll("changes a running environment, judging by the tool's name and arguments",
			effect.Deploy, effect.DevopsInvoked)
	case o.has("scale patch rollout drain cordon restart edit replace"):
		e.Note("changes infrastructure, judging by the tool's name and arguments", effect.DevopsInvoked)
	}
}

// noteWorkLost adds the event of a git call that discards work.
func (f *foreignCall) noteWorkLost(e *effect.Effect, o nameOrder) {
	if o.has("reset") && o.has("hard") || o.has("clean restore") || o.has("stash") && o.has("drop clear") ||
		o.has("checkout switch") && o.has("force") ||
		o.has("checkout") && (f.has("paths") || f.has("files")) || o.has("branch worktree") && o.has("delete remove") {
		e.Note("discards work, judging by the tool's name and arguments", effect.DiscardChanges)
	}
}

// setsLimits reports whether a setting says which folders or commands a server may use.
func (f *foreignCall) setsLimits() bool {
	key := strings.Join(f.texts("key"), " ")
	return strings.Contains(key, "allowedDirectories") || strings.Contains(key, "blockedCommands")
}

// destroysMuch reports whether a call deletes more than one entry, judging by the words in its name.
func (f *foreignCall) destroysMuch(o nameOrder) bool {
	if words.MeaningOf(strings.Join(o, "_")) == words.NoMeaning && !o.has("flush empty prune") {
		return false
	}
	return o.has("drop destroy purge wipe erase terminate truncate flushall flushdb flush "+
		"obliterate nuke teardown expunge") ||
		o.has("migrate migration migrations") && o.has("reset fresh refresh") ||
		o.has("delete remove") && o.has("resource") && o.has("aws azure gcp gcloud ccapi cloud") ||
		o.has("delete remove del rm reset empty prune") &&
			(o.has("many all batch bulk query index branch volumes images system parent") || holdsMuch(strings.Join(o, "_")))
}

// showsSecret reports whether a call returns the value of a secret.
func (f *foreignCall) showsSecret(o nameOrder) bool {
	for _, object := range f.texts("object") {
		o = append(o, nameWords(object)...)
	}
	if format := strings.Join(f.texts("output"), ""); words.OneOf(format, "yaml json") {
		o = append(o, f.texts("resourceType")...)
	}
	return o.has("secret secrets password credential credentials") && o.has("get read reveal show fetch") &&
		!o.has("scanning alert alerts list metadata policy policies version versions schema type types status name names reset")
}

// replacesAll reports whether a call to a document database changes every document of a collection.
func (f *foreignCall) replacesAll(o nameOrder) bool {
	if database.NamesTestData(strings.Join(f.texts("database"), "")) {
		return false
	}
	for _, m := range f.args {
		switch m.Name {
		case "pipeline":
			if o.has("aggregate") && strings.Contains(string(m.Raw), `"$out"`) {
				return true
			}
		case "filter":
			if o.has("update") && o.has("many") && compact(m.Raw) == "{}" {
				return true
			}
		}
	}
	return false
}

// requestsDeletion reports whether a call sends a request that deletes something as large as an index or a database,
// judging by the method and the path in the arguments. It does not judge whole URLs.
func (f *foreignCall) requestsDeletion() bool {
	if !strings.EqualFold(strings.Join(f.texts("method"), ""), "DELETE") {
		return false
	}
	for _, path := range f.texts("path") {
		parts := strings.Split(strings.Trim(path, "/"), "/")
		if path[:min(1, len(path))] == "/" && (len(parts) == 1 || holdsMuch(parts[len(parts)-2])) {
			return true
		}
	}
	return false
}

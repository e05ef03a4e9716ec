package tool

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/words"
	"guardrails/internal/document"
)

// nameOrder lists the words that say what a call does. The words come from the names of the server and the tool, and
// from arguments such as "action".
type nameOrder []string

// orderOfName returns the words that say what a call does, such as "terraform apply" or "git reset hard".
func orderOfName(server, tool string, args []document.Member) nameOrder {
	order := nameOrder(append(nameWords(server), nameWords(tool)...))
	for _, m := range args {
		name := plainName(m.Name)
		text, isText := document.Text(m.Raw)
		switch {
		case name == "method" && words.OneOf(strings.ToLower(text), "get head post put patch delete options"):
		case isText && len(text) < 32 &&
			words.OneOf(name, "command subcommand action operation operationname op mode module modulename method"):
			order = append(order, nameWords(text)...)
		case string(m.Raw) == "true":
			order = append(order, nameWords(m.Name)...)
		}
	}
	return order
}

// programOfName returns the first word in f.order that is the name of a program. If no word is, it returns "".
func (f *foreignCall) programOfName() string {
	for _, word := range f.order {
		if word == words.Among(word, "gcloud aws az kubectl helm terraform docker gh git") {
			return word
		}
	}
	return ""
}

// has() reports whether one of the words is in a list.
func (o nameOrder) has(list string) bool {
	for _, word := range o {
		if word == words.Among(word, list) {
			return true
		}
	}
	return false
}

// looks() reports whether a call changes nothing, because it only shows something or is a dry run.
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
	o := f.order
	switch {
	case o.has("heroku fly flyio render railway ecs cloudrun dokku") && o.has("scale restart stop rollback") &&
		!o.has("get list show describe dry"):
		e.Note("changes infrastructure, judging by the tool's name and arguments", effect.DevopsInvoked)
	case f.showsSecret(o):
		e.Note("shows a secret, judging by the tool's name and arguments", effect.SecretAccess)
		return
	case o.looks():
		return
	case o.has("shutdown reboot poweroff") && o.has("system computer machine host os mac macos windows pc"):
		e.Note("stops the machine", effect.SystemControl)
		return
	case o.has("set update write") && o.has("config") && f.setsLimits():
		e.Note("changes which folders or commands a server may use", effect.PermissionOpen)
		return
	case o.has("kubectl kubernetes k s helm terraform tofu pulumi argocd nomad"):
		f.noteInfrastructure(e, o)
	case o.has("ansible awx") && o.has("run launch execute adhoc hoc"):
		e.NoteAll("changes machines, judging by the tool's name", effect.Deploy, effect.DevopsInvoked)
		return
	case o.movesMoney(), f.requestsPayment(), o.has("cancel") && o.has("subscription"):
		e.Note("moves money or ends a subscription, judging by the tool's name", effect.DestructiveOp)
		return
	case o.has("git"):
		f.noteWorkLost(e, o)
		return
	}
	switch {
	case o.has("upload") && o.has("pypi npm crates rubygems nuget"),
		o.has("publish push release unpublish yank") && o.has("npm pypi package docker image crate cargo gem nuget "+
			"release registry extension"):
		e.Note("publishes something, judging by the tool's name and arguments", effect.Publish)
	case o.has("grant collaborator") || o.has("create add put attach") && o.has("iam") || o.has("create") &&
		o.has("access") && o.has("key") || o.givesRole(), f.admits(o):
		e.Note("gives someone rights, judging by the tool's name and arguments", effect.PrivilegeGain)
	case f.printsVariable(o):
		e.Note("stores a secret that the logs of jobs show (masked is false)", effect.PermissionOpen)
	case o.has("branch") && o.has("protection") && o.has("update set edit disable delete remove"):
		e.Note("changes the protection of a branch", effect.PermissionOpen)
	case o.has("dns") && o.has("record records") && o.has("update set edit create add delete remove"):
		e.Note("changes DNS records", effect.DevopsInvoked)
	case o.has("lambda ecs cloudrun") && o.has("update") && o.has("function service"):
		e.NoteAll("changes a running environment, judging by the tool's name", effect.Deploy, effect.DevopsInvoked)
	case f.opensToAll():
		e.Note("makes something public, judging by the tool's arguments", effect.Publish)
	case f.destroysMuch(o) || f.replacesAll(o) || f.requestsDeletion() || f.mutates():
		e.Note("deletes a large amount of data, judging by the tool's name and arguments", effect.DestructiveOp)
	}
}

// opensToAll reports whether a call makes something public. The call must be able to change something, and an argument
// such as "visibility" must open that thing to everyone.
func (f *foreignCall) opensToAll() bool {
	whom := strings.Join(f.texts("visibility"), "") + strings.Join(f.texts("type"), "")
	if !f.verbs.has(verbWrite | verbSend) {
		return false
	}
	for _, m := range f.args {
		open := m.Name == "private" && string(m.Raw) == "false" || m.Name == "public" && string(m.Raw) == "true"
		if open && f.order.has("repository repo gist snippet bucket model dataset") {
			return true
		}
		if !strings.Contains(strings.ToLower(m.Name), "policy") && !f.order.has("policy") {
			continue
		}
		text, _ := document.Text(m.Raw)
		if policy := strings.ReplaceAll(text+string(m.Raw), " ", ""); strings.Contains(policy, `"Effect":"Allow"`) &&
			(strings.Contains(policy, `"Principal":"*"`) || strings.Contains(policy, `"Principal":{"AWS":"*"}`)) {
			return true // the policy of a bucket or a queue
		}
	}
	return whom == words.Among(whom, "public anyone")
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

// setsLimits reports whether a call changes the setting that says which folders or commands a server may use.
func (f *foreignCall) setsLimits() bool {
	key := strings.Join(f.texts("key"), " ")
	return strings.Contains(key, "allowedDirectories") || strings.Contains(key, "blockedCommands")
}

// givesRole reports whether a call gives someone a role or a policy, or makes someone else the owner of something.
func (o nameOrder) givesRole() bool {
	return o.has("transfer") && o.has("repository repo project ownership owner domain") ||
		o.has("create add put attach write update assign") && (o.has("vault rbac acl") && o.has("policy policies") ||
			o.has("role roles") && o.has("assignment assignments binding assign"))
}

// The constant identityServers lists words in the names of servers and tools that manage accounts and their rights.
const identityServers = "okta auth azure entra aws iam cognito gcp gcloud keycloak onelogin jumpcloud ldap github gitlab"

// admits() reports whether a call makes someone an administrator, attaches a policy, or adds someone to a group. A
// group counts only on a server that manages rights. On other servers, such as a chat, a group is only a list of
// people.
func (f *foreignCall) admits(o nameOrder) bool {
	_, name := splitToolName(f.name)
	tool := nameOrder(nameWords(name))
	if len(tool) < 2 || !tool.has("add assign put set make promote update attach invite change") {
		return false
	}
	person := tool.has("user users member members membership memberships person account admin principal collaborator")
	role := strings.ToLower(strings.Join(f.texts("role"), ""))
	return tool[len(tool)-1:].has("admin admins administrator superuser superadmin") ||
		(person || tool.has("role roles")) && words.OneOf(role, "admin administrator owner superuser superadmin") ||
		tool.has("attach") && tool.has("policy policies") ||
		person && o.has(identityServers) && tool.has("group groups team teams org organization role roles") &&
			!tool.has("channel calendar event board list comment issue project work item update")
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

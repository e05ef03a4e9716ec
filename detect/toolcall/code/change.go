package code

// change.go judges methods of a service's client that publish something, give rights or spend money. A verb and a noun
// say what such a method does. The name of the method has both, as setIamPolicy has, or the noun is the name of the
// object, as in security_rules.begin_create_or_update.

import (
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/words"
)

// serviceNouns lists members of clients. These members have methods with names such as "create".
const serviceNouns = "refunds payouts transfers charges paymentIntents payment_intents incoming_phone_numbers " +
	"incomingPhoneNumbers security_rules securityRules role_assignments roleAssignments members releases firewalls"

// changesService analyzes a method of a client. It returns true if the name of the method says that the method publishes
// something, gives rights or spends money. Methods of GitHub that update something also count as requests.
func (in *interpreter) changesService(self value.Value, name string, args value.Value) bool {
	verb, noun := words.NextWord(name)
	if !words.OneOf(verb, "add set put create insert begin update edit replace upload delete remove confirm capture") ||
		len(name) > maxNameLength {
		return false
	}
	if self.Kind == value.ClientObject {
		noun += " " + self.Text
	}
	outcome := program.Looks
	switch {
	case words.InName(noun, "protection"):
		outcome = program.Opens
	case words.MeaningOf(name) == words.Destroys:
	case words.InName(noun, "iam collaborator collaborators assignments members membership"):
		outcome = program.Grants
	case words.InName(noun, "release releases asset"):
		outcome = program.Publishes
	case words.InName(noun, "security firewall firewalls"):
		outcome = program.Changes
	case in.Trace.Scripts.Current() == 0 &&
		(verb == "create" && words.InName(noun, "refunds payouts transfers charges phone") || words.InName(noun, "intents") &&
			(words.OneOf(verb, "confirm capture") || args.IsOn("confirm"))):
		in.moveMoney(self.Text + "." + name)
		return true
	case words.OneOf(verb, "update edit") && in.spend(512) && (in.octokit || !in.lacks("ithub")):
		fields := args
		if len(args.Items) == 1 && len(args.Pairs) == 0 {
			fields = args.Items[0]
		}
		// The same fields in a request may make a repository public or overwrite a branch.
		in.NoteRequest("PATCH", value.Text("https://api.github.com/git/refs/heads/"), value.List(fields, fields))
	}
	if outcome == program.Looks {
		return false
	}
	program.Judge(in.Trace, in.Command, outcome, name)
	return true
}

package code

// service.go handles libraries for databases, clouds and other machines. If there is a command that does the same as a
// function of such a library, a call of the function is treated like the command.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/library"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/words"
)

// serviceMethod analyzes a method of a library for a cloud, a forge or another machine. It returns false if it does not
// know the method.
func (in *interpreter) serviceMethod(self value.Value, name string, args value.Value) bool {
	first := value.Argument(args, 0)
	switch {
	// The methods of Octokit are in groups such as o.repos, and their argument names a repository or an organization.
	case in.octokit && (args.IsOn("owner org") || len(first.Items) > 0 ||
		len(args.Items) > 0 && !first.Known && (self.Text == "" || len(first.Pairs) == 0)) && in.changesService(self, name, args):
	case self.Kind == value.CloudObject:
		// A script on disk may read its own secrets.
		if name == words.Among(name, usualMethods) || in.Trace.Scripts.Current() > 0 && strings.HasPrefix(name, "get_") ||
			in.sparesData(self, name, args) || strings.HasPrefix(name, "create_") && strings.Contains(in.source, "from moto import mock_") {
			return false
		}
		in.cloudCommand(self.Text, name, args)
	case name == "execute" && first.List && value.Argument(first, 0).Text == "git":
		in.PerformRun(library.Action{Kind: library.RunCommand}, args)
	case words.OneOf(name, "delete merge") && len(first.Pairs) > 1 && first.Pairs[0].Key == "owner" && first.Pairs[1].Key == "repo": // Octokit
		event := effect.DestructiveOp
		if name == "merge" {
			event = effect.Merge
		}
		in.Trace.Mark(in.Command, "calls "+name+" of a forge", event)
	case words.OneOf(name, "upload_folder upload_large_folder push_to_hub"):
		in.Trace.Mark(in.Command, "publishes files ("+name+")", effect.Publish)
	case name == "create_superuser", words.OneOf(name, "update create update_or_create") && args.IsOn("is_superuser"):
		in.Trace.Mark(in.Command, "creates an administrator account in the application", effect.PrivilegeGain)
	case in.Trace.Scripts.Current() == 0 && (words.OneOf(name, "get_password get_frozen_credentials access_secret_version "+
		"accessSecretVersion GetSecretValueCommand") ||
		words.OneOf(name, "get_secret getSecret") && !in.lacks("vault Vault SecretClient ecretmanager ecretManager ecretsManager")):
		in.Trace.Mark(in.Command, "reads a secret ("+name+")", effect.SecretAccess)
	case strings.HasSuffix(name, "Command") && name[0] <= 'Z' && strings.Contains(in.source, "@aws-sdk/client-"):
		_, service, _ := strings.Cut(in.source, "@aws-sdk/client-")
		service = service[:len(service)-len(strings.TrimLeft(service, "abcdefghijklmnopqrstuvwxyz0123456789-"))]
		method := hyphened(strings.TrimSuffix(name, "Command"))
		if words.OneOf(strings.ReplaceAll(method, "-", "_"), usualMethods) {
			return false
		}
		in.cloudCommand(service, method, first)
	default:
		return false
	}
	return true
}

// onlyTries reports whether a call to a cloud has the option DryRun=True. With this option, the cloud only checks whether
// the call would be allowed.
func onlyTries(args value.Value) bool {
	dry, ok := args.Entry("DryRun dry_run")
	return ok && dry.Name == "True"
}

// usualMethods lists methods that programs call all the time. Such calls need no approval. The list does not apply to
// the aws commands with the same effects, because people seldom run these commands.
const usualMethods = "put_object put_item update_item delete_item send_message delete_message publish put_events invoke upload_file " +
	"upload_fileobj copy_object copy put_metric_data put_record put_records get_object get_item head_bucket head_object"

// cloudCommand analyzes a method of an AWS client. It treats the call like the aws command with the same name.
func (in *interpreter) cloudCommand(service, method string, args value.Value) {
	if service == "s3" {
		service = "s3api"
	}
	argv := textValues("aws", service, hyphened(method))
	for _, p := range args.Pairs {
		argv = append(argv, value.Text("--"+hyphened(p.Key)), p.Value)
	}
	in.runProgram(argv)
}

// runAnsible analyzes a call of ansible_runner. It treats the call like the Ansible command that does the same.
func (in *interpreter) runAnsible(args value.Value) {
	playbook, _ := args.Entry("playbook")
	argv := []value.Value{value.Text("ansible-playbook"), playbook}
	if module, ok := args.Entry("module"); ok {
		hosts, _ := args.Entry("host_pattern")
		text, _ := args.Entry("module_args")
		argv = []value.Value{value.Text("ansible"), hosts, value.Text("-m"), module, value.Text("-a"), text}
	}
	if options, ok := args.Entry("cmdline"); ok {
		argv = append(argv, options)
	}
	in.runProgram(argv)
}

// hyphened() changes a name such as desiredCount or update_service to a name with hyphens, such as desired-count.
func hyphened(name string) string {
	var out []string
	for word, rest := words.NextWord(name); word != ""; word, rest = words.NextWord(rest) {
		out = append(out, word)
	}
	return strings.Join(out, "-")
}

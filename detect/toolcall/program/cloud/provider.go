package cloud

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/network"
	"guardrails/detect/toolcall/program/system"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// cloudHandler knows the command lines of the clouds, in which an order names a service and then a verb.
func cloudHandler(name string) trace.Handler {
	switch name {
	case "aws":
		return aws
	case words.Among(name, "gcloud az doctl linode-cli oci hcloud eksctl ibmcloud scw exo vultr-cli aliyun openstack civo upctl"):
		return cloud
	case "gsutil":
		return gsutil
	case "bq":
		return bigQuery
	}
	return nil
}

const cloudValues = "region profile output endpoint-url query project format zone location account subscription o g n f resource-group name context access-token " +
	"t configuration namespace-name vault-name compartment-id filter member role source-ranges secret quiet-level command file dest source"

// cloud is a tool whose verbs stand among the first words: compute instances delete.
func cloud(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), cloudValues)
	if o.Has("help h dry-run validate-only what-if") || len(o.Operands) == 0 {
		return trace.Nothing()
	}
	what := c.Name + " " + o.Order()
	if result := specialCloud(c, &o); result != program.Looks {
		return program.Judge(t, c, result, what)
	}
	if words.OneOf(o.Word(0), "config", "configure", "auth", "components", "login", "logout", "account", "completion", "extension", "version", "help", "info", "feedback", "init", "context", "bicep") {
		return trace.Flow{Taint: trace.FromProgram}
	}
	if text := o.Values("command"); len(text) > 0 && strings.Contains(what, "ssh") {
		t.Mark(c, "runs a command on another machine", effect.RemoteExecution)
		network.Remotely(t, c, text[0])
		return trace.Flow{Taint: trace.FromNetwork}
	}
	if c.Name == "gcloud" && o.Word(0) == "storage" {
		return bucket(t, c, o.Operands[1:], &o)
	}
	for _, v := range o.Operands[:min(5, len(o.Operands))] {
		if result := cloudVerb(v.Text); result != program.Looks {
			return program.Judge(t, c, result, what)
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// specialCloud finds orders that are about secrets, rights and openness.
func specialCloud(c *trace.Command, o *flags.Options) program.Outcome {
	order := trace.JoinAll(o.Operands[:min(4, len(o.Operands))])
	switch {
	case strings.HasPrefix(order, "secrets versions access"), strings.HasPrefix(order, "keyvault secret show"), strings.HasPrefix(order, "keyvault secret download"),
		strings.HasPrefix(order, "account get-access-token"), strings.HasPrefix(order, "auth print-"), strings.HasPrefix(order, "auth application-default print-"),
		strings.HasPrefix(order, "storage account keys list"), strings.HasPrefix(order, "acr credential show"), strings.HasPrefix(order, "secrets secret-bundle get"):
		return program.Reveals
	case strings.Contains(order, "add-iam-policy-binding"), strings.Contains(order, "set-iam-policy"):
		if flags.FirstOf(c.Args(), "allUsers", "allAuthenticatedUsers", "--member=allUsers", "--member=allAuthenticatedUsers") != "" {
			return program.Opens
		}
		return program.Grants
	case strings.HasPrefix(order, "iam service-accounts keys create"), strings.HasPrefix(order, "role assignment create"), strings.HasPrefix(order, "ad sp create-for-rbac"), strings.HasPrefix(order, "iam roles create"):
		return program.Grants
	case (strings.Contains(order, "firewall") || strings.Contains(order, "nsg rule")) && opensToWorld(c.Args()) && !strings.Contains(order, "list"):
		return program.Opens
	}
	return program.Looks
}

// opensToWorld reports whether an argument names all addresses there are.
func opensToWorld(args []trace.Value) bool {
	for _, v := range args {
		if strings.Contains(v.Text, "0.0.0.0/0") || strings.Contains(v.Text, "::/0") {
			return true
		}
	}
	return false
}

// cloudVerb says what a verb comes to. Clouds join it to its object with a hyphen: delete-bucket.
func cloudVerb(word string) program.Outcome {
	verb, _, _ := strings.Cut(word, "-")
	switch verb {
	case words.Among(verb, "delete terminate destroy remove purge deregister revoke rm rb wipe reset rebuild schedule"):
		if word == "schedule-key-deletion" || verb != "schedule" {
			return program.Destroys
		}
	case "deploy", "submit":
		return program.Releases
	case words.Among(verb, "create update put run start stop restart reboot modify attach detach associate disassociate add "+
		"enable disable import restore scale resize promote rollback register invoke replace deallocate "+
		"execute upgrade patch set allocate release failover"):
		if word != "run" {
			return program.Changes
		}
	}
	return program.Looks
}

// aws names its service first and its order second.
func aws(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "region profile output endpoint-url query cli-read-timeout cli-connect-timeout ca-bundle color acl grants-read body bucket key "+
		"secret-id name names policy-arn role-name user-name group-id cidr policy")
	if trace.IsLoopback(trace.HostOf(trace.FirstText(o.Values("endpoint-url")))) || o.Has("dry-run dryrun generate-cli-skeleton help") {
		return trace.Flow{Taint: trace.FromProgram}
	}
	service, verb := o.Word(0), o.Word(1)
	if service == "" || verb == "" || verb == "help" || verb == "wait" || o.Word(2) == "help" {
		return trace.Nothing()
	}
	what := "aws " + o.Order()
	switch service {
	case "s3":
		return bucket(t, c, o.Operands[1:], &o)
	case "configure", "sso":
		if verb == "export-credentials" || verb == "get" && system.SoundsSecret(o.Word(2)) {
			return program.Judge(t, c, program.Reveals, what)
		}
		return trace.Flow{Taint: trace.FromProgram}
	case "cloudtrail", "guardduty", "config", "securityhub":
		if strings.HasPrefix(verb, "stop-") || strings.HasPrefix(verb, "delete-") || strings.HasPrefix(verb, "disable-") {
			t.Mark(c, "switches the record of the account off", effect.DefenseOff)
		}
	case "ssm":
		if verb == "send-command" {
			t.Mark(c, "runs a command on other machines", effect.RemoteExecution)
		}
	}
	if body := o.Values("body"); verb == "put-object" && len(body) > 0 {
		program.Upload(t, c, trace.FirstText(o.Values("bucket")), program.Attached(t, c, body[0].Text, body[0]))
	}
	return program.Judge(t, c, awsOutcome(service, verb, c.Args()), what)
}

func awsOutcome(service, verb string, args []trace.Value) program.Outcome {
	switch verb {
	case words.Among(verb, "get-secret-value batch-get-secret-value get-session-token get-federation-token "+
		"get-authorization-token"):
		return program.Reveals
	case "get-parameter", "get-parameters", "get-parameters-by-path":
		if flags.FirstOf(args, "--with-decryption") != "" {
			return program.Reveals
		}
		return program.Looks
	case "decrypt":
		return program.Reveals
	case words.Among(verb, "create-access-key create-login-profile update-login-profile add-user-to-group "+
		"update-assume-role-policy create-user create-policy-version set-default-policy-version "+
		"add-role-to-instance-profile"):
		return program.Grants
	case "put-bucket-policy", "put-bucket-acl", "put-object-acl", "delete-public-access-block":
		if verb == "delete-public-access-block" || flags.FirstOf(args, "public-read", "public-read-write", "--acl=public-read", "--acl=public-read-write") != "" {
			return program.Opens
		}
	case "authorize-security-group-ingress", "authorize-security-group-egress":
		if opensToWorld(args) {
			return program.Opens
		}
		return program.Changes
	case words.Among(verb, "update-function-code update-service create-deployment create-stack update-stack deploy "+
		"start-pipeline-execution"):
		return program.Releases
	case "send-command":
		return program.Changes
	}
	if service == "iam" && (strings.HasPrefix(verb, "attach-") || strings.HasPrefix(verb, "put-")) {
		return program.Grants
	}
	return cloudVerb(verb)
}

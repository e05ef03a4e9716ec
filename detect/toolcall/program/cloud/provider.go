package cloud

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/network"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// cloudHandler returns the handlers of cloud programs that are not in the table.
func cloudHandler(name string) trace.Handler {
	switch name {
	case "aws":
		return aws
	case "gsutil":
		return gsutil
	case "bq":
		return bigQuery
	}
	return nil
}

// opensToWorld reports whether an argument means all addresses.
func opensToWorld(args []trace.Value) bool {
	for _, v := range args {
		if strings.Contains(v.Text, "0.0.0.0/0") || strings.Contains(v.Text, "::/0") {
			return true
		}
	}
	return false
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
		if verb == "export-credentials" || verb == "get" && network.IsSecretVariable(o.Word(2)) {
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
	return verbOutcome(verb)
}

// verbOutcome returns the outcome of a verb that is joined to its object with a hyphen: delete-bucket.
func verbOutcome(order string) program.Outcome {
	return table.OutcomeOf("az", order)
}

// cloudRemote runs a command on a machine of the cloud.
func cloudRemote(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	t.Mark(c, "runs a command on another machine", effect.RemoteExecution)
	network.RunRemote(t, c, o.Values("command")[0])
	return trace.Flow{Taint: trace.FromNetwork}
}

// cloudStorage copies to and from buckets: gcloud storage.
func cloudStorage(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	return bucket(t, c, o.Operands[1:], o)
}

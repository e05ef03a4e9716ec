package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// cloudHandler knows the command lines of the clouds, in which an order names a service and then a verb.
func cloudHandler(name string) handler {
	switch name {
	case "aws":
		return aws
	case among(name, "gcloud az doctl linode-cli oci hcloud eksctl ibmcloud scw exo vultr-cli aliyun openstack civo upctl"):
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
func cloud(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), cloudValues)
	if o.has("help h dry-run validate-only what-if") || len(o.operands) == 0 {
		return nothing()
	}
	what := c.name + " " + o.order()
	if result := specialCloud(c, &o); result != looks {
		return a.judge(c, result, what)
	}
	if oneOf(o.word(0), "config", "configure", "auth", "components", "login", "logout", "account", "completion", "extension", "version", "help", "info", "feedback", "init", "context", "bicep") {
		return flow{taint: fromProgram}
	}
	if text := o.values("command"); len(text) > 0 && strings.Contains(what, "ssh") {
		a.mark(c, "runs a command on another machine", effect.RemoteExecution)
		a.remotely(c, text[0])
		return flow{taint: fromNetwork}
	}
	if c.name == "gcloud" && o.word(0) == "storage" {
		return a.bucket(c, o.operands[1:], &o)
	}
	for _, v := range o.operands[:min(5, len(o.operands))] {
		if result := cloudVerb(v.text); result != looks {
			return a.judge(c, result, what)
		}
	}
	return flow{taint: fromProgram}
}

// specialCloud finds orders that are about secrets, rights and openness.
func specialCloud(c *command, o *options) outcome {
	order := joinAll(o.operands[:min(4, len(o.operands))])
	switch {
	case strings.HasPrefix(order, "secrets versions access"), strings.HasPrefix(order, "keyvault secret show"), strings.HasPrefix(order, "keyvault secret download"),
		strings.HasPrefix(order, "account get-access-token"), strings.HasPrefix(order, "auth print-"), strings.HasPrefix(order, "auth application-default print-"),
		strings.HasPrefix(order, "storage account keys list"), strings.HasPrefix(order, "acr credential show"), strings.HasPrefix(order, "secrets secret-bundle get"):
		return reveals
	case strings.Contains(order, "add-iam-policy-binding"), strings.Contains(order, "set-iam-policy"):
		if firstOf(c.args(), "allUsers", "allAuthenticatedUsers", "--member=allUsers", "--member=allAuthenticatedUsers") != "" {
			return opens
		}
		return grants
	case strings.HasPrefix(order, "iam service-accounts keys create"), strings.HasPrefix(order, "role assignment create"), strings.HasPrefix(order, "ad sp create-for-rbac"), strings.HasPrefix(order, "iam roles create"):
		return grants
	case (strings.Contains(order, "firewall") || strings.Contains(order, "nsg rule")) && opensToWorld(c.args()) && !strings.Contains(order, "list"):
		return opens
	}
	return looks
}

// opensToWorld reports whether an argument names all addresses there are.
func opensToWorld(args []value) bool {
	for _, v := range args {
		if strings.Contains(v.text, "0.0.0.0/0") || strings.Contains(v.text, "::/0") {
			return true
		}
	}
	return false
}

// cloudVerb says what a verb comes to. Clouds join it to its object with a hyphen: delete-bucket.
func cloudVerb(word string) outcome {
	verb, _, _ := strings.Cut(word, "-")
	switch verb {
	case among(verb, "delete terminate destroy remove purge deregister revoke rm rb wipe reset rebuild schedule"):
		if word == "schedule-key-deletion" || verb != "schedule" {
			return destroys
		}
	case "deploy", "submit":
		return releases
	case among(verb, "create update put run start stop restart reboot modify attach detach associate disassociate add "+
		"enable disable import restore scale resize promote rollback register invoke replace deallocate "+
		"execute upgrade patch set allocate release failover"):
		if word != "run" {
			return changes
		}
	}
	return looks
}

// aws names its service first and its order second.
func aws(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "region profile output endpoint-url query cli-read-timeout cli-connect-timeout ca-bundle color acl grants-read body bucket key "+
		"secret-id name names policy-arn role-name user-name group-id cidr policy")
	if isLoopback(hostOf(firstText(o.values("endpoint-url")))) || o.has("dry-run dryrun generate-cli-skeleton help") {
		return flow{taint: fromProgram}
	}
	service, verb := o.word(0), o.word(1)
	if service == "" || verb == "" || verb == "help" || verb == "wait" || o.word(2) == "help" {
		return nothing()
	}
	what := "aws " + o.order()
	switch service {
	case "s3":
		return a.bucket(c, o.operands[1:], &o)
	case "configure", "sso":
		if verb == "export-credentials" || verb == "get" && soundsSecret(o.word(2)) {
			return a.judge(c, reveals, what)
		}
		return flow{taint: fromProgram}
	case "cloudtrail", "guardduty", "config", "securityhub":
		if strings.HasPrefix(verb, "stop-") || strings.HasPrefix(verb, "delete-") || strings.HasPrefix(verb, "disable-") {
			a.mark(c, "switches the record of the account off", effect.DefenseOff)
		}
	case "ssm":
		if verb == "send-command" {
			a.mark(c, "runs a command on other machines", effect.RemoteExecution)
		}
	}
	if body := o.values("body"); verb == "put-object" && len(body) > 0 {
		a.upload(c, firstText(o.values("bucket")), a.attached(c, body[0].text, body[0]))
	}
	return a.judge(c, awsOutcome(service, verb, c.args()), what)
}

func awsOutcome(service, verb string, args []value) outcome {
	switch verb {
	case among(verb, "get-secret-value batch-get-secret-value get-session-token get-federation-token "+
		"get-authorization-token"):
		return reveals
	case "get-parameter", "get-parameters", "get-parameters-by-path":
		if firstOf(args, "--with-decryption") != "" {
			return reveals
		}
		return looks
	case "decrypt":
		return reveals
	case among(verb, "create-access-key create-login-profile update-login-profile add-user-to-group "+
		"update-assume-role-policy create-user create-policy-version set-default-policy-version "+
		"add-role-to-instance-profile"):
		return grants
	case "put-bucket-policy", "put-bucket-acl", "put-object-acl", "delete-public-access-block":
		if verb == "delete-public-access-block" || firstOf(args, "public-read", "public-read-write", "--acl=public-read", "--acl=public-read-write") != "" {
			return opens
		}
	case "authorize-security-group-ingress", "authorize-security-group-egress":
		if opensToWorld(args) {
			return opens
		}
		return changes
	case among(verb, "update-function-code update-service create-deployment create-stack update-stack deploy "+
		"start-pipeline-execution"):
		return releases
	case "send-command":
		return changes
	}
	if service == "iam" && (strings.HasPrefix(verb, "attach-") || strings.HasPrefix(verb, "put-")) {
		return grants
	}
	return cloudVerb(verb)
}

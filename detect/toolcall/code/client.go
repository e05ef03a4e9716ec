package code

// client.go evaluates methods of clients of services, and of the objects that these clients return. The analysis knows
// the kind of each of these objects. So it recognizes a method that destroys data even if the name of the method is as
// common as "delete".

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// The constant "clients" lists functions that return a client of a service, and functions that return objects of a
// service, such as stripe.Customer.list.
const clients = "boto3.resource session.resource docker.from_env docker.DockerClient dockerode gitlab.Gitlab github.Github " +
	"hcloud.Client digitalocean.Manager linode_api4.LinodeClient cloudflare.Cloudflare openstack.connect " +
	"googleapiclient.discovery.build Aws.S3.Bucket.new Aws.S3.Resource.new Aws.EC2.Instance.new Aws.EC2.Resource.new " +
	"pulumi.automation.select_stack python_terraform.Terraform jira.JIRA stripe stripe.StripeClient stripe.Customer.list " +
	"stripe.Subscription.list Stripe.Subscription.list stripe.Product.list stripe.Customer.retrieve " +
	"minio.Minio google.cloud.storage.Client twilio twilio.rest.Client Twilio.REST.Client.new"

// serviceObject returns the object that a function makes. The object is a client of a service, a connection to another
// machine, or a table. For any other function, serviceObject returns nil.
func (in *interpreter) serviceObject(name string, args value.Value) value.Value {
	first := value.Argument(args, 0)
	_, class, _ := strings.Cut(name, "kubernetes")
	_, payment, _ := strings.Cut(name, "tripe.") // the name has "stripe." or, in Ruby, "Stripe."
	switch {
	case first.Kind == value.ClusterObject: // as in stream(api.connect_get_namespaced_pod_exec, …)
		in.clusterCommand("connect", args)
		return &value.Data{}
	case words.OneOf(name, "fabric.api.run fabric.api.sudo"), words.OneOf(name, "run sudo") && in.starImported("fabric.api"):
		return in.runRemote("", first)
	case name == words.Among(name, "boto3.Session boto3.session.Session"):
		return &value.Data{Name: "boto3"}
	case name == words.Among(name, "ansible_runner.run ansible_runner.run_async"):
		in.runAnsible(args)
		return &value.Data{}
	case words.OneOf(payment, "Refund.create Payout.create Transfer.create Charge.create "+
		"PaymentIntent.confirm PaymentIntent.capture"),
		payment == "PaymentIntent.create" && args.IsOn("confirm"),
		payment == "Subscription.cancel" && args.IsOfMany(0):
		in.moveMoney(name)
		return &value.Data{}
	case words.OneOf(name, "twine.commands.upload.main twine.commands.upload.upload libnpmpublish.publish"):
		in.Trace.Mark(in.Command, "publishes files ("+name+")", effect.Publish)
		return &value.Data{}
	case words.OneOf(name, "code.InteractiveInterpreter code.InteractiveConsole"):
		return &value.Data{Name: "code"}
	case name == "createRequire" || name == "module.createRequire":
		return &value.Data{Name: "require"}
	case name == "invoke.Context":
		return &value.Data{Name: "invoke"}
	case name == "minio.Minio" && trace.IsLoopback(trace.HostOf(first.Text)):
	case name == words.Among(name, clients),
		strings.HasPrefix(name, "Sidekiq.") && strings.HasSuffix(name, ".new"),
		strings.HasPrefix(name, "azure.mgmt.") && strings.HasSuffix(name, "ManagementClient"),
		strings.HasPrefix(name, "google.cloud.") && strings.Contains(name, "_v1.") && strings.HasSuffix(name, "Client"):
		return &value.Data{Kind: value.ClientObject, Text: "$client"}
	case strings.HasPrefix(name, "Aws.") && strings.HasSuffix(name, ".Client.new"):
		return &value.Data{Kind: value.CloudObject, Text: strings.ToLower(name[len("Aws.") : len(name)-len(".Client.new")])}
	case first.Known && name == words.Among(name, "boto3.client session.client"):
		return &value.Data{Kind: value.CloudObject, Text: first.Text}
	case name == words.Among(name, remotes):
		return &value.Data{Kind: value.RemoteObject, Text: hostName(first)}
	case strings.HasSuffix(class, ".Exec"):
		return &value.Data{Kind: value.RemoteObject}
	case class != "" && strings.HasSuffix(class, "Api"):
		return &value.Data{Kind: value.ClusterObject, Text: "$cluster"}
	case name == "ssh2_exec":
		return in.runRemote("", value.Argument(args, 1))
	case strings.HasSuffix(name, "SFTPClient.from_transport") || name == "ftplib.FTP" || name == "ftplib.FTP_TLS":
		return &value.Data{Kind: value.RemoteFiles, Text: "$files"}
	case name == "knex" && !first.Known:
		return &value.Data{Kind: value.DatabaseObject, Text: "$database"}
	case name == words.Among(name, "Table sqlalchemy.Table knex"):
		return &value.Data{Kind: value.RowsObject, Text: "$rows"}
	case name == words.Among(name, "sqlalchemy.delete") && !in.connected.usesTests():
		return &value.Data{Kind: value.DeletionObject, Text: "$deletion"}
	}
	return nil
}

// serviceObjectMethod evaluates a method of a service's client, of a connection to another machine, or of a table. The
// second result says whether serviceObjectMethod knows the method.
func (in *interpreter) serviceObjectMethod(self value.Value, name string, args value.Value) (value.Value, bool) {
	switch self.Kind {
	case value.RemoteObject, value.RemoteFiles:
		return in.remoteMethod(self, name, args)
	case value.ClientObject:
		return in.clientMethod(self, name, args), true
	case value.ClusterObject:
		if strings.HasPrefix(name, "connect") && len(args.Items) == 0 {
			return self, true // the method is an argument of the function named stream
		}
		in.clusterCommand(name, args)
		return &value.Data{}, true
	case value.RowsObject, value.DeletionObject:
		return in.rowsMethod(self, name, args), true
	}
	switch {
	case name == "exec_command" || name == "execCommand":
		return in.remoteMethod(&value.Data{Kind: value.RemoteObject}, name, args)
	case name == words.Among(name, "open_sftp start_sftp_client"):
		return &value.Data{Kind: value.RemoteFiles, Text: "$files"}, true
	case name == "makeApiClient":
		return &value.Data{Kind: value.ClusterObject, Text: "$cluster"}, true
	case name == words.Among(name, rowsMethods) && isEntity(value.Argument(args, 0)) && !self.Known && !self.List,
		name == "createQueryBuilder" && len(args.Items) == 0:
		return &value.Data{Kind: value.RowsObject, Text: "$rows"}, true
	case name == "deleteFrom" && len(args.Items) == 1,
		name == "delete" && value.Argument(args, 0).Name != "" && strings.Contains(in.source, "drizzle"):
		return in.rowsMethod(&value.Data{Kind: value.RowsObject}, "delete", value.List()), true
	}
	return nil, false
}

// clientMethod evaluates a method of a client, or of an object of the service. It ignores objects that the code itself
// has created, because the code is allowed to delete its own objects.
func (in *interpreter) clientMethod(self value.Value, name string, args value.Value) value.Value {
	first, rest := words.NextWord(name)
	second, _ := words.NextWord(rest)
	switch {
	case in.changesService(self, name, args):
		return &value.Data{}
	case name == "run" || name == "createContainer" || name == "create" && self.Text == "containers":
		in.startContainer(args)
		return &value.Data{}
	case first == words.Among(first, "create run build pull put upload insert post add receive"), second == "from",
		name == words.Among(name, usualMethods) && !args.IsOfMany(0):
		return &value.Data{}
	case name == "merge":
		in.Trace.Mark(in.Command, "merges a pull request", effect.Merge)
	case first == words.Among(first, "authorize grant attach"):
		in.Trace.Mark(in.Command, "calls "+name+", which opens something or gives rights", effect.PermissionOpen)
		return &value.Data{}
	case words.OneOf(name, "prune clear") || words.MeaningOf(name) == words.Destroys || first == "prune" ||
		name == "cancel" && (self.Walked || args.IsOfMany(0)):
		// A single container, image or network can be created again. Everything that "prune" deletes, except volumes, can
		// also be created again. For programs, deleting a single file in a bucket is everyday work.
		rebuilt := self.Text == words.Among(self.Text, "containers images networks blob") && !self.Walked && !args.IsOfMany(0) ||
			first == "prune" && !strings.Contains(strings.ToLower(self.Text+name), "volume")
		if !rebuilt && !in.sparesData(self, name, args) {
			in.Trace.Mark(in.Command, "calls "+name+trace.DeletesRecords, effect.DestructiveOp)
		}
		return &value.Data{}
	case name == words.Among(name, "containers images networks volumes blob "+serviceNouns):
		return &value.Data{Kind: value.ClientObject, Text: name}
	}
	for _, item := range args.Items {
		if item.Function != nil {
			in.callFunction(item.Function, value.List(inLoop(self)))
		}
	}
	return self
}

// moveMoney marks a call that moves money, unless the code has a test key of Stripe.
func (in *interpreter) moveMoney(call string) {
	if !words.UsesTestKey(in.source) {
		in.Trace.Mark(in.Command, "moves money ("+call+")", effect.DestructiveOp)
	}
}

// inLoop returns the value of the loop variable in a loop over the objects of a service.
func inLoop(list value.Value) value.Value {
	if list.Kind != value.ClientObject {
		return list
	}
	item := list.Clone()
	item.Walked = true
	return item
}

// runProgram analyzes a command ("argv") that does the same as a call of a library function.
func (in *interpreter) runProgram(argv []value.Value) {
	in.Trace.RunInner(in.copied(), value.List(argv...).Flatten())
}

func textValues(texts ...string) []value.Value {
	var out []value.Value
	for _, text := range texts {
		out = append(out, value.Text(text))
	}
	return out
}

// startContainer analyzes a call that starts a container. It treats the call like the command docker run.
func (in *interpreter) startContainer(args value.Value) {
	argv := textValues("docker", "run")
	image, command := value.Argument(args, 0), value.Argument(args, 1)
	options := args.OptionSets()
	for i := 0; i < len(options); i++ {
		for _, p := range options[i].Pairs {
			switch strings.ToLower(p.Key) {
			case "privileged":
				if p.Value.Name != value.Off {
					argv = append(argv, value.Text("--privileged"))
				}
			case "pid_mode", "pidmode":
				argv = append(argv, value.Join(value.Text("--pid="), p.Value))
			case "volumes", "binds":
				argv = append(argv, mounts(p.Value)...)
			case "image":
				image = p.Value
			case "command", "cmd":
				command = p.Value
			case "hostconfig":
				options = append(options, p.Value)
			}
		}
	}
	argv = append(argv, image)
	if command.Known || command.List {
		argv = append(argv, command)
	}
	in.runProgram(argv)
}

// mounts() returns the docker options that mount folders in a container. The parameter "folders" is a list of texts
// such as "/data:/x", or a dictionary such as {"/data": {"bind": "/x"}}.
func mounts(folders value.Value) []value.Value {
	var out []value.Value
	for _, p := range folders.Pairs {
		bind, _ := p.Value.Entry("bind")
		out = append(out, value.Text("-v"), value.Join(value.Text(p.Key+":"), bind))
	}
	for _, item := range folders.Items {
		out = append(out, value.Text("-v"), item)
	}
	return out
}

// clusterCommand analyzes a method of a Kubernetes client. It treats the call like the kubectl command with the same
// effect.
func (in *interpreter) clusterCommand(method string, args value.Value) {
	if dry, ok := args.Entry("dry_run"); ok && dry.Known && dry.Text == "All" {
		return
	}
	verb, rest := words.NextWord(method)
	if verb == words.Among(verb, "read list") {
		verb = "get"
	} else if verb == "replace" {
		verb = "patch"
	}
	var noun string
	for rest != "" {
		var word string
		if word, rest = words.NextWord(rest); word != words.Among(word, "namespaced collection for all namespaces") {
			noun += word
		}
	}
	argv := textValues("kubectl", verb, noun)
	name, namespace := value.Argument(args, 0), value.Argument(args, 1)
	if v, ok := args.Entry("name"); ok {
		name = v
	}
	if v, ok := args.Entry("namespace"); ok {
		namespace = v
	}
	if namespace.Known && !namespace.List {
		argv = append(argv, value.Text("-n"), namespace)
	}
	switch {
	case verb == "connect":
		command, _ := args.Entry("command")
		argv = append(textValues("kubectl", "exec", "pod", "--"), command)
	case name.IsOfMany(0):
		argv = append(argv, value.Text("--all"))
	case !name.List:
		argv = append(argv, name)
	}
	if verb == "get" {
		argv = append(argv, textValues("-o", "yaml")...)
	}
	in.runProgram(argv)
}

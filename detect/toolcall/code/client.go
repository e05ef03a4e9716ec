package code

// client.go follows the objects of libraries for services: clients, and what they return. A method that destroys
// something is recognized although its name is as usual as delete.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// clients lists functions that return a client of a service, or something that the service holds.
const clients = "boto3.resource session.resource docker.from_env docker.DockerClient dockerode gitlab.Gitlab github.Github " +
	"hcloud.Client digitalocean.Manager linode_api4.LinodeClient cloudflare.Cloudflare openstack.connect " +
	"googleapiclient.discovery.build Aws.S3.Bucket.new Aws.S3.Resource.new Aws.EC2.Instance.new Aws.EC2.Resource.new " +
	"pulumi.automation.select_stack python_terraform.Terraform jira.JIRA stripe stripe.Customer.list " +
	"stripe.Subscription.list stripe.Product.list stripe.Customer.retrieve"

// serviceObject returns the object that a function makes, if it is a client of a service, a connection to another
// machine, or a table. It returns nil for any other function.
func (in *interpreter) serviceObject(name string, args value) value {
	first := argument(args, 0)
	_, class, _ := strings.Cut(name, "kubernetes")
	switch {
	case first.kind == clusterObject: // stream(api.connect_get_namespaced_pod_exec, …)
		in.clusterCommand("connect", args)
		return &data{}
	case words.OneOf(name, "fabric.api.run fabric.api.sudo"), words.OneOf(name, "run sudo") && in.starImported("fabric.api"):
		return in.runRemote("", first)
	case name == words.Among(name, "boto3.Session boto3.session.Session"):
		return &data{name: "boto3"}
	case name == "invoke.Context":
		return &data{name: "invoke"}
	case name == words.Among(name, clients),
		strings.HasPrefix(name, "azure.mgmt.") && strings.HasSuffix(name, "ManagementClient"),
		strings.HasPrefix(name, "google.cloud.") && strings.Contains(name, "_v1.") && strings.HasSuffix(name, "Client"):
		return &data{kind: clientObject, text: "$client"}
	case first.known && name == words.Among(name, "boto3.client session.client"):
		return &data{kind: cloudObject, text: first.text}
	case name == words.Among(name, remotes):
		return &data{kind: remoteObject, text: hostName(first)}
	case strings.HasSuffix(class, ".Exec"):
		return &data{kind: remoteObject}
	case class != "" && strings.HasSuffix(class, "Api"):
		return &data{kind: clusterObject, text: "$cluster"}
	case name == "ssh2_exec":
		return in.runRemote("", argument(args, 1))
	case strings.HasSuffix(name, "SFTPClient.from_transport") || name == "ftplib.FTP" || name == "ftplib.FTP_TLS":
		return &data{kind: remoteFiles, text: "$files"}
	case name == "knex" && !first.known:
		return &data{kind: databaseObject, text: "$database"}
	case name == words.Among(name, "Table sqlalchemy.Table knex"):
		return &data{kind: rowsObject, text: "$rows"}
	case name == words.Among(name, "sqlalchemy.delete") && !in.connected.usesTests():
		return &data{kind: deletionObject, text: "$deletion"}
	}
	return nil
}

// serviceObjectMethod evaluates a method of a service's client, of a connection to another machine, or of a table. It
// reports whether it knows the method.
func (in *interpreter) serviceObjectMethod(self value, name string, args value) (value, bool) {
	switch self.kind {
	case remoteObject, remoteFiles:
		return in.remoteMethod(self, name, args)
	case clientObject:
		return in.clientMethod(self, name, args), true
	case clusterObject:
		if strings.HasPrefix(name, "connect") && len(args.items) == 0 {
			return self, true // the argument of the function stream
		}
		in.clusterCommand(name, args)
		return &data{}, true
	case rowsObject, deletionObject:
		return in.rowsMethod(self, name, args), true
	}
	switch {
	case name == "exec_command" || name == "execCommand":
		return in.remoteMethod(&data{kind: remoteObject}, name, args)
	case name == words.Among(name, "open_sftp start_sftp_client"):
		return &data{kind: remoteFiles, text: "$files"}, true
	case name == "makeApiClient":
		return &data{kind: clusterObject, text: "$cluster"}, true
	case name == words.Among(name, rowsMethods) && argument(args, 0).isEntity() && !self.known && !self.list,
		name == "createQueryBuilder" && len(args.items) == 0:
		return &data{kind: rowsObject, text: "$rows"}, true
	case name == "deleteFrom" && len(args.items) == 1,
		name == "delete" && argument(args, 0).name != "" && strings.Contains(in.source, "drizzle"):
		return in.rowsMethod(&data{kind: rowsObject}, "delete", &data{list: true}), true
	}
	return nil, false
}

// clientMethod evaluates a method of a client, or of something that the service holds. What the code itself creates may
// be deleted.
func (in *interpreter) clientMethod(self value, name string, args value) value {
	first, rest := words.NextWord(name)
	second, _ := words.NextWord(rest)
	switch {
	case name == "run" || name == "createContainer" || name == "create" && self.text == "containers":
		in.startContainer(args)
		return &data{}
	case first == words.Among(first, "create run build pull put upload insert post add receive"), second == "from",
		name == words.Among(name, usualMethods) && !args.isOfMany(0):
		return &data{}
	case name == "merge":
		in.trace.Mark(in.command, "merges a pull request", effect.Merge)
	case name == "prune" || words.MeaningOf(name) == words.Destroys || first == "prune":
		// A container or an image can be made again, unless the code takes all of them.
		rebuilt := self.text == words.Among(self.text, "containers images networks") && !self.walked && !args.isOfMany(0) ||
			first == "prune" && !strings.Contains(strings.ToLower(self.text+name), "volume")
		if !rebuilt && !in.sparesData(self, name, args) {
			in.trace.Mark(in.command, "calls "+name+trace.DeletesRecords, effect.DestructiveOp)
		}
		return &data{}
	case name == words.Among(name, "containers images networks volumes"):
		return &data{kind: clientObject, text: name}
	}
	for _, item := range args.items {
		if item.fn != nil {
			in.callFunction(item.fn, &data{list: true, items: []value{inLoop(self)}})
		}
	}
	return self
}

// inLoop returns what the variable of a loop over the objects of a service stands for.
func inLoop(list value) value {
	if list.kind != clientObject {
		return list
	}
	item := list.clone()
	item.walked = true
	return item
}

// isOfMany reports whether a value, a part of it, or the object that it is a part of, stands for every item of an unknown
// list.
func (v value) isOfMany(depth int) bool {
	if v.walked || depth > 4 {
		return v.walked
	}
	for _, p := range v.pairs {
		if p.value.isOfMany(depth + 1) {
			return true
		}
	}
	for _, item := range v.items {
		if item.isOfMany(depth + 1) {
			return true
		}
	}
	return v.self != nil && v.self.isOfMany(depth+1)
}

// runProgram analyzes a call of a library like the command that does the same.
func (in *interpreter) runProgram(argv []value) {
	in.trace.RunInner(in.copied(), (&data{list: true, items: argv}).flatten())
}

func textValues(texts ...string) []value {
	var out []value
	for _, text := range texts {
		out = append(out, textValue(text))
	}
	return out
}

// startContainer analyzes a function that starts a container like docker run.
func (in *interpreter) startContainer(args value) {
	argv := textValues("docker", "run")
	image, command := argument(args, 0), argument(args, 1)
	options := args.optionSets()
	for i := 0; i < len(options); i++ {
		for _, p := range options[i].pairs {
			switch strings.ToLower(p.key) {
			case "privileged":
				if p.value.name != off {
					argv = append(argv, textValue("--privileged"))
				}
			case "pid_mode", "pidmode":
				argv = append(argv, join(textValue("--pid="), p.value))
			case "volumes", "binds":
				argv = append(argv, mounts(p.value)...)
			case "image":
				image = p.value
			case "command", "cmd":
				command = p.value
			case "hostconfig":
				options = append(options, p.value)
			}
		}
	}
	argv = append(argv, image)
	if command.known || command.list {
		argv = append(argv, command)
	}
	in.runProgram(argv)
}

// mounts returns the options for the folders that a container gets: {"/data": {"bind": "/x"}}, or a list of texts.
func mounts(folders value) []value {
	var out []value
	for _, p := range folders.pairs {
		bind, _ := p.value.entry("bind")
		out = append(out, textValue("-v"), join(textValue(p.key+":"), bind))
	}
	for _, item := range folders.items {
		out = append(out, textValue("-v"), item)
	}
	return out
}

// clusterCommand analyzes a method of a Kubernetes client like the kubectl command that does the same.
func (in *interpreter) clusterCommand(method string, args value) {
	verb, rest := words.NextWord(method)
	if verb == words.Among(verb, "read list") {
		verb = "get"
	} else if verb == "replace" {
		verb = "patch"
	}
	var noun string
	for rest != "" {
		var word string
		if word, rest = words.NextWord(rest); word != words.Among(word, "namespaced collection") {
			noun += word
		}
	}
	argv := textValues("kubectl", verb, noun)
	name, namespace := argument(args, 0), argument(args, 1)
	if v, ok := args.entry("name"); ok {
		name = v
	}
	if v, ok := args.entry("namespace"); ok {
		namespace = v
	}
	if namespace.known && !namespace.list {
		argv = append(argv, textValue("-n"), namespace)
	}
	switch {
	case verb == "connect":
		command, _ := args.entry("command")
		argv = append(textValues("kubectl", "exec", "pod", "--"), command)
	case name.isOfMany(0):
		argv = append(argv, textValue("--all"))
	case !name.list:
		argv = append(argv, name)
	}
	if verb == "get" {
		argv = append(argv, textValues("-o", "yaml")...)
	}
	in.runProgram(argv)
}

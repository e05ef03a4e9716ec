package code

// remote.go handles connections to other machines: commands that they run, and files that they have.

import (
	"slices"

	"guardrails/detect/toolcall/program/network"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// remotes lists functions that connect to another machine, or to several.
const remotes = "fabric.Connection fabric.Group fabric.SerialGroup fabric.ThreadingGroup asyncssh.connect Net.SSH.start ssh2.Client " +
	"node-ssh.NodeSSH paramiko.SSHClient spur.SshShell"

// hostName returns the name of the machine to which a call connects, or "" if it is unknown.
func hostName(first value) string {
	if host, ok := first.entry("host", "hostname"); ok {
		first = host
	}
	if !first.known {
		return ""
	}
	return first.text
}

// starImported reports whether the code imports every name of a module.
func (in *interpreter) starImported(module string) bool {
	return slices.Contains(in.starImports, module)
}

// remoteMethod evaluates a method of a connection to another machine, or to its files. It reports whether it knows the
// method.
func (in *interpreter) remoteMethod(self value, name string, args value) (value, bool) {
	command := argument(args, 0)
	switch {
	case self.kind == remoteFiles:
		if !words.OneOf(name, "remove unlink rmdir rm rmd delete rename posix_rename fastDelete") {
			return nil, false
		}
		command = join(textValue("rm -r "), command)
	case words.OneOf(name, "open_sftp sftp start_sftp_client"):
		out := &data{kind: remoteFiles, text: "$files"}
		if callback := argument(args, 0); callback.fn != nil {
			in.callFunction(callback.fn, &data{list: true, items: []value{{}, out}}) // an error, then the object
		}
		return out, true
	case !words.OneOf(name, "run sudo exec exec! execCommand exec_command"):
		return nil, false
	}
	for _, item := range args.items {
		if item.list && len(item.items) > 0 {
			command = joinItems(item, " ") // exec("namespace", "pod", "container", ["rm", "x"])
		}
	}
	return in.runRemote(self.text, command), true
}

// runRemote analyzes a command that another machine runs.
func (in *interpreter) runRemote(host string, command value) value {
	out := network.RunRemote(in.trace, in.copied(), host, command.toTrace())
	return &data{taint: out.Taint &^ trace.FromShell}
}

package code

// remote.go handles connections to other machines. The code runs commands and uses files over such connections.

import (
	"slices"

	"guardrails/detect/toolcall/code/value"
	"guardrails/detect/toolcall/program/network"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// The constant "remotes" lists functions that connect to one or more other machines.
const remotes = "fabric.Connection fabric.Group fabric.SerialGroup fabric.ThreadingGroup asyncssh.connect Net.SSH.start ssh2.Client " +
	"node-ssh.NodeSSH paramiko.SSHClient spur.SshShell"

// hostName returns the name of the machine to which a call connects, or "" if the name is unknown.
func hostName(first value.Value) string {
	if host, ok := first.Entry("host hostname"); ok {
		first = host
	}
	if !first.Known {
		return ""
	}
	return first.Text
}

// starImported reports whether the code imports every name of a module.
func (in *interpreter) starImported(module string) bool {
	return slices.Contains(in.starImports, module)
}

// remoteMethod evaluates a method of a connection to another machine or to the files of another machine. The second
// result says whether remoteMethod knows the method.
func (in *interpreter) remoteMethod(self value.Value, name string, args value.Value) (value.Value, bool) {
	command := value.Argument(args, 0)
	switch {
	case self.Kind == value.RemoteFiles:
		if !words.OneOf(name, "remove unlink rmdir rm rmd delete rename posix_rename fastDelete") {
			return nil, false
		}
		command = value.Join(value.Text("rm -r "), command)
	case words.OneOf(name, "open_sftp sftp start_sftp_client"):
		out := &value.Data{Kind: value.RemoteFiles, Text: "$files"}
		if callback := value.Argument(args, 0); callback.Function != nil {
			in.callFunction(callback.Function, value.List(&value.Data{}, out)) // as in callback(error, object)
		}
		return out, true
	case !words.OneOf(name, "run sudo exec exec! execCommand exec_command"):
		return nil, false
	}
	for _, item := range args.Items {
		if item.List && len(item.Items) > 0 {
			command = value.JoinItems(item, " ") // as in exec("namespace", "pod", "container", ["rm", "x"])
		}
	}
	return in.runRemote(self.Text, command), true
}

// runRemote analyzes a command that another machine runs.
func (in *interpreter) runRemote(host string, command value.Value) value.Value {
	out := network.RunRemote(in.Trace, in.copied(), host, command.ToTrace())
	return &value.Data{Taint: out.Taint &^ trace.FromShell}
}

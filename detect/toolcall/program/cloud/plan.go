package cloud

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program/network"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// The function ansible analyzes the program ansible, which runs a module on many machines. Some modules run the command
// that follows -a.
func ansible(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	module := words.OrElse(trace.FirstText(o.Values("m module-name")), "command")
	module = module[strings.LastIndexByte(module, '.')+1:]
	if words.OneOf(module, "ping setup debug stat") {
		return trace.Nothing()
	}
	t.MarkAll(c, "runs a module on the machines "+o.Word(0), effect.RemoteExecution, effect.DevopsInvoked)
	if text := o.Values("a args"); len(text) > 0 && words.OneOf(module, "command shell raw script") {
		network.RunRemote(t, c, "", text[0])
	}
	return trace.Flow{Taint: trace.FromNetwork}
}

// vagrantSSH analyzes "vagrant ssh", which runs a command in a virtual machine.
func vagrantSSH(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	return login(t, c, o.Values("c command"), "localhost")
}

// login() analyzes a login on another machine. The command for that machine may follow --. Without such a command, a
// shell on that machine runs the input of the call.
func login(t *trace.Trace, c *trace.Command, commands []trace.Value, host string) trace.Flow {
	if after, _ := flags.AfterDashes(c.Args()); len(commands) == 0 && len(after) > 0 && !strings.HasPrefix(after[0].Text, "-") {
		commands = []trace.Value{trace.Joined(after)}
	}
	if len(commands) == 0 {
		return network.RemoteInput(t, c, host)
	}
	t.Mark(c, "runs a command on another machine", effect.RemoteExecution)
	network.RunRemote(t, c, host, commands[0])
	return trace.Flow{Taint: trace.FromNetwork}
}

// Package program contains the code that its subpackages share: tables of subcommands, outcomes, uploads and downloads,
// output files, and the analysis of programs without a handler.
package program

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
)

// Plain analyzes a program without a handler. It assumes that the program may read the files in its arguments and
// prints something.
func Plain(a *trace.Trace, c *trace.Command) trace.Flow {
	if IsTestProgram(c.Name) {
		a.MarkTest(c)
	}
	if c.Name == "set" || c.Name == "setenv" || c.Name == "dbus-update-activation-environment" {
		a.SetsVariables(c, c.Args())
	}
	complete, ran := FollowRows(a, c)
	if !complete {
		self.MarkGuardArguments(a, c)
	}
	if !complete && !ran {
		arguments(a, c)
	}
	self.MarkOwnCommand(a, c)
	ByWords(a, c)
	Outputs(a, c, false)
	t := c.In.Taint
	for i, v := range c.Args() {
		if t |= v.Taint; !isOutput(a, c, c.Argv[i].Text, v) {
			t |= a.SecretOperand(c, v)
		}
	}
	return trace.Flow{Taint: t&^trace.FromVariables | trace.FromProgram}
}

// isOutput reports whether a call only writes the file that follows a flag, such as -out or -key-file.
func isOutput(a *trace.Trace, c *trace.Command, flag string, v trace.Value) bool {
	if flag != "-o" && (flag == "" || flag[0] != '-' || !strings.HasSuffix(flag, "-file") && !strings.Contains(flag, "out")) {
		return false
	}
	name := a.Place(v, c.Scope).Name
	for i := c.Run; i < len(a.Effects); i++ {
		if a.Effects[i].Kind == effect.Write && a.Effects[i].Path == name {
			return true
		}
	}
	return false
}

// IsDisk reports whether a device is a whole disk or a partition, rather than, for example, a loop device.
func IsDisk(path string) bool {
	for _, prefix := range [...]string{
		"/dev/sd", "/dev/nvme", "/dev/vd", "/dev/xvd", "/dev/hd", "/dev/disk",
		"/dev/mapper", "/dev/md", "/dev/mmcblk", "/dev/rdisk", "/dev/dm-",
	} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

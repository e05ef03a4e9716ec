package system

import (
	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// backupHandler knows the programs that keep backups and snapshots, and those that show or open what nobody should.
func backupHandler(name string) trace.Handler {
	const backups = "deletes backups or snapshots"
	switch name {
	case words.Among(name, "velero borg duplicity kopia tmutil snapper timeshift rdiff-backup"):
		return program.MarksWith(backups, effect.DestructiveOp, "delete", "deletelocalsnapshots", "disable", "remove-all-but-n-full", "cleanup", "--delete", "--delete-all")
	case "restic":
		return program.MarksWith(backups, effect.DestructiveOp, "forget", "prune", "key")
	case "gcore", "procdump", "mimipenguin":
		return program.Marks("copies another program's memory", effect.SecretAccess)
	case "getent":
		return getent
	case "ttyd", "gotty", "wetty", "shellinaboxd":
		return program.Marks("opens a terminal to the network", effect.ReverseShell)
	case "log":
		return program.MarksWith("erases the system's log", effect.DefenseOff, "erase")
	}
	return nil
}

// getent prints the system's databases; that of passwords is a secret.
func getent(t *trace.Trace, c *trace.Command) trace.Flow {
	if word := trace.ArgAt(c.Argv, 1); word == "shadow" || word == "gshadow" {
		t.Mark(c, "reads the passwords of the system", effect.SecretAccess)
		return trace.Flow{Taint: trace.FromSecret}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

package system

import (
	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// backupHandler returns the handler of a program that manages backups and snapshots, copies memory or the password
// database, opens a terminal to the network or erases the log. It returns nil for other programs.
func backupHandler(name string) trace.Handler {
	const backups = "deletes backups or snapshots"
	switch name {
	case words.Among(name, "borg duplicity kopia tmutil snapper timeshift rdiff-backup duplicacy bup "+
		"proxmox-backup-client"):
		return program.MarksWith(backups, effect.DestructiveOp, "delete deletelocalsnapshots disable "+
			"remove-all-but-n-full remove-older-than --remove-older-than remove forget cleanup prune prune-older --delete --delete-all")
	case "restic":
		return program.MarksWith(backups, effect.DestructiveOp, "forget prune key")
	case "gcore", "procdump", "mimipenguin":
		return program.Marks("copies the memory of another process", effect.SecretAccess)
	case "getent":
		return getent
	case "ttyd", "gotty", "wetty", "shellinaboxd":
		return program.Marks("opens a terminal to the network", effect.ReverseShell)
	case "log":
		return program.MarksWith("erases the system's log", effect.DefenseOff, "erase")
	}
	return nil
}

// The function getent analyzes the program getent, which prints entries of the system's databases. The password
// databases are secret.
func getent(t *trace.Trace, c *trace.Command) trace.Flow {
	if word := trace.ArgAt(c.Argv, 1); word == "shadow" || word == "gshadow" {
		t.Mark(c, "reads the passwords of the system", effect.SecretAccess)
		return trace.Flow{Taint: trace.FromSecret}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

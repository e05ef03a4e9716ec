package toolcall

import "guardrails/detect/effect"

// backupHandler knows the programs that keep backups and snapshots, and those that show or open what nobody should.
func backupHandler(name string) handler {
	const backups = "deletes backups or snapshots"
	switch name {
	case among(name, "velero borg duplicity kopia tmutil snapper timeshift rdiff-backup"):
		return marksWith(backups, effect.DestructiveOp, "delete", "deletelocalsnapshots", "disable", "remove-all-but-n-full", "cleanup", "--delete", "--delete-all")
	case "restic":
		return marksWith(backups, effect.DestructiveOp, "forget", "prune", "key")
	case "gcore", "procdump", "mimipenguin":
		return marks("copies another program's memory", effect.SecretAccess)
	case "getent":
		return getent
	case "ttyd", "gotty", "wetty", "shellinaboxd":
		return marks("opens a terminal to the network", effect.ReverseShell)
	case "log":
		return marksWith("erases the system's log", effect.DefenseOff, "erase")
	}
	return nil
}

// getent prints the system's databases; that of passwords is a secret.
func getent(a *analyzer, c *command) flow {
	if word := argAt(c.argv, 1); word == "shadow" || word == "gshadow" {
		a.mark(c, "reads the passwords of the system", effect.SecretAccess)
		return flow{taint: fromSecret}
	}
	return flow{taint: fromProgram}
}

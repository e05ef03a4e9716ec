package toolcall

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/internal/product"
)

// Trust drops events of the scripts that are committed and have no later changes, because a person has reviewed these
// scripts. It keeps events that no script may cause, and events with effects beyond the machine. It also keeps the
// paths and commands that guidelines match.
func Trust(a *effect.Analysis, committed func(*effect.Script) bool) {
	trusted := make([]bool, len(a.Scripts))
	for i := range a.Scripts {
		trusted[i] = committed(&a.Scripts[i])
	}
	for i := range a.Effects {
		if e := &a.Effects[i]; e.Script > 0 && trusted[e.Script-1] {
			e.Inert = true
			harmless := isForTests(e)
			lost := losesMoreThanFiles(a, e)
			e.DropFunc(func(event effect.Event) bool {
				return isEveryday(event) && (!lost || event != effect.DestructiveOp) || harmless && event == effect.GuardTamper
			})
		}
	}
}

// losesMoreThanFiles reports whether an effect of a script can delete data in a database, a volume or a cloud, rather
// than only files. SQL files are an exception: for SQL files, it returns false. A person who runs an SQL file expects
// that the file changes a database.
func losesMoreThanFiles(a *effect.Analysis, e *effect.Effect) bool {
	return e.Kind == effect.Run && !strings.Contains(e.Reason, trace.ContainerPrefix) &&
		!strings.HasSuffix(a.Scripts[e.Script-1].Path, ".sql")
}

// isForTests reports whether an effect belongs to a test of the guard. Such an effect sets a variable of the guard for
// the script's own processes, or changes the settings of a project in a temporary folder.
func isForTests(e *effect.Effect) bool {
	return e.Kind == effect.Opaque && trace.IsGuardVariable(e.Name) || e.IsTemporary() &&
		trace.InFolder(e.Path, product.ClientFolder)
}

// isEveryday reports whether an event is usual in a project's scripts, because such scripts build, clean or install
// something.
func isEveryday(event effect.Event) bool {
	switch event {
	case effect.DestructiveOp, effect.OutsideDelete, effect.OutsideWrite, effect.SystemChange, effect.SystemControl,
		effect.PermissionOpen, effect.Privilege, effect.PrivilegeGain, effect.SecretAccess, effect.PipeToShell,
		effect.HiddenExecution,
		effect.StartupChange, effect.DefenseOff, effect.ContainerEscape, effect.UntrustedSource,
		effect.HistoryRewrite, effect.ComplexOp:
		return true
	}
	return false
}

package doctor

import (
	"path/filepath"

	"guardrails/internal/private"
	"guardrails/setup"
)

const (
	linkSessions = "session folder"
	linkState    = "state folder"
)

// checkPlace warns if a session that starts in the working folder would not read the project's settings.
func (x *Examination) checkPlace() {
	if filepath.Clean(x.Cwd) == filepath.Clean(x.root) {
		return
	}
	for _, f := range x.files {
		if (f.Scope == setup.User || f.Scope == setup.Managed) && len(f.ours()) > 0 {
			return
		}
	}
	x.add("folder", Warning,
		"a session that is started in "+x.Cwd+" does not read the settings of "+x.root+" and is not guarded",
		"start Claude Code in "+x.root+", or run guardrails init --user")
}

// checkFolders checks the folders in which hooks write files.
func (x *Examination) checkFolders() {
	d, err := private.Runtime(x.Env)
	if err != nil {
		x.add(linkSessions, Broken, err.Error(), "fix the named problem; until then, every call fetches the guidelines again, and "+
			"guardrails remembers neither changed files nor answers")
	} else {
		x.sessions = d
		x.add(linkSessions, OK, filepath.Clean(d.Path(".")), "")
	}
	dir, err := private.StateDir(x.Env)
	if err != nil {
		x.add(linkState, Broken, err.Error(), "fix the named problem; until then, decisions are not recorded")
		return
	}
	x.add(linkState, OK, dir, "")
	x.checkPutBack(dir)
}

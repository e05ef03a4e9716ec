package doctor

import (
	"path/filepath"

	"guardrails/hooks/ownfiles"
)

// checkPutBack warns about files of the guard that were changed during tool calls and put back.
func (x *Examination) checkPutBack(state string) {
	folder := filepath.Join(state, ownfiles.AsideFolder)
	found, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(found) == 0 {
		return
	}
	x.add("own files", Warning,
		"guardrails put back what was changed during a tool call; the changed versions are in "+folder+": "+
			count(len(found), "file"), "look at them; if a change was yours, copy it back; then remove the folder")
}

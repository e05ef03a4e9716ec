package doctor

import (
	"path/filepath"

	"guardrails/hooks/ownfiles"
)

// checkPutBack warns about files of guardrails that were changed during tool calls and then restored by guardrails.
func (x *Examination) checkPutBack(state string) {
	folder := filepath.Join(state, ownfiles.AsideFolder)
	found, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(found) == 0 {
		return
	}
	x.add("own files", Warning,
		"files of guardrails were changed during a tool call, and guardrails restored them; the changed versions ("+
			count(len(found), "file")+") are in "+folder,
		"look at the changed versions; if a change was yours, copy that version back; then remove the folder")
}

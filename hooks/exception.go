package hooks

import (
	"slices"

	"guardrails/decide"
	"guardrails/guideline"
	"guardrails/hooks/cache"
)

// excuse takes away the findings that an exception of the project covers, and keeps them for the record.
func (j *judging) excuse(d *decide.Decision) {
	if len(j.cache.Exceptions) == 0 {
		return
	}
	d.Findings = slices.DeleteFunc(d.Findings, func(f decide.Finding) bool {
		for i := range j.cache.Exceptions {
			x := &j.cache.Exceptions[i]
			if x.Guideline == f.Guideline.ID && j.w.Now().Before(x.Expires) && j.covers(x, &f) {
				j.excused = append(j.excused, excuse{guideline: x.Guideline, reason: "exception: " + x.Reason})
				return true
			}
		}
		return false
	})
}

// covers reports whether an exception is for what was found: one without tools is for every call.
func (j *judging) covers(x *cache.Exception, f *decide.Finding) bool {
	if len(x.Tools) == 0 {
		return true
	}
	if f.Effect < 0 {
		return false
	}
	for _, pattern := range x.Tools {
		p, err := guideline.CompileToolPattern(pattern)
		if err == nil && decide.Covers(p, &j.call.Effects[f.Effect], j.call.Tool) {
			return true
		}
	}
	return false
}

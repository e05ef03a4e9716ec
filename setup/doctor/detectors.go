package doctor

import (
	"guardrails/config"
	"guardrails/setup"
)

// checkDetectors adds a check that says what each detector does in a session.
func (x *Examination) checkDetectors(c *config.Config) {
	t := &c.Detectors
	x.detectors = *t
	text := "rumination " + t.Rumination + ", hyperfocus " + t.Hyperfocus + ", sycophancy " + t.Sycophancy +
		", tool_loop " + t.ToolLoop
	if t.Record {
		text += "; detections are recorded"
	}
	if c.Display.Mask {
		text += "; personal data on the screen is masked"
	}
	x.add("detectors", OK, text, "")
	x.checkMask(c.Display.Mask)
}

// isOn reports whether a detector is switched on. If the settings cannot be read, the mode is "", and nothing is tried.
func isOn(mode string) bool { return mode != "" && mode != config.Off }

// checkMask compares the setting for masking with the hook that masks the screen.
func (x *Examination) checkMask(wanted bool) {
	all := setup.Wanted(setup.Options{Mask: true})
	want := all[len(all)-1]
	entries := x.entries()
	switch {
	case wanted:
		x.Checks = append(x.Checks, x.checkEntry(&want, entries))
	case x.isMasking():
		x.add(linkHook(want.Event), Warning,
			"runs for each part of an answer, but masking is switched off in the settings", x.runInit())
	}
}

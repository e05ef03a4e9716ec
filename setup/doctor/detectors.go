package doctor

import (
	"guardrails/config"
)

// checkDetectors says what each detector does in a session.
func (x *Examination) checkDetectors(c *config.Config) {
	t := &c.Detectors
	text := "rumination " + t.Rumination + ", hyperfocus " + t.Hyperfocus + ", sycophancy " + t.Sycophancy +
		", tool_loop " + t.ToolLoop
	if t.Record {
		text += "; detections are recorded"
	}
	if c.Display.Mask {
		text += "; personal data on the screen is masked"
	}
	x.add("detectors", OK, text, "")
}

package decide

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/guideline"
)

// A call can have thousands of effects, and a project thousands of guidelines. So Judge counts its steps. If there are
// too many steps, the remaining effects are judged together, as one unknown effect with the event too_large.

// MaxSteps is the largest number of steps that the judgement of a call may take. A step takes about 10 ns.
const MaxSteps = 1_500_000

const (
	stepsOfQuery   = 20
	stepsOfPattern = 8
	// stepsOfOpenGlob is the number of steps for a glob that begins with a star.
	stepsOfOpenGlob = 60
	stepsOfGlobByte = 4
	// bytesOfStep is the number of bytes of a folder or a glob that one step compares with a pattern.
	bytesOfStep = 4
)

// stepsOf returns the number of steps for comparing an effect with the patterns of its candidates.
func (j *judge) stepsOf(e *effect.Effect) int {
	each := stepsOfPattern * (1 + len(e.Forms) + len(e.Inside))
	switch {
	case e.Glob && strings.HasPrefix(e.Path, "*"):
		// The glob begins with a star, so no pattern can be excluded by the beginning of its path.
		each += stepsOfOpenGlob + stepsOfGlobByte*len(e.Path)
	case e.Tree || e.Glob || e.Unknown:
		each += len(e.Path) / bytesOfStep
	}
	steps := len(j.candidates)
	for n := range j.candidates {
		m := &j.candidates[n]
		steps += (len(m.Allowed) + len(m.Denied) + len(m.Asked)) * each
	}
	return steps
}

// restOf returns one effect that stands for all effects of a call from the given index to the end. It has the events of
// all these effects, so guidelines about events decide as if each effect were judged on its own. Its paths and commands
// are unknown.
func restOf(call *effect.Analysis, from int) *effect.Effect {
	rest := &effect.Effect{
		Kind: effect.Opaque, Events: []effect.Event{effect.TooLarge}, Span: call.Effects[from].Span,
		Reason: "has too many effects for this many guidelines, so some effects were not judged one by one",
	}
	for i := from; i < len(call.Effects); i++ {
		rest.NoteAll("", call.Effects[i].AllEvents()...)
	}
	return rest
}

// findTelemetry looks for a telemetry guideline among the candidates.
func (j *judge) findTelemetry() {
	for n := range j.candidates {
		if g := j.candidates[n].Guideline; j.decision.Telemetry == nil && g.Action.Type == guideline.Telemetry {
			j.decision.Telemetry = g
		}
	}
}

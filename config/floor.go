package config

import (
	"slices"

	"guardrails/detect/pii"
	"guardrails/detect/safety"
	"guardrails/internal/document"
)

// The type "floor" describes a setting that could weaken a mode that the administrator has set.
type floor struct {
	mode, name string
	// weakens() reports whether a value of a field weakens the mode. If the setting is not an object, the parameter
	// "field" is "".
	weakens func(field, value string, mode int) bool
}

// floors() returns the settings that are protected if the administrator sets the mode of the safety gate or of
// OutputGuard. In that case, the user and the project can only make these settings stricter.
func floors() []floor {
	isMilder := func(_, value string, mode int) bool { return slices.Index(safetyModes(), value) < mode }
	return []floor{
		{safetyModeKey, safetyKey + ".categories", isMilder},
		{safetyModeKey, safetyKey + ".gates", isMilder},
		{safetyModeKey, safetyKey + ".pii", func(category, value string, _ int) bool {
			return category != pii.IP.String() && value != string(safety.Mask)
		}},
		{safetyModeKey, safetyKey + ".dissent", func(_, value string, _ int) bool { return value == on }},
		{outputGuardModeKey, outputGuardKey + ".fail", func(risk, value string, _ int) bool {
			guard := defaultOutputGuard()
			return value == FailsOpen && guard.FailsClosed(risk)
		}},
	}
}

// isFloor reports whether the administrator sets a mode, such as safety.mode, to a value other than Off. In that case,
// nobody else can weaken the mode.
func (l *Layers) isFloor(mode string) bool {
	n := l.managed.personal[mode]
	return n != nil && rank(n) > 0
}

// keepFloor removes values that weaken a mode of the administrator. If a setting is in the administrator's own file,
// keepFloor removes none of its values.
func (l *Layers) keepFloor(c *Config, chosen map[string]*document.Node) {
	for _, f := range floors() {
		n := chosen[f.name]
		if n == nil || !l.isFloor(f.mode) || l.managed.personal[f.name] != nil {
			continue
		}
		if kept := f.keep(n, rank(l.managed.personal[f.mode])); kept != n {
			c.Ignored = append(c.Ignored, Ignored{Setting: f.name, Value: offAsText(n).Text, Why: weakensCompanys})
			chosen[f.name] = kept
		}
	}
}

const weakensCompanys = "it would weaken a mode that the machine's administrator sets"

// keep() returns the node n without the values that weaken the mode. If no value weakens the mode, it returns n itself.
func (f *floor) keep(n *document.Node, mode int) *document.Node {
	if n.Kind != document.Object {
		if f.weakens("", offAsText(n).Text, mode) {
			return nil
		}
		return n
	}
	kept := *n
	kept.Fields = slices.DeleteFunc(slices.Clone(n.Fields), func(field document.Field) bool {
		return f.weakens(field.Name, offAsText(field.Value).Text, mode)
	})
	if len(kept.Fields) == len(n.Fields) {
		return n
	}
	return &kept
}

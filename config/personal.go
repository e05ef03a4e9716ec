package config

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"guardrails/internal/document"
	"guardrails/internal/product"
)

const (
	toolLoopKey = "detectors.tool_loop"
	recordKey   = "detectors.record"
)

const (
	isPersonal  = "your own guardrails.yaml sets it"
	isCompanys  = "the machine's administrator sets it"
	offByClient = "a project cannot switch off the detectors that your own guardrails.yaml sets"
)

// combinePersonal combines the settings about a person. The files have an order: the user's file, the administrator's
// file, and then the project's file. The value of a field comes from the first file that sets the field. For the safety
// gate, the output guard and the model, the administrator's file comes before the user's file. For the mode of the
// safety gate and of the output guard, the stricter value in these two files applies.
func (l *Layers) combinePersonal(c *Config, higher bool) {
	chosen := l.chooseOfProject(c, higher)
	maps.Copy(chosen, l.managed.personal)
	maps.Copy(chosen, l.user.personal)
	if l.managed.asksAboutLoops() {
		chosen[toolLoopKey] = l.managed.personal[toolLoopKey]
	}
	for name, n := range l.managed.personal {
		if guardedKey(name) != "" {
			chosen[name] = n
		}
	}
	for _, key := range [...]string{safetyModeKey, outputGuardModeKey} {
		if mode := l.stricter(key); mode != nil {
			chosen[key] = mode
		}
	}
	l.keepOneModel(c, chosen)
	l.keepFloor(c, chosen)
	c.decodePersonal(chosen)
	c.Safety.NoMilder = l.isFloor(safetyModeKey) && l.managed.personal[policiesKey] == nil
	l.switchOff(c)
	l.intervene(c)
}

// WithoutProject returns the model and the output guard that the administrator and the user set.
func (l *Layers) WithoutProject() (Model, OutputGuard) {
	var c Config
	higher := &Layers{managed: l.managed, user: l.user, intervention: l.intervention}
	higher.combinePersonal(&c, true)
	return c.Model, c.OutputGuard
}

// chooseOfProject returns the project's values that apply.
func (l *Layers) chooseOfProject(c *Config, higher bool) map[string]*document.Node {
	chosen, projects := map[string]*document.Node{}, maps.Clone(l.own.personal)
	if l.off {
		projects = maps.Clone(l.file.personal) // switchOff handles the variable
	}
	for _, name := range slices.Sorted(maps.Keys(l.file.personal)) {
		n := l.file.personal[name]
		if guardedKey(name) != "" && l.isTrusted() && projects[name] != n {
			if hides := projects[name]; hides != nil && !sameText(hides, n) {
				c.Ignored = append(c.Ignored, l.ignoredPersonal(name, hides, notByVariable))
			}
			projects[name] = n
		}
	}
	for _, name := range slices.Sorted(maps.Keys(projects)) {
		n := projects[name]
		if why := l.notOfProject(name, n, higher); why == "" {
			chosen[name] = n
		} else if why != sameValue {
			c.Ignored = append(c.Ignored, l.ignoredPersonal(name, n, why))
		}
	}
	return chosen
}

// asksAboutLoops reports whether the settings say that the user must be asked when an agent is in a loop. If the
// managed layer says this, the user cannot change it.
func (s *source) asksAboutLoops() bool {
	n := s.personal[toolLoopKey]
	return n != nil && n.Text == Ask
}

const sameValue = "the same"

// notOfProject returns the reason why a value of the project does not apply. If the value applies, it returns "".
func (l *Layers) notOfProject(name string, own *document.Node, higher bool) string {
	for _, s := range []struct {
		from *source
		why  string
	}{{&l.user, isPersonal}, {&l.managed, isCompanys}} {
		if n := s.from.personal[name]; n != nil {
			if sameText(n, own) {
				return sameValue
			}
			return s.why
		}
	}
	isWritten := l.isTrusted() && l.file.personal[name] == own
	if key := guardedKey(name); key != "" && !isWritten {
		return l.notLoosened(key)
	}
	loosens := name == toolLoopKey && offAsText(own).Text == Off && (higher || len(l.user.personal) > 0)
	if (loosens || name == recordKey && own.Text == "true") && !isWritten {
		return l.notLoosened(detectorsKey)
	}
	return ""
}

func sameText(a, b *document.Node) bool {
	return offAsText(a).Text == offAsText(b).Text && a.Kind != document.Object
}

// guardedKey returns the key of a field that a project may set only if a person trusts the project. For other fields it
// returns "".
func guardedKey(name string) string {
	key, _, _ := strings.Cut(name, ".")
	if key == safetyKey || key == modelKey || key == outputGuardKey {
		return key
	}
	return ""
}

// keepOneModel finds the highest layer that sets a field of the model. It keeps only the fields of this layer.
func (l *Layers) keepOneModel(c *Config, chosen map[string]*document.Node) {
	isModel := func(name string, _ *document.Node) bool { return guardedKey(name) == modelKey }
	for _, s := range []struct {
		from *source
		why  string
	}{{&l.managed, isCompanys}, {&l.user, isPersonal}} {
		own := maps.Clone(s.from.personal)
		maps.DeleteFunc(own, func(name string, n *document.Node) bool { return !isModel(name, n) })
		if len(own) == 0 {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(chosen)) {
			if n := chosen[name]; isModel(name, n) && l.file.personal[name] == n {
				c.Ignored = append(c.Ignored, l.ignoredPersonal(name, n, s.why))
			}
		}
		maps.DeleteFunc(chosen, isModel)
		maps.Copy(chosen, own)
		return
	}
}

// notLoosened returns the reason why the project may not set a key.
func (l *Layers) notLoosened(key string) string {
	switch {
	case l.variables[key] != "" && guardedKey(key) != "":
		return notByVariable
	case l.variables[key] != "":
		return onlyStricter
	case l.managed.Locked || l.user.Locked:
		return isLocked
	}
	return l.notTrusted()
}

func (l *Layers) ignoredPersonal(name string, n *document.Node, why string) Ignored {
	needs := (why == NotTrusted || why == HasChanged) && len(l.file.problems) == 0
	return Ignored{Setting: name, Value: offAsText(n).Text, Why: why, NeedsTrust: needs}
}

// decodePersonal decodes the fields that were chosen. The fields have been read before, so they have no mistakes.
func (c *Config) decodePersonal(chosen map[string]*document.Node) {
	d := &document.Decoder{}
	c.Detectors, c.Display, c.Safety = defaultDetectors(), Display{}, defaultSafety()
	c.Model, c.OutputGuard = defaultModel(), defaultOutputGuard()
	for key, specs := range map[string][]document.Spec{
		detectorsKey: c.Detectors.specs(d), displayKey: c.Display.specs(d), safetyKey: c.Safety.specs(d),
		modelKey: c.Model.specs(d), outputGuardKey: c.OutputGuard.specs(d),
	} {
		for _, s := range specs {
			if n := chosen[document.Join(key, s.Name)]; n != nil {
				s.Read(n, "")
			}
		}
	}
	c.Detectors.NamesToolLoop = chosen[toolLoopKey] != nil
}

// switchOff switches off all detectors if the environment variable asks for this. The variable can come from the
// project, because the client puts the variables from a project's settings into the environment. If the variable comes
// from the project, and the user's file has settings about the person, switchOff ignores the variable.
func (l *Layers) switchOff(c *Config) {
	switch {
	case !l.off:
	case l.offByProject && len(l.user.personal) > 0:
		c.Ignored = append(c.Ignored, Ignored{Setting: product.VariableDetectors, Why: offByClient})
	case l.managed.asksAboutLoops():
		c.Detectors.Rumination, c.Detectors.Hyperfocus, c.Detectors.Sycophancy = Off, Off, Off
	default:
		c.Detectors.Rumination, c.Detectors.Hyperfocus = Off, Off
		c.Detectors.Sycophancy, c.Detectors.ToolLoop = Off, Off
	}
}

// readOff finds out whether a variable switches off all detectors, and whether the project's client settings set this
// variable.
func (l *Layers) readOff(root string, env func(string) string) {
	text := env(product.VariableDetectors)
	l.off = text == Off || text == "false"
	l.offByProject = l.off && setsVariable(root, product.VariableDetectors)
}

// setsVariable reports whether the client settings in a project seem to set a variable.
func setsVariable(root, variable string) bool {
	if root == "" {
		return false
	}
	for _, name := range [...]string{product.Settings, product.LocalSettings, product.MCPFile} {
		text, err := readAll(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			continue
		}
		n, problems := document.ParseJSON(name, text)
		if len(problems) == 0 && hasField(n, variable) || len(problems) > 0 && bytes.Contains(text, []byte(variable)) {
			return true
		}
	}
	return false
}

// hasField reports whether an object in a document has a field with the given name.
func hasField(n *document.Node, field string) bool {
	return slices.ContainsFunc(n.Items, func(item *document.Node) bool { return hasField(item, field) }) ||
		slices.ContainsFunc(n.Fields, func(f document.Field) bool { return f.Name == field || hasField(f.Value, field) })
}

// isOnlyPersonal reports whether a file has only settings about a person. Such a file does not create a layer, because
// it has nothing that a project could loosen.
func (s *source) isOnlyPersonal() bool {
	for name := range s.set {
		if !slices.Contains([]string{detectorsKey, displayKey, safetyKey, modelKey, outputGuardKey}, name) {
			return false
		}
	}
	return len(s.set) > 0 && len(s.problems) == 0
}

package config

import (
	"reflect"
	"slices"
	"strings"
)

// Layer contains the settings that apply to the guidelines of one layer.
type Layer struct {
	// Name is one of the constants Managed, User and Project.
	Name string
	// Packs lists the built-in packs that the layer enables; nil means that the layer does not configure packs.
	Packs []string
	// DefaultAgent, Domains and Environment fill in missing fields of a task's context. After that, the layer's guidelines
	// are compared with the context.
	DefaultAgent string
	Domains      map[string][]string
	Environment  string
	// Exceptions lists the layer's own exceptions. The field "Others" lists the exceptions from other layers. The
	// exceptions in Others do not apply to locked guidelines.
	Exceptions, Others []Exception
	// TestCommands lists the commands that count as tests for the layer's guidelines. The commands come from this layer,
	// from higher layers, and from a trusted project.
	TestCommands []string
	// Locked is set when all guidelines of the layer are locked.
	Locked bool
}

// Ignored describes a setting that has no effect, or less effect than intended.
type Ignored struct {
	// Setting is the name of a key, a variable or a folder.
	Setting string `json:"setting"`
	// Guideline is the id of the guideline that an exception names. Value is the text of the setting. Both fields can
	// be empty.
	Guideline string `json:"guideline,omitempty"`
	Value     string `json:"value,omitempty"`
	Why       string `json:"why"`
	// NeedsTrust is set if the setting would apply in a trusted project.
	NeedsTrust bool `json:"needs_trust,omitempty"`
}

// Name returns the name of the setting. For an exception, it adds the guideline's id.
func (i *Ignored) Name() string {
	if i.Guideline != "" {
		return i.Setting + " from " + i.Guideline
	}
	return i.Setting
}

// HasHigher reports whether there is a layer above the project's layer.
func (c *Config) HasHigher() bool { return len(c.Layers) > 1 }

// Combine returns the settings that apply. The parameter withStore must be set if the user's store has guidelines. In
// that case, the user's layer exists even if the user has no settings files.
func (l *Layers) Combine(withStore bool) Config {
	if !l.HasHigher() && !withStore {
		return l.alone()
	}
	c := defaults()
	c.Ignored = l.unusableFolder()
	c.Packs = l.own.Packs
	c.Exceptions = slices.Concat(l.managed.Exceptions, l.user.Exceptions, l.own.Exceptions)
	c.Strict = l.managed.Strict || l.user.Strict || l.own.Strict
	c.NoPage = l.managed.NoPage || l.user.NoPage || l.file.NoPage || l.own.NoPage
	l.combineFallback(&c)
	l.combineTTL(&c)
	l.combinePlaces(&c)
	l.combineProject(&c)
	l.combinePersonal(&c, true)
	c.Layers = l.contexts(&c)
	last := &c.Layers[len(c.Layers)-1]
	c.DefaultAgent, c.Domains, c.Environment = last.DefaultAgent, last.Domains, last.Environment
	c.TestCommands = last.TestCommands
	c.RemoteAudit = l.sendsDecisions(&c)
	return c
}

// alone() returns the settings that apply in a project if there are no higher layers.
func (l *Layers) alone() Config {
	c := l.own.Config
	c.set, c.personal = nil, nil
	c.Audit.NoCalls, c.NoPage = c.Audit.NoCalls || l.file.Audit.NoCalls, c.NoPage || l.file.NoPage
	if c.Store == nil {
		c.Store = l.cluster
	}
	c.Ignored = l.unusableFolder()
	c.Layers = []Layer{{
		Name: Project, Packs: c.Packs, DefaultAgent: c.DefaultAgent, Domains: c.Domains, Environment: c.Environment,
		Exceptions: c.Exceptions, TestCommands: c.TestCommands, Locked: c.Locked,
	}}
	l.combinePersonal(&c, false)
	c.RemoteAudit = l.sendsDecisions(&c)
	return c
}

func (l *Layers) unusableFolder() []Ignored {
	if l.unusable == "" {
		return nil
	}
	return []Ignored{{Setting: "the managed folder", Why: l.unusable}}
}

// combineFallback chooses the strictest fallback mode that a layer sets. If no higher layer sets a mode, the default
// mode applies to the higher layers. The default mode is the strictest mode. A trusted project may choose a mode that
// is less strict.
func (l *Layers) combineFallback(c *Config) {
	const name = "fallback_mode"
	modes := FallbackModes()
	strictness := func(mode string) int { return slices.Index(modes, mode) }
	for i, s := range l.setters(name) {
		if i == 0 || strictness(s.Fallback) < strictness(c.Fallback) {
			c.Fallback = s.Fallback
		}
	}
	switch {
	case !l.own.set[name] || l.own.Fallback == c.Fallback:
	case strictness(l.own.Fallback) < strictness(c.Fallback) || l.mayLoosen(name):
		c.Fallback = l.own.Fallback
	default:
		l.ignore(c, name)
	}
}

// combineTTL chooses the smallest cache_ttl that a layer sets. If no other layer sets cache_ttl, the project cannot
// choose a larger value than the default.
func (l *Layers) combineTTL(c *Config) {
	const name = "cache_ttl"
	for i, s := range l.setters(name) {
		if i == 0 || s.CacheTTL < c.CacheTTL {
			c.CacheTTL = s.CacheTTL
		}
	}
	switch {
	case !l.own.set[name] || l.own.CacheTTL == c.CacheTTL:
	case l.own.CacheTTL < c.CacheTTL:
		c.CacheTTL = l.own.CacheTTL
	default:
		l.ignore(c, name)
	}
}

// combinePlaces sets the tenant, the store or server, and the limits of the audit. Each of these three settings comes
// from the highest layer that sets it. The store and the server count as one setting, because a server replaces the
// store.
func (l *Layers) combinePlaces(c *Config) {
	for _, d := range []struct {
		names []string
		use   func(from *Config)
	}{
		{[]string{"tenant"}, func(from *Config) { c.Tenant = from.Tenant }},
		{[]string{"store", "server"}, func(from *Config) { c.Store, c.Server = from.Store, from.Server }},
		{[]string{"audit"}, func(from *Config) { c.Audit = from.Audit }},
	} {
		if from := l.decider(d.names); from != nil {
			d.use(from)
		}
	}
	// Each layer can switch the recording of calls off. No other layer can then switch it on again.
	c.Audit.NoCalls = l.managed.Audit.NoCalls || l.user.Audit.NoCalls || l.file.Audit.NoCalls || l.own.Audit.NoCalls
	wanted := l.own.Audit
	if wanted.NoCalls = c.Audit.NoCalls; l.own.Audit == (Audit{NoCalls: true}) {
		wanted = c.Audit // the project's whole value applies
	}
	for _, v := range []struct {
		name          string
		wanted, value any
	}{
		{"tenant", l.own.Tenant, c.Tenant},
		{"store", l.own.Store, c.Store},
		{"server", l.own.Server, c.Server},
		{"audit", wanted, c.Audit},
	} {
		if l.own.set[v.name] && !reflect.DeepEqual(v.wanted, v.value) {
			l.ignore(c, v.name)
		}
	}
	if l.cluster != nil && !reflect.DeepEqual(l.cluster, c.Store) {
		c.Ignored = append(c.Ignored, Ignored{Setting: clusterVariable, Why: onlyStricter})
	}
}

// combineProject uses the project id in the project's file only if the project is trusted. An untrusted project could
// choose the id of another project that has looser guidelines.
func (l *Layers) combineProject(c *Config) {
	if l.isTrusted() {
		c.Project = l.file.Project
	}
	if l.file.set["project"] && l.file.Project != c.Project {
		c.ClaimedProject = l.file.Project
		l.ignore(c, "project")
	}
}

// decider() returns the settings of the highest layer that sets one of the keys and is allowed to set it. If there is
// no such layer, it returns nil.
func (l *Layers) decider(names []string) *Config {
	layers := l.higher()
	if l.isTrusted() {
		layers = append(layers, &l.file)
	}
	for _, s := range layers {
		if slices.ContainsFunc(names, func(name string) bool { return s.set[name] }) {
			return &s.Config
		}
	}
	return nil
}

// setters() returns the settings of each higher layer that sets a key, the highest layer first.
func (l *Layers) setters(name string) []*Config {
	var out []*Config
	for _, s := range l.higher() {
		if s.set[name] {
			out = append(out, &s.Config)
		}
	}
	return out
}

// higher() returns the layers above the project's layer, the highest first.
func (l *Layers) higher() []*source { return []*source{&l.managed, &l.user} }

// isTrusted reports whether the project's file may loosen the settings of higher layers.
func (l *Layers) isTrusted() bool { return l.trusted && !l.managed.Locked && !l.user.Locked }

// mayLoosen reports whether the project may give a key a looser value than the higher layers. It returns false if the
// value comes from an environment variable.
func (l *Layers) mayLoosen(name string) bool { return l.isTrusted() && l.variables[name] == "" }

const (
	onlyStricter = "an environment variable cannot loosen the user's rules; write the setting into " +
		"the user's guardrails.yaml"
	notByVariable = "no environment variable can set it, because a project can set variables; write it into the " +
		"user's guardrails.yaml"
	isLocked    = "the settings of a higher layer are locked"
	isDecided   = "a higher layer sets it"
	onlyShorter = "a project can only make it shorter"
)

// The reasons why a setting of an untrusted project does not apply.
const (
	NotTrusted = "a project cannot loosen the user's rules; to allow it, a person can run: guardrails trust"
	HasChanged = "the project's files have changed since a person trusted them; to look at the changes, run: guardrails trust"
)

// ignore() adds an entry to c.Ignored. The entry says that the project's value of a key does not apply.
func (l *Layers) ignore(c *Config, name string) {
	variable := l.variables[name]
	switch {
	case variable != "":
		c.Ignored = append(c.Ignored, Ignored{Setting: variable, Why: onlyStricter})
	case l.managed.Locked || l.user.Locked:
		c.Ignored = append(c.Ignored, Ignored{Setting: name, Value: l.file.text(name), Why: isLocked})
	case name == "cache_ttl":
		c.Ignored = append(c.Ignored, Ignored{Setting: name, Value: l.file.text(name), Why: onlyShorter})
	case l.trusted, l.decides(name):
		c.Ignored = append(c.Ignored, Ignored{Setting: name, Value: l.file.text(name), Why: isDecided})
	default:
		c.Ignored = append(c.Ignored, Ignored{
			Setting: name, Value: l.file.text(name), Why: l.notTrusted(), NeedsTrust: len(l.file.problems) == 0,
		})
	}
}

// decides() reports whether a higher layer sets a key. If it does, the project's value does not apply.
func (l *Layers) decides(name string) bool {
	switch name {
	case "tenant", "audit":
		return len(l.setters(name)) > 0
	case "store", "server":
		return len(l.setters("store")) > 0 || len(l.setters("server")) > 0
	}
	return false
}

func (l *Layers) notTrusted() string {
	if l.changed {
		return HasChanged
	}
	return NotTrusted
}

// IgnoredException returns an entry for an exception of the project. The exception does not apply, because its
// guideline belongs to a higher layer.
func (l *Layers) IgnoredException(x *Exception) Ignored {
	if variable := l.variables["exceptions"]; variable != "" {
		return Ignored{Setting: variable, Guideline: x.Guideline, Value: x.String(), Why: onlyStricter}
	}
	return Ignored{
		Setting: "exceptions", Guideline: x.Guideline, Value: x.String(), Why: l.notTrusted(), NeedsTrust: true,
	}
}

// contexts() returns each layer with the settings that apply to the guidelines of this layer. If a layer does not set a
// value, the value comes from the next higher layer. The settings of a trusted project override the settings of the
// other layers.
func (l *Layers) contexts(c *Config) []Layer {
	var out []Layer
	if l.managed.exists {
		out = append(out, l.context(Managed, &l.managed, l.trustedBy(&l.managed), &l.managed.Config))
	}
	out = append(out, l.context(User, &l.user, l.trustedBy(&l.user), &l.user.Config, &l.managed.Config))
	out = append(out, l.context(Project, &l.own, &l.own.Config, &l.user.Config, &l.managed.Config))
	user, project := &out[len(out)-2], &out[len(out)-1]
	for _, v := range []struct {
		name    string
		differs bool
	}{
		{"default_agent", user.DefaultAgent != project.DefaultAgent},
		{"domains", !reflect.DeepEqual(user.Domains, project.Domains)},
		{"environment", user.Environment != project.Environment},
		{"test_commands", len(user.TestCommands) < len(project.TestCommands)},
	} {
		if l.own.set[v.name] && v.differs {
			l.ignore(c, v.name)
		}
	}
	return out
}

// trustedBy returns the project's settings if the project is trusted and the layer is not locked. Otherwise it returns
// empty settings.
func (l *Layers) trustedBy(s *source) *Config {
	if l.trusted && !s.Locked {
		return &l.file.Config
	}
	return &Config{}
}

func (l *Layers) context(name string, s *source, from ...*Config) Layer {
	out := Layer{Name: name, Packs: s.Packs, Exceptions: s.Exceptions, Locked: s.Locked, Environment: Environments()[0]}
	for _, c := range slices.Backward(from) {
		if c.set["default_agent"] {
			out.DefaultAgent = c.DefaultAgent
		}
		if c.set["domains"] {
			out.Domains = c.Domains
		}
		if c.set["environment"] {
			out.Environment = c.Environment
		}
		out.TestCommands = append(out.TestCommands, c.TestCommands...)
	}
	for _, other := range l.higher() {
		if other != s && (name == Project || other == &l.managed) {
			out.Others = append(out.Others, other.Exceptions...)
		}
	}
	if name != Project && l.trusted && !s.Locked {
		out.Others = append(out.Others, l.file.Exceptions...)
	}
	return out
}

// Notices returns sentences that tell the user which settings are ignored, and why.
func Notices(list []Ignored) []string {
	var reasons []string
	settings := map[string][]string{}
	for _, i := range list {
		if settings[i.Why] == nil {
			reasons = append(reasons, i.Why)
		}
		settings[i.Why] = append(settings[i.Why], i.Name())
	}
	var out []string
	for _, why := range reasons {
		out = append(out, "guardrails ignores "+strings.Join(settings[why], ", ")+": "+why)
	}
	return out
}

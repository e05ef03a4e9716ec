// Package fallback decides which guidelines apply while a project's guidelines cannot be read or reached. It stores
// three things on disk: the last known good guidelines, the current outage, and the number of changes that hooks have
// seen in a store.
//
// Start with Keeper.Substitute.
package fallback

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"guardrails/config"
	"guardrails/internal/document"
	"guardrails/rules"
	"guardrails/service/guidelinefiles"
	"guardrails/store"
)

// Fallback describes what could not be read or reached, and what happens instead.
type Fallback struct {
	// Mode is one of config.FallbackModes. If the settings say ask_user, Mode is ask_user until the user chooses how to
	// continue. Afterwards, Mode is the user's choice.
	Mode   string `json:"mode"`
	Reason string `json:"reason"`
	// The field "Since" is the time at which a hook first noticed the problem. It is zero if the caller is not a hook.
	Since time.Time `json:"since,omitzero"`
	// KnownAt is when the last known good guidelines were read, and Guidelines is their number. Both are zero if no last
	// known good guidelines apply.
	KnownAt    time.Time `json:"known_at,omitzero"`
	Guidelines int       `json:"guidelines,omitempty"`

	storeDown bool
}

// The sources of guidelines when the current ones are not available.
const (
	// SourceSnapshot means the last known good guidelines.
	SourceSnapshot = "snapshot"
	// SourceStatic means the guidelines that can still be read. The core pack is added if the guidelines of the higher
	// layers are not known.
	SourceStatic = "static"
	// SourceOpen means that the project's guidelines do not apply. The guidelines of higher layers still apply if they are
	// known.
	SourceOpen = "open"
)

// Failure describes a request that cannot be answered from the current guidelines.
type Failure struct {
	Err error
	// StoreDown is set when the store cannot be used.
	StoreDown bool
	Root      string
	// Tenant is the key of the project's snapshot. The key contains the caller's tenant, unless this is the project's own
	// tenant. The key also contains the project id if the request names a project.
	Tenant string
	Config *config.Config
	Places config.Places
	// KeepHigher is set if the guidelines of the higher layers are known. Then only the project's guidelines are
	// replaced.
	KeepHigher bool
	// Session is the session of the request. Choice is how its user chose to continue.
	Session, Choice string
	// Hook is set if a hook made the request. Only a hook's request starts an outage.
	Hook bool
	// The field "Known" has the guidelines that this process has kept in memory since the last answer without a failure.
	// The field "Known" is nil if the process has no such guidelines.
	Known *Snapshot
	// The field "Seen" is the largest number of changes that any process of this computer has seen in the store.
	Seen int64
	// Stored returns the guidelines that were last read from the store, by any process and for any project. If the store
	// had at most the given number of changes at that time, Stored returns nil.
	Stored func(changes int64) *Selected
}

// Layer holds the guidelines of one layer and the settings that are needed to judge calls with them.
type Layer struct {
	// Name is one of the names of config's layers.
	Name         string
	DefaultAgent string
	Environment  string
	Locked       bool
	Guidelines   []*rules.Source
}

// Substitute holds the guidelines that apply while the project's guidelines cannot be read or reached.
type Substitute struct {
	Fallback *Fallback
	Source   string
	Layers   []Layer
	// Settings has the settings that were saved with the last known good guidelines. Settings is nil if the guidelines
	// come from another source.
	Settings *Settings
	// Notices are messages for the user.
	Notices []string
}

// Layer is a method that returns the layer with the given name. If there is no such layer, it returns an empty layer.
func (s *Substitute) Layer(name string) *Layer {
	for i := range s.Layers {
		if s.Layers[i].Name == name {
			return &s.Layers[i]
		}
	}
	return &Layer{Name: name}
}

// Substitute is a method that returns the guidelines that apply after a failure.
func (k *Keeper) Substitute(f *Failure) *Substitute {
	s := &Substitute{Fallback: &Fallback{
		Mode: mode(f.Config.Fallback, f.Choice), Reason: reason(f.Root, f.Err),
		storeDown: f.StoreDown,
	}}
	if f.Hook {
		s.Notices = k.noteOutage(f.Root, f.Session, s.Fallback)
	}
	if s.Fallback.Mode == config.FailOpen {
		s.Source = SourceOpen
		s.Notices = append(s.Notices, openNotice(s, f))
		return s
	}
	description := k.static(f, s)
	s.Notices = append(s.Notices, staticNotice(s, f, description))
	return s
}

// mode() returns the configured mode. If the configured mode is ask_user and the user has chosen a mode, it returns the
// user's choice.
func mode(configured, choice string) string {
	switch {
	case configured != config.AskUser:
		return configured
	case choice == ChoiceStatic:
		return config.StaticRules
	case choice == ChoiceOpen:
		return config.FailOpen
	}
	return config.AskUser
}

// static() fills s with the last known good guidelines, and adds the guidelines from files that can be read. If there
// are no last known good guidelines, it uses only the guidelines from these files. It then adds the core pack, unless
// the guidelines of the higher layers are known. It returns a description of the result for the user.
func (k *Keeper) static(f *Failure, s *Substitute) string {
	last, err := k.last(f)
	if err == nil {
		if newer := f.stored(last.Settings.Changes); newer != nil {
			last = last.updated(newer)
		}
		s.use(last)
		f.addReadable(s)
		return s.lastKnown(f)
	}
	if !errors.Is(err, errNoSnapshot) {
		s.Notices = append(s.Notices, "guardrails: the last known good guidelines cannot be used: "+err.Error())
	}
	s.Source = SourceStatic
	f.addReadable(s)
	if f.KeepHigher {
		return "your own guidelines, those of the machine, and the readable part of the project's guidelines apply"
	}
	others := ""
	if stored := f.stored(noChanges); stored != nil && len(stored.Guidelines) > 0 {
		s.join(stored.Layer, stored.Guidelines)
		others = fmt.Sprintf(", the guidelines that the store had for another project at %s", minute(stored.Time))
	}
	core, _ := guidelinefiles.Load(guidelinefiles.CorePack) // the core pack always exists
	s.join(f.Config.Layers[max(0, len(f.Config.Layers)-2)].Name, core.Guidelines)
	return fmt.Sprintf("%d guidelines apply: the readable guidelines of the project%s, and the core "+
		"pack", s.count(f), others)
}

// last() returns the newest guidelines that any process has seen. The guidelines come from the disk or from the memory
// of this process. The method ignores a snapshot without guidelines.
func (k *Keeper) last(f *Failure) (*Snapshot, error) {
	last, err := k.ReadSnapshot(f.Root, f.Tenant)
	if f.Known != nil && (err != nil || !last.isNewer(f.Known)) {
		last, err = f.Known, nil
	}
	if err == nil && last.isEmpty() {
		err = errNoSnapshot
	}
	return last, err
}

// use() fills s with the last known good guidelines.
func (s *Substitute) use(last *Snapshot) {
	s.Source, s.Settings, s.Layers = SourceSnapshot, &last.Settings, slices.Clone(last.Layers)
	s.Fallback.KnownAt, s.Fallback.Guidelines = last.Time.UTC().Truncate(time.Second), last.Count()
}

// lastKnown returns a sentence about the last known good guidelines: how old they are, how many apply, and what they
// lack.
func (s *Substitute) lastKnown(f *Failure) string {
	text := fmt.Sprintf("the last known good guidelines apply (%d, read at %s)", s.count(f),
		minute(s.Fallback.KnownAt))
	if later := f.Seen - s.Settings.Changes; later > 0 && s.Settings.Changes > 0 {
		text += fmt.Sprintf("; they lack %s that another process has seen in the store", Mark{Changes: later}.Count())
	}
	return text
}

// noChanges is a number that is smaller than the number of changes of any store.
const noChanges = -1

func (f *Failure) stored(changes int64) *Selected {
	if f.Stored == nil {
		return nil
	}
	return f.Stored(changes)
}

// minute() returns a time in the form in which messages show it.
func minute(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 UTC") }

// OfTenant returns the last known good guidelines of a tenant that has no files or packs. The result "ok" is false
// if there are no such guidelines.
func (k *Keeper) OfTenant(f *Failure) (s *Substitute, ok bool) {
	last, err := k.last(f)
	if err != nil {
		last = &Snapshot{Settings: Settings{Changes: noChanges}}
	}
	if newer := f.stored(last.Settings.Changes); newer != nil {
		last = last.updated(newer)
	}
	if last.isEmpty() {
		return nil, false
	}
	s = &Substitute{Fallback: &Fallback{Mode: config.StaticRules, Reason: reason(f.Root, f.Err), storeDown: f.StoreDown}}
	s.use(last)
	s.Notices = []string{staticNotice(s, f, s.lastKnown(f))}
	return s, true
}

// addReadable adds the guidelines in readable files to s. It does not report mistakes in files, because these mistakes
// caused the fallback and have been reported already.
func (f *Failure) addReadable(s *Substitute) {
	if !f.KeepHigher && f.Config.HasHigher() {
		for name, loaded := range guidelinefiles.Higher(f.Config, &f.Places) {
			s.join(name, loaded.Guidelines)
		}
	}
	client := guidelinefiles.ClientRules(f.Root).Guidelines
	if s.Source == SourceSnapshot {
		s.join(config.Project, guidelinefiles.ReadOwn(f.Root, f.Config).Guidelines, guidelinefiles.Enforcing(client))
		return
	}
	if f.Config.HasHigher() {
		client = guidelinefiles.Enforcing(client)
	}
	s.join(config.Project, guidelinefiles.Read(f.Root, f.Config).Guidelines, client)
}

// join() adds guidelines to the layer with the given name. If the layer already has a guideline with the same id, it
// keeps the existing one.
func (s *Substitute) join(name string, lists ...[]rules.Source) {
	l := s.Layer(name)
	joined, seen := slices.Clip(l.Guidelines), map[string]rules.Origin{}
	for _, g := range joined {
		seen[g.ID] = g.Origin
	}
	for _, list := range lists {
		added, _ := rules.Unique(list, seen)
		joined = append(joined, store.Pointers(added)...)
	}
	for i := range s.Layers {
		if s.Layers[i].Name == name {
			s.Layers[i].Guidelines = joined
			return
		}
	}
	s.Layers = append(s.Layers, Layer{Name: name, Guidelines: joined})
}

// count() returns the number of substitute guidelines. If f.KeepHigher is set, the method counts only the project's
// guidelines.
func (s *Substitute) count(f *Failure) int {
	n := 0
	for i := range s.Layers {
		if l := &s.Layers[i]; !f.KeepHigher || l.Name == config.Project {
			n += len(l.Guidelines)
		}
	}
	return n
}

func staticNotice(s *Substitute, f *Failure, description string) string {
	if s.Fallback.Mode != config.AskUser {
		return fmt.Sprintf("guardrails: %s. Meanwhile %s.", s.Fallback.Reason, description)
	}
	without := "guidelines"
	if f.KeepHigher {
		without = "the project's guidelines"
	}
	return fmt.Sprintf("guardrails: %s. Until this is answered, %s. How should this session continue? "+
		"To continue with these guidelines, type \"guardrails: static\" (or run guardrails fallback static in a terminal). "+
		"To continue without %s, type \"guardrails: open\" (or run guardrails fallback open).",
		s.Fallback.Reason, description, without)
}

func openNotice(s *Substitute, f *Failure) string {
	what, why, rest := "No guidelines apply", "fallback_mode is fail_open", ""
	if f.Config.Fallback == config.AskUser {
		why = "you chose this for this session"
	}
	if f.KeepHigher {
		what = "The project's guidelines do not apply"
		rest = " Your own guidelines and those of the machine still apply."
	}
	return fmt.Sprintf("guardrails: %s. %s, because %s.%s", s.Fallback.Reason, what, why, rest)
}

// reason() returns the first mistake in err as one line of text. The file's path in this line is relative to the
// project.
func reason(root string, err error) string {
	more := ""
	if problems, ok := errors.AsType[document.Problems](err); ok && len(problems) > 0 {
		if err = problems[0]; len(problems) > 1 {
			more = fmt.Sprintf(" (and %d more; run guardrails lint)", len(problems)-1)
		}
	}
	text := strings.ReplaceAll(err.Error(), root+string(filepath.Separator), "")
	return document.OneLine(text) + more
}

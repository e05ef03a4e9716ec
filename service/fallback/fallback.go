// Package fallback decides which guidelines apply while a project's guidelines cannot be read or reached. Between
// sessions it keeps the last known good guidelines, the current outage, and how many changes hooks have seen in a
// store.
//
// Start with Keeper.Substitute.
package fallback

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"guardrails/config"
	"guardrails/internal/document"
	"guardrails/rules"
	"guardrails/service/files"
)

// Fallback says that something could not be read or reached, and what happens instead.
type Fallback struct {
	// Mode is one of config.FallbackModes: ask_user until the user has chosen, then the user's choice.
	Mode   string `json:"mode"`
	Reason string `json:"reason"`
	// Since is when a hook first noticed the problem; zero for other callers.
	Since time.Time `json:"since,omitzero"`

	// storeDown is set when the store cannot be used.
	storeDown bool
}

// The sources of guidelines when the current ones are not available.
const (
	// SourceSnapshot means the last known good guidelines.
	SourceSnapshot = "snapshot"
	// SourceStatic means the guidelines that can still be read, and the core pack.
	SourceStatic = "static"
	// SourceOpen means that no guidelines apply.
	SourceOpen = "open"
)

// Failure describes a request that cannot be answered from the current guidelines.
type Failure struct {
	Err error
	// StoreDown is set when the store cannot be used.
	StoreDown bool
	Root      string
	// Tenant is the tenant that the caller named, if any.
	Tenant string
	Config *config.Config
	// Session and Choice are the session of the request, and how its user chose to continue.
	Session, Choice string
	// Hook is set for a request of a hook. Only such requests are recorded as an outage.
	Hook bool
}

// Substitute is a replacement for guidelines that cannot be read or reached.
type Substitute struct {
	Fallback   *Fallback
	Source     string
	Guidelines []rules.Source
	// Settings are the settings of the last known good guidelines; nil for other sources.
	Settings *Settings
	// Notices are sentences for the user.
	Notices []string
}

// Substitute finds a replacement after a failure.
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
		s.Notices = append(s.Notices, openNotice(s, f.Config))
		return s
	}
	description := k.static(f, s)
	s.Notices = append(s.Notices, staticNotice(s, description))
	return s
}

// mode returns the configured mode, or the user's choice when the configuration leaves it to them.
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

// static uses the last known good guidelines and adds those from the project's files. If there are no last known good
// ones, it uses everything that can be read and the core pack. It returns a description of the result.
func (k *Keeper) static(f *Failure, s *Substitute) string {
	client := files.ClientRules(f.Root)
	last, err := k.ReadSnapshot(f.Root, f.Tenant)
	if err == nil {
		names, _ := files.Own(f.Root) // the files that cannot be read are the reason for this fallback
		own, _ := files.Load(names...)
		s.Source, s.Settings = SourceSnapshot, &last.Settings
		s.Guidelines = rules.Join(&rules.Loaded{Guidelines: last.Guidelines}, own,
			&rules.Loaded{Guidelines: files.Enforcing(client.Guidelines)}).Guidelines
		return fmt.Sprintf("the last known good guidelines apply (%d, of %s)", len(s.Guidelines),
			last.Time.UTC().Format("2006-01-02 15:04 UTC"))
	}
	if !errors.Is(err, errNoSnapshot) {
		s.Notices = append(s.Notices, "guardrails: the last known good guidelines cannot be used: "+err.Error())
	}
	core, _ := files.Load(files.CorePack) // the core pack always exists
	s.Source = SourceStatic
	s.Guidelines = rules.Join(files.Read(f.Root, f.Config), client, core).Guidelines
	return fmt.Sprintf("the readable part of the project's guidelines and rules applies, with the core pack (%d guidelines)", len(s.Guidelines))
}

func staticNotice(s *Substitute, description string) string {
	if s.Fallback.Mode != config.AskUser {
		return fmt.Sprintf("guardrails: %s. Meanwhile %s.", s.Fallback.Reason, description)
	}
	return fmt.Sprintf("guardrails: %s. Until this is answered, %s. How should this session continue? "+
		"The prompt \"guardrails: static\" (or guardrails fallback static in a terminal) keeps this, "+
		"\"guardrails: open\" (guardrails fallback open) continues without guidelines.", s.Fallback.Reason, description)
}

func openNotice(s *Substitute, c *config.Config) string {
	by := "fallback_mode is fail_open"
	if c.Fallback == config.AskUser {
		by = "that is what this session's user chose"
	}
	return fmt.Sprintf("guardrails: %s. No guidelines apply: %s.", s.Fallback.Reason, by)
}

// reason returns the first mistake on one line. Its file is relative to the project.
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

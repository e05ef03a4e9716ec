package service

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"guardrails/config"
	"guardrails/internal/document"
	"guardrails/rules"
)

// Fallback says that something could not be read or reached, and what is done about it.
type Fallback struct {
	// Mode is one of config.FallbackModes: ask_user as long as the question is not answered, afterwards what was chosen.
	Mode   string `json:"mode"`
	Reason string `json:"reason"`
	// Since is when this was first noticed; only hooks keep note of it.
	Since time.Time `json:"since,omitzero"`

	// away is set when it is the store.
	away bool
}

// The answers to the question how to go on.
const (
	ChoiceStatic = "static"
	ChoiceOpen   = "open"
)

// modeFor is the project's mode, or what the session's user chose where the project leaves it to them.
func modeFor(configured, choice string) string {
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

// fallBack finds what holds in place of guidelines that cannot be read or reached.
func (s *Service) fallBack(root string, r *Request, h *held, err error) {
	_, isAway := errors.AsType[*away](err)
	h.fallback = &Fallback{Mode: modeFor(h.settings.Fallback, r.Choice), Reason: reason(root, err), away: isAway}
	h.guidelines = nil
	if r.Hook {
		h.notices = append(h.notices, s.noteOutage(root, r.SessionID, h.fallback)...)
	}
	if h.fallback.Mode == config.FailOpen {
		h.source = SourceOpen
		h.notices = append(h.notices, openNotice(h))
		return
	}
	what := s.static(root, r, h)
	h.notices = append(h.notices, staticNotice(h, what))
}

// static lets the last known good guidelines hold and whatever the project's files add to them, else all that can be
// read and the core pack. It says in words what that is.
func (s *Service) static(root string, r *Request, h *held) string {
	client := clientRules(root)
	last, err := s.readSnapshot(root, r)
	if err == nil {
		own, _ := Load(ownFiles(root)...)
		h.source = SourceSnapshot
		if h.misread {
			last.settings.apply(&h.settings)
		}
		h.guidelines = rules.Join(&rules.Loaded{Guidelines: last.guidelines}, own, &rules.Loaded{Guidelines: enforcing(client.Guidelines)}).Guidelines
		return fmt.Sprintf("the last known good guidelines hold (%d, of %s)", len(h.guidelines), last.time.UTC().Format("2006-01-02 15:04 UTC"))
	}
	if !errors.Is(err, errNoSnapshot) {
		h.notices = append(h.notices, "guardrails: the last known good guidelines cannot be used: "+err.Error())
	}
	// The core pack is always there.
	core, _ := Load(corePack)
	h.source = SourceStatic
	h.guidelines = rules.Join(Files(root, &h.settings), client, core).Guidelines
	return fmt.Sprintf("what can be read of the project's guidelines and rules holds, with the core pack (%d guidelines)", len(h.guidelines))
}

// ownFiles are the guideline files of a project, as far as they can be found.
func ownFiles(root string) []string {
	files, _ := Sources(root, &config.Config{Packs: []string{}})
	return files
}

func staticNotice(h *held, what string) string {
	if h.fallback.Mode != config.AskUser {
		return fmt.Sprintf("guardrails: %s. Meanwhile %s.", h.fallback.Reason, what)
	}
	return fmt.Sprintf("guardrails: %s. Until this is answered, %s. How shall this session go on? "+
		"The prompt \"guardrails: static\" (or guardrails fallback static in a terminal) keeps it so, "+
		"\"guardrails: open\" (guardrails fallback open) goes on without guidelines.", h.fallback.Reason, what)
}

func openNotice(h *held) string {
	by := "fallback_mode is fail_open"
	if h.settings.Fallback == config.AskUser {
		by = "that is what this session's user chose"
	}
	return fmt.Sprintf("guardrails: %s. No guidelines hold: %s.", h.fallback.Reason, by)
}

// reason is the first thing that is wrong, on one line, with its file as the project calls it.
func reason(root string, err error) string {
	more := ""
	if problems, ok := errors.AsType[document.Problems](err); ok && len(problems) > 0 {
		if err = problems[0]; len(problems) > 1 {
			more = fmt.Sprintf(" (and %d more; run guardrails lint)", len(problems)-1)
		}
	}
	text := strings.ReplaceAll(err.Error(), root+string(filepath.Separator), "")
	return shown(text) + more
}

package session

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"time"

	"guardrails/cli/app"
	"guardrails/hooks/session"
	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/internal/spool"
)

// What is read of the session's files at most.
const (
	maxStatusCache = 16 << 20
	maxStatusGap   = 1 << 20
	spoolTail      = 64 << 10
)

// readCache counts the guidelines that are in force for the main thread.
func (s *status) readCache(dir *private.Dir) {
	text, err := dir.Read(session.CacheName(session.Key(s.Session, "")), maxStatusCache)
	if err != nil {
		return // the next call asks anew
	}
	var cache struct {
		Source     string            `json:"source"`
		Reason     string            `json:"reason"`
		Guidelines []json.RawMessage `json:"guidelines"`
	}
	if json.Unmarshal(text, &cache) != nil {
		return
	}
	n := len(cache.Guidelines)
	s.Guidelines, s.Source, s.Reason = &n, cache.Source, cache.Reason
}

// readGap counts the calls that went unchecked and were not summed up yet: a line each.
func (s *status) readGap(dir *private.Dir) {
	text, err := dir.Read(session.GapName(s.Session), maxStatusGap)
	if err != nil {
		return
	}
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 {
			s.Unchecked++
		}
	}
}

// lastDecision is the last refusal or question of a session that was recorded today; nil when there is none.
func readLastDecision(a *app.App, id string) *lastDecision {
	now := time.Now()
	if a.Now != nil {
		now = a.Now()
	}
	state, err := private.StateDir(a.Env)
	if err != nil {
		return nil
	}
	dir, err := private.Open(filepath.Join(state, product.SpoolFolder))
	if err != nil {
		return nil
	}
	var last *lastDecision
	for line := range bytes.Lines(tail(dir, spool.FileName(now))) {
		r, err := spool.Parse(line)
		if err != nil || r.SessionID != id || r.Kind != "decision" || r.Outcome != "deny" && r.Outcome != "ask" {
			continue
		}
		found := lastDecision{Time: r.Time, Outcome: r.Outcome, Guideline: r.GuidelineID}
		if at, err := time.Parse(time.RFC3339, found.Time); err == nil {
			found.ago = now.Sub(at)
		}
		last = &found
	}
	return last
}

// tail is the end of a file; its first line may lack its beginning.
func tail(dir *private.Dir, name string) []byte {
	file, info, err := dir.OpenFile(name)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }() // it was only read
	start := max(0, info.Size()-spoolTail)
	text := make([]byte, info.Size()-start)
	n, _ := file.ReadAt(text, start)
	return text[:n]
}

package status

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"time"

	"guardrails/hooks/session"
	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/internal/spool"
)

// These limits are the largest numbers of bytes that are read from the cache, from the file of unchecked calls, and
// from the spool.
const (
	maxCache = 16 << 20
	maxGap   = 1 << 20
	maxSpool = 64 << 10
)

// readCache looks into the session's cache. It reads the number of guidelines that apply to the main thread.
func (s *Status) readCache(dir *private.Dir) {
	text, err := dir.Read(session.CacheName(session.Key(s.Session, "")), maxCache)
	if err != nil {
		return // there is no cache until the next call
	}
	var cache struct {
		Source     string            `json:"source"`
		Reason     string            `json:"reason"`
		Guidelines []json.RawMessage `json:"guidelines"`
		NeedsTrust int               `json:"needs_trust"`
		Safety     string            `json:"safety"`
		Guard      string            `json:"output_guard"`
	}
	if json.Unmarshal(text, &cache) != nil {
		return
	}
	n := len(cache.Guidelines)
	s.Guidelines, s.Source, s.Reason, s.NeedsTrust = &n, cache.Source, cache.Reason, cache.NeedsTrust
	s.Safety, s.OutputGuard = cache.Safety, cache.Guard
}

// readGap counts the unchecked calls of the current turn. The file has one line for each unchecked call.
func (s *Status) readGap(dir *private.Dir) {
	text, err := dir.Read(session.GapName(s.Session), maxGap)
	if err != nil {
		return
	}
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 {
			s.Unchecked++
		}
	}
}

// maxQuestion is the largest number of bytes that are read from the file of a question.
const maxQuestion = 64 << 10

// readQuestion reads the newest question that waits for an answer.
func (s *Status) readQuestion(dir *private.Dir) {
	names, err := dir.List(session.AskPrefix(s.Session))
	if err != nil {
		return // the folder cannot be read, so no question is known
	}
	var newest time.Time
	for _, name := range names {
		var question struct {
			Reason string `json:"reason"`
		}
		text, err := dir.Read(name, maxQuestion)
		at, _ := dir.Seen(name)
		if err != nil || json.Unmarshal(text, &question) != nil || question.Reason == "" || at.Before(newest) {
			continue
		}
		newest, s.Question = at, question.Reason
	}
}

// Decision is a decision to deny a tool call or to ask the user.
type Decision struct {
	Outcome   string `json:"outcome"`
	Guideline string `json:"guideline_id,omitempty"`
	Time      string `json:"time"`

	// Age is the time since the decision.
	Age time.Duration `json:"-"`
}

// lastDecision returns the session's last decision that denied a call or asked the user. It reads only today's records.
// If these records have no such decision, it returns nil.
func lastDecision(o *Options) *Decision {
	state, err := private.StateDir(o.Env)
	if err != nil {
		return nil
	}
	dir, err := private.Open(filepath.Join(state, product.SpoolFolder))
	if err != nil {
		return nil
	}
	var last *Decision
	for line := range bytes.Lines(tail(dir, spool.FileName(o.Now))) {
		r, err := spool.Parse(line)
		if err != nil || r.SessionID != o.Session || r.Kind != "decision" || r.Outcome != "deny" && r.Outcome != "ask" {
			continue
		}
		last = &Decision{Time: r.Time, Outcome: r.Outcome, Guideline: r.GuidelineID}
		if at, err := time.Parse(time.RFC3339, r.Time); err == nil {
			last.Age = o.Now.Sub(at)
		}
	}
	return last
}

// tail() returns the end of a file. The first line of the result may be incomplete.
func tail(dir *private.Dir, name string) []byte {
	file, info, err := dir.OpenFile(name)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }() // an error of Close does not matter after reading
	start := max(0, info.Size()-maxSpool)
	text := make([]byte, info.Size()-start)
	n, _ := file.ReadAt(text, start)
	return text[:n]
}

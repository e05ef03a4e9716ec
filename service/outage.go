package service

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"guardrails/hooks/session"
	"guardrails/internal/product"
)

// Outage is a time in which the guidelines of a project cannot be read or reached.
type Outage struct {
	// Session is the one that noticed it last.
	Session string    `json:"session"`
	Since   time.Time `json:"since"`
	Mode    string    `json:"mode"`
	Reason  string    `json:"reason"`
	// Away is set when it is the store.
	Away bool `json:"away,omitempty"`
}

// Outage is what a project's hooks last ran into; nil when they read its guidelines as they should.
func (s *Service) Outage(root string) (*Outage, error) {
	d, _, err := s.state(outages)
	if err != nil {
		return nil, err
	}
	return readOutage(d, outageName(root))
}

const (
	outages   = "outage"
	maxOutage = 64 << 10
)

func outageName(root string) string {
	sum := sha256.Sum256([]byte(root))
	return hex.EncodeToString(sum[:16]) + ".json"
}

func readOutage(d *session.Dir, name string) (*Outage, error) {
	text, err := d.Read(name, maxOutage)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	o := &Outage{}
	if err := json.Unmarshal(text, o); err != nil {
		return nil, errors.New(d.Path(name) + " is damaged; remove it")
	}
	return o, nil
}

// noteOutage keeps note of what is wrong, for whoever asks how a session goes on. It returns what could not be done.
func (s *Service) noteOutage(root, session string, f *Fallback) []string {
	f.Since = s.now().UTC().Truncate(time.Second)
	d, note, err := s.state(outages)
	var notices []string
	if note != "" {
		notices = append(notices, note)
	}
	if err == nil {
		err = writeOutage(d, outageName(root), session, f)
	}
	if err != nil {
		notices = append(notices, "guardrails cannot keep note of what is wrong: "+err.Error())
	}
	return notices
}

func writeOutage(d *session.Dir, name, session string, f *Fallback) error {
	before, err := readOutage(d, name)
	if err == nil && before != nil && before.Since.Before(f.Since) {
		f.Since = before.Since
	}
	if err == nil && before != nil && before.Away && f.away {
		// A store that is away fails in many words. People are told once.
		f.Reason = before.Reason
	}
	if session == "" {
		// Whoever looks without being at work must not take the place of the session that is.
		return nil
	}
	now := Outage{Session: session, Since: f.Since, Mode: f.Mode, Reason: f.Reason, Away: f.away}
	if before != nil && *before == now {
		return nil
	}
	text, err := json.Marshal(now)
	if err != nil {
		return err
	}
	return d.Write(name, text)
}

// endOutage forgets what was wrong. A note that cannot be looked for was not there to begin with: what is wrong with the
// folder is told by whoever writes into it.
func (s *Service) endOutage(root string) []string {
	d, _, err := s.state(outages)
	if err != nil {
		return nil
	}
	if _, err := d.Remove(outageName(root)); err != nil {
		return []string{"guardrails cannot forget what was wrong: " + err.Error()}
	}
	return nil
}

// state is a folder for what outlives a session. Without a home it lies beside the sessions' files, and a note says so.
func (s *Service) state(name string) (*session.Dir, string, error) {
	dir, err := session.StateDir(s.env)
	note := ""
	if errors.Is(err, session.ErrHome) {
		var runtime *session.Dir
		if runtime, err = session.Open(s.env); err == nil {
			dir = runtime.Path(product.StateFallback)
			note = "guardrails: HOME is not set, so that what it keeps lies in " + dir + " and may be gone tomorrow"
		}
	}
	if err != nil {
		return nil, "", err
	}
	d, err := session.At(filepath.Join(dir, name))
	return d, note, err
}

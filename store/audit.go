package store

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"guardrails/guideline"
)

// MaxEntry is how large an appended entry may be, as JSON.
const MaxEntry = 64 << 10

// MaxAppend is how many entries one call of Append takes.
const MaxAppend = 10000

// Kind parts the audit in two: changes are kept for ever, decisions may be pruned when they are old.
type Kind string

// The kinds.
const (
	KindChange   Kind = "change"
	KindDecision Kind = "decision"
)

// Entry is one entry of the audit: a change of the configuration, or a decision about a tool call. Writer, Seq, Prev and
// Hash are set when the store seals it.
type Entry struct {
	// ID is made by the client: an entry that is appended again is the same entry.
	ID     string `json:"id"`
	Tenant string `json:"tenant_id,omitempty"`
	// Writer, Kind and Seq are the entry's place: each writer keeps a chain of each kind for each tenant.
	Writer string `json:"writer"`
	Kind   Kind   `json:"kind"`
	Seq    int64  `json:"seq"`
	// Time is when it happened, which may be long before it was appended. Unset, it is when it was appended.
	Time    time.Time `json:"timestamp"`
	Event   string    `json:"event_type"`
	Actor   string    `json:"actor,omitempty"`
	Session string    `json:"session_id,omitempty"`

	Guideline     string        `json:"guideline_id,omitempty"`
	GuidelineName string        `json:"guideline_name,omitempty"`
	Version       int           `json:"guideline_version,omitempty"`
	Changes       []FieldChange `json:"changes,omitempty"`
	// Digest is that of the revision that a change made.
	Digest string `json:"revision_digest,omitempty"`

	Pruning  *Pruning           `json:"pruning,omitempty"`
	Decision *Decision          `json:"decision,omitempty"`
	Context  *guideline.Context `json:"context,omitempty"`

	// Prev is the hash of the entry before this one in its chain, Hash that of this one.
	Prev string `json:"prev,omitempty"`
	Hash string `json:"hash,omitempty"`
}

// Decision is what was decided about a tool call, and how.
type Decision struct {
	// Result is allow, warn, ask or deny; of a gate that was answered, approved or rejected.
	Result       string `json:"result"`
	Reason       string `json:"reason,omitempty"`
	UserResponse string `json:"user_response,omitempty"`
	// Tool is the tool that was called.
	Tool string `json:"tool,omitempty"`
	// Effects is a digest of what the call would have done.
	Effects string `json:"effects_digest,omitempty"`
	// Micros is how long the decision took, in microseconds.
	Micros int64 `json:"duration_us,omitempty"`
	// Fallback says which stand-in decided because the store could not be reached.
	Fallback string `json:"fallback,omitempty"`
}

// EncodeEntry is the entry in canonical JSON, over which hashes are made: fields in a fixed order, keys of free maps
// sorted.
func EncodeEntry(e *Entry) ([]byte, error) {
	text, err := marshal(e)
	if err != nil || !bytes.Contains(text, []byte(`\ufffd`)) {
		return text, err
	}
	// Bytes that are no UTF-8 were replaced; only reading that back gives a text that encodes to itself.
	clean, err := DecodeEntry(text)
	if err != nil {
		return nil, err
	}
	return marshal(&clean)
}

func marshal(e *Entry) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return nil, Errorf(Invalid, "the audit entry %.80q cannot be written as JSON: %w", e.ID, err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), nil
}

// DecodeEntry reads an entry; numbers in free maps keep their spelling.
func DecodeEntry(text []byte) (Entry, error) {
	var e Entry
	if !utf8.Valid(text) {
		// In values that are kept as they were written nothing would replace it.
		return e, Errorf(Internal, "an audit entry cannot be read: it is not UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&e); err != nil {
		return e, Errorf(Internal, "an audit entry cannot be read: %w", err)
	}
	return e, nil
}

// Prepare makes an entry fit to be appended to a tenant's audit at a time, and says what is wrong with it.
func (e *Entry) Prepare(tenant string, now time.Time) error {
	if e.Tenant != "" && e.Tenant != tenant {
		return e.wrong("belongs to another tenant; append it there")
	}
	e.Tenant = tenant
	if e.Time.IsZero() {
		e.Time = now
	}
	e.Time = millisecond(e.Time)
	if e.Digest != "" || e.Pruning != nil {
		return e.wrong("says what only the store says; remove its digest and pruning")
	}
	if err := e.check(); err != nil {
		return err
	}
	text, err := EncodeEntry(e)
	if err == nil && len(text) > MaxEntry {
		return e.wrong("is larger than %d KiB; shorten it", MaxEntry>>10)
	}
	return err
}

// check says what is wrong with an entry, wherever it comes from.
func (e *Entry) check() error {
	switch {
	case e.Time.Year() < 1970 || e.Time.Year() > 9999:
		return e.wrong("is from a year that is not between 1970 and 9999; mend its time")
	case e.ID == "" || len(e.ID) > MaxName || strings.Trim(e.ID, idCharacters+".:") != "":
		return e.wrong("has no id of letters, digits, dots, colons, hyphens and underscores; make one")
	case e.Kind != KindChange && e.Kind != KindDecision:
		return e.wrong("is neither change nor decision; say which")
	case e.Event == "":
		return e.wrong("has no event type; give one")
	}
	for what, name := range map[string]string{"event type": e.Event, "actor": e.Actor, "session": e.Session, "guideline": e.Guideline, "writer": e.Writer} {
		if err := checkName(what, name); err != nil {
			return e.wrong("cannot be kept: %w", err)
		}
	}
	return nil
}

func (e *Entry) wrong(format string, args ...any) error {
	return Errorf(Invalid, "the audit entry %.80q "+format, append([]any{e.ID}, args...)...)
}

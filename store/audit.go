package store

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"guardrails/guideline"
)

// MaxEntry is the largest allowed size of the JSON of an entry, in bytes.
const MaxEntry = 64 << 10

// MaxAppend is how many entries a call of Append can add at most.
const MaxAppend = 10000

// Kind is the kind of an audit entry. Changes are kept forever. Old decisions may be deleted.
type Kind string

// The kinds of audit entries.
const (
	KindChange   Kind = "change"
	KindDecision Kind = "decision"
)

// CallKey is the key of the recorded call in the metadata of an entry. guardrails can decide a recorded call again.
const CallKey = "call"

// SentID is the beginning of the ids of entries that another computer has sent to a server.
const SentID = "sent:"

// Entry is one entry of the audit: a change of a guideline, or a decision about a tool call. The store sets Writer,
// Seq, Prev and Hash when it seals the entry.
type Entry struct {
	// ID is chosen by the client. Appending a second entry with the same id changes nothing.
	ID     string `json:"id"`
	Tenant string `json:"tenant_id,omitempty"`
	// Writer, Kind and Seq are the position of the entry: each writer has one chain of each kind for each tenant.
	Writer string `json:"writer"`
	Kind   Kind   `json:"kind"`
	Seq    int64  `json:"seq"`
	// Time is when the event happened. The event can have happened long before the entry was appended. By default it is
	// the time of the append.
	Time    time.Time `json:"timestamp"`
	Event   string    `json:"event_type"`
	Actor   string    `json:"actor,omitempty"`
	Session string    `json:"session_id,omitempty"`

	Guideline string `json:"guideline_id,omitempty"`
	// ProjectID is the id of a project. In the entry of a change, ProjectID is the project of the guideline. The field is
	// empty if the guideline belongs to all projects. In the entry of a decision, ProjectID is the project in which the
	// decision was made. The field is empty if the project is not known.
	ProjectID     string        `json:"project_id,omitempty"`
	GuidelineName string        `json:"guideline_name,omitempty"`
	Version       int           `json:"guideline_version,omitempty"`
	Changes       []FieldChange `json:"changes,omitempty"`
	// Digest is the digest of the revision that a change created.
	Digest string `json:"revision_digest,omitempty"`

	Pruning  *Pruning           `json:"pruning,omitempty"`
	Decision *Decision          `json:"decision,omitempty"`
	Context  *guideline.Context `json:"context,omitempty"`

	// Prev is the hash of the previous entry in the chain. Hash is the hash of this entry.
	Prev string `json:"prev,omitempty"`
	Hash string `json:"hash,omitempty"`
}

// Decision is the decision about a tool call.
type Decision struct {
	// Result is "allow", "warn", "ask" or "deny". If a person has answered a question about the call, Result is "approved"
	// or "rejected".
	Result       string `json:"result"`
	Reason       string `json:"reason,omitempty"`
	UserResponse string `json:"user_response,omitempty"`
	// Tool is the tool that was called.
	Tool string `json:"tool,omitempty"`
	// Effects is a digest of the effects that guardrails found in the call, such as writing a file.
	Effects string `json:"effects_digest,omitempty"`
	// Micros is the duration of the decision in microseconds.
	Micros int64 `json:"duration_us,omitempty"`
	// Fallback is the fallback mode that was used because the store could not be reached. If the store was reached,
	// Fallback is empty.
	Fallback string `json:"fallback,omitempty"`
}

// IsSent reports whether another computer has sent the entry to a server. The server cannot know whether such an entry
// is true.
func (e *Entry) IsSent() bool { return strings.HasPrefix(e.ID, SentID) }

// Agent returns the agent that the entry is about, or "".
func (e *Entry) Agent() string {
	if e.Context == nil {
		return ""
	}
	return e.Context.Agent
}

// Mode returns the mode in which the safety gate or OutputGuard gave the verdict, or "" if the entry has no mode. The
// mode is stored in the metadata, in "details".
func (e *Entry) Mode() string {
	if e.Context == nil || e.Context.Metadata["details"] == nil {
		return ""
	}
	details, isDecoded := e.Context.Metadata["details"].(map[string]any)
	if !isDecoded {
		text, err := json.Marshal(e.Context.Metadata["details"])
		if err != nil || json.Unmarshal(text, &details) != nil {
			return ""
		}
	}
	mode, _ := details["mode"].(string)
	if !slices.Contains(AuditModes(), mode) {
		return ""
	}
	return mode
}

// EncodeEntry returns the entry as canonical JSON: the fields have a fixed order, and map keys are sorted. Hashes are
// computed from this JSON.
func EncodeEntry(e *Entry) ([]byte, error) {
	text, err := marshal(e)
	if err != nil || !bytes.Contains(text, []byte(`\ufffd`)) {
		return text, err
	}
	// The encoder has replaced invalid UTF-8 in the text. Decode the text and encode it once more. After that, encoding
	// the entry again gives the same text.
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
		return nil, Errorf(Invalid, "cannot write the audit entry %.80q as JSON: %w", e.ID, err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), nil
}

// DecodeEntry decodes an entry. It keeps numbers in the metadata exactly as they are written.
func DecodeEntry(text []byte) (Entry, error) {
	var e Entry
	if !utf8.Valid(text) {
		// Neither encoding nor decoding replaces invalid UTF-8 in raw JSON values.
		return e, Errorf(Internal, "cannot read an audit entry: it is not valid UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&e); err != nil {
		return e, Errorf(Internal, "cannot read an audit entry: %w", err)
	}
	return e, nil
}

// Prepare sets the defaults of an entry and checks the entry. Call Prepare before the entry is appended to the audit of
// a tenant.
func (e *Entry) Prepare(tenant string, now time.Time) error {
	if e.Tenant != "" && e.Tenant != tenant {
		return e.invalid("belongs to another tenant; append it to that tenant")
	}
	e.Tenant = tenant
	if e.Time.IsZero() {
		e.Time = now
	}
	e.Time = millisecond(e.Time)
	if e.Digest != "" || e.Pruning != nil {
		return e.invalid("sets fields that only the store may set; remove its digest and pruning")
	}
	if err := e.check(); err != nil {
		return err
	}
	if size, known := e.largest(); known && size <= MaxEntry {
		return nil
	}
	text, err := EncodeEntry(e)
	if err == nil && len(text) > MaxEntry {
		return e.invalid("is larger than %d KiB; shorten it", MaxEntry>>10)
	}
	return err
}

// check() checks an entry from a caller or from a dump.
func (e *Entry) check() error {
	switch {
	case e.Time.Year() < 1970 || e.Time.Year() > 9999:
		return e.invalid("has a year that is not between 1970 and 9999; correct its time")
	case e.ID == "" || len(e.ID) > MaxName || strings.Trim(e.ID, idCharacters+".:") != "":
		return e.invalid("has an invalid id; use letters, digits, dots, colons, hyphens and underscores")
	case e.Kind != KindChange && e.Kind != KindDecision:
		return e.invalid("has an unknown kind; use change or decision")
	case e.Event == "":
		return e.invalid("has no event type; set one")
	}
	for _, n := range [...]struct{ what, name string }{
		{"event type", e.Event},
		{"actor", e.Actor},
		{"session", e.Session},
		{"guideline", e.Guideline},
		{"project", e.ProjectID},
		{"writer", e.Writer},
	} {
		if err := checkName(n.what, n.name); err != nil {
			return e.invalid("is invalid: %w", err)
		}
	}
	return nil
}

func (e *Entry) invalid(format string, args ...any) error {
	return Errorf(Invalid, "the audit entry %.80q "+format, append([]any{e.ID}, args...)...)
}

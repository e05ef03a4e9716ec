// Package detectors tells a person what the detectors noticed in a session of the client: a question that was asked
// again and again, a long stretch of work, or answers that agree without a reason. It also tells an agent when the
// agent's calls are a loop.
//
// The package stores its state next to the session's files. The state has no text that a person typed, except an
// intent. For each prompt, it has the time, a flag and hashes of words. Each session has its own random key for the
// hashes. Start with Desk.Prompt.
package detectors

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"slices"
	"time"

	"guardrails/detect/talk"
	"guardrails/hooks/session"
)

// maxPrompts is the largest number of prompts of a session that are kept.
const maxPrompts = 50

// maxState limits the size of a file, in bytes.
const maxState = 4 << 20

// The type "state" has the data that is stored about one session.
type state struct {
	// Key is the secret key with which the hashes are made.
	Key     []byte   `json:"key"`
	Prompts []prompt `json:"prompts,omitempty"`
	// Stretch is the stretch of work in which the lines in Shown were shown. The field "Said" is the time of the last
	// line.
	Stretch time.Time `json:"stretch,omitzero"`
	Shown   []string  `json:"shown,omitempty"`
	Said    time.Time `json:"said,omitzero"`
	// The field "Off" lists the detectors that the person switched off for the session.
	Off []string `json:"off,omitempty"`
	// SkipPrompt is set if the person wants no line about the next prompt. SkipAnswer is set if the person wants no line
	// about the answer to that prompt. SkipLoop is set if the person wants no line about a loop in the calls for that
	// prompt.
	SkipPrompt bool `json:"skip_prompt,omitempty"`
	SkipAnswer bool `json:"skip_answer,omitempty"`
	SkipLoop   bool `json:"skip_loop,omitempty"`
	// Obeyed is set if the last prompt was a command for guardrails. The model's answer to this prompt is not counted.
	Obeyed bool `json:"obeyed,omitempty"`
	// Snooze is the time until which nothing is shown.
	Snooze time.Time `json:"snooze,omitzero"`
	// If Strict is set, two prompts count as the same only if their similarity is at least the value of the constant
	// "closer".
	Strict bool `json:"strict,omitempty"`
	// Intent is what the person says they want to do. It is the only text of a person that is kept.
	Intent string `json:"intent,omitempty"`
	// Match says why the last line was shown.
	Match *match `json:"match,omitempty"`
	// Answers has one flag for each of the last final answers. A flag is set if the answer agreed without a reason. Wait
	// is how many more answers must come before a line about the answers is shown again.
	Answers []bool `json:"answers,omitempty"`
	Wait    int    `json:"wait,omitempty"`
	// Loops has the time of each note that an agent got about a loop. The key consists of the agent, the result of the
	// last call, and the level.
	Loops map[string]time.Time `json:"loops,omitempty"`
	// Cleared is when the person typed "guardrails: fresh-context". Earlier calls are ignored.
	Cleared time.Time `json:"cleared,omitzero"`
}

// The type "match" says why something was shown. It has no text that a person typed.
type match struct {
	Detector string   `json:"detector"`
	Rule     string   `json:"rule"`
	Details  []string `json:"details,omitempty"`
}

// The type "prompt" is the digest of a prompt, as it is stored.
type prompt struct {
	At      time.Time `json:"at"`
	Words   string    `json:"words,omitempty"`
	Asks    bool      `json:"asks,omitempty"`
	Subject string    `json:"subject,omitempty"`
}

func keptPrompt(d *talk.Digest) prompt {
	return prompt{At: d.At, Words: encode(d.Words), Asks: d.Asks, Subject: encode(d.Subject)}
}

func encode(hashes []uint64) string {
	var out []byte
	for _, hash := range hashes {
		out = binary.BigEndian.AppendUint64(out, hash)
	}
	return base64.RawStdEncoding.EncodeToString(out)
}

func decode(text string) []uint64 {
	raw, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil // only this package writes the file
	}
	out := make([]uint64, len(raw)/8)
	for i := range out {
		out[i] = binary.BigEndian.Uint64(raw[8*i:])
	}
	return out
}

// digest() returns the digest of a prompt. The hashes in it are made with the key of this session.
func (s *state) digest(text string, at time.Time) talk.Digest {
	mac := hmac.New(sha256.New, s.Key)
	var sum [sha256.Size]byte
	return talk.NewDigest(text, at, func(word []byte) uint64 {
		mac.Reset()
		_, _ = mac.Write(word) // the Write of a hash does not fail
		return binary.BigEndian.Uint64(mac.Sum(sum[:0]))
	})
}

// history() returns the digests of the earlier prompts, oldest first.
func (s *state) history() []talk.Digest {
	out := make([]talk.Digest, len(s.Prompts))
	for i, p := range s.Prompts {
		out[i] = talk.Digest{At: p.At, Words: decode(p.Words), Asks: p.Asks, Subject: decode(p.Subject)}
	}
	return out
}

func (s *state) remember(d *talk.Digest) {
	s.Prompts = append(s.Prompts, keptPrompt(d))
	s.Prompts = s.Prompts[max(0, len(s.Prompts)-maxPrompts):]
}

func (s *state) isOff(detector string) bool { return slices.Contains(s.Off, detector) }

// load() reads the state of a session. If the session has no state, or its state cannot be used, load returns an empty
// state.
func (f *files) load(id string) *state {
	s := &state{}
	if err := f.read(session.TalkName(id), s); err != nil || len(s.Key) != sha256.Size {
		*s = state{Key: make([]byte, sha256.Size)}
		_, _ = rand.Read(s.Key) // rand.Read never returns an error
	}
	return s
}

func (f *files) save(id string, s *state) error { return f.write(session.TalkName(id), s) }

func (f *files) read(name string, to any) error {
	text, err := f.dir.ReadSigned(name, maxState)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}

func (f *files) write(name string, from any) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return f.dir.Write(name, f.dir.KeyOf(name).Sign(text))
}

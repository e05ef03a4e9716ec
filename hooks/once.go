package hooks

import (
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"guardrails/decide"
	"guardrails/detect/effect"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/private"
	"guardrails/internal/product"
)

// A person can allow a denied call once. The text of the denial contains a code. With this code, the person runs
// "guardrails allow-once" in their own terminal. The permission is valid for a few minutes, for a call with the same
// effects in the same session.

// OnceFor is how long the code of a denied call can be used. The permission that results from the code is valid for the
// same length of time.
const OnceFor = 10 * time.Minute

// maxCanonical limits the description of a call, in bytes. A call with a longer description cannot be allowed once.
const maxCanonical = 64 << 10

// maxGrant is the largest size of a file with a refusal or a grant, in bytes.
const maxGrant = 2*maxCanonical + 4096

// The errors that Refused returns for a code that cannot be used.
var (
	ErrNoRefusal = errors.New("there is no refused call with this code; copy the code from the refusal (a code " +
		"is valid for ten minutes)")
	ErrOld      = errors.New("the refusal is older than ten minutes; let the agent try again, and use the new code")
	ErrDescends = errors.New("this terminal was started by the client whose call was refused; " +
		"use a terminal that you opened yourself")
)

// Refused finds the denied call with the given code, in any session. The function descends() reports whether this
// process is a descendant of the given process. If this process descends from the agent's client, Refused returns an
// error, because a process that the agent started must not allow the agent's calls.
func Refused(dir *private.Dir, code string, now time.Time, descends func(pid int) bool) (Refusal, error) {
	names, err := dir.List(product.SessionPrefix)
	if err != nil {
		return Refusal{}, err
	}
	for _, name := range names {
		if !strings.HasSuffix(name, ".denied-"+code) {
			continue
		}
		text, err := dir.ReadSigned(name, maxGrant)
		if err != nil {
			return Refusal{}, err
		}
		r, ok := ParseRefusal(text)
		switch {
		case !ok || session.DeniedName(r.Session, r.Code) != name:
			return r, ErrNoRefusal
		case !fresh(r.Time, now):
			return r, ErrOld
		case descends(r.Client):
			return r, ErrDescends
		}
		return r, nil
	}
	return Refusal{}, ErrNoRefusal
}

// AllowOnce allows a denied call to run once. The code cannot be used again.
func AllowOnce(dir *private.Dir, r *Refusal, now time.Time) error {
	if was, err := dir.Remove(session.DeniedName(r.Session, r.Code)); err != nil || !was {
		return errors.Join(ErrNoRefusal, err)
	}
	name := session.GrantName(r.Session, r.Code)
	if err := dir.Write(name, dir.KeyOf(name).Sign(r.Grant(now))); err != nil {
		return err
	}
	return dir.Touch(session.GrantsName(r.Session))
}

// offerCode saves a denied call and returns the code with which a person can allow it. It returns "" if nobody may
// allow the call, or if the call cannot be saved.
func (j *judging) offerCode(d *decide.Decision) string {
	if j.h.Dir == nil || j.e.Session == "" || !onceAllowed(d) {
		return ""
	}
	call := canonical(j.call, j.e)
	if len(call) > maxCanonical {
		return ""
	}
	r := Refusal{
		Code: newCode(), Session: j.e.Session, Agent: j.e.Agent, Tool: j.e.Tool, Guideline: d.Guideline(),
		Reason: masked(d.Reason),
		Call:   call, Time: j.h.Now(), Client: j.h.Client,
	}
	name := session.DeniedName(r.Session, r.Code)
	if err := j.h.Dir.Create(name, j.h.Dir.KeyOf(name).Sign(r.encode())); err != nil {
		return ""
	}
	return r.Code
}

// onceAllowed reports whether every guideline that denies the call lets a person allow it once.
func onceAllowed(d *decide.Decision) bool {
	for i := range d.Findings {
		f := &d.Findings[i]
		if f.Outcome == decide.Deny && f.Guideline.Locked {
			return false
		}
		if value, set := f.Guideline.Action.Parameters["allow_once"]; f.Outcome == decide.Deny && set && value != true {
			return false
		}
	}
	return true
}

// useGrant looks for a grant for exactly this call, marks it as used, and returns its code. It returns "" if there is
// no grant. The mark is a file that only one process can create. So if two calls run at the same time, only one of them
// gets the grant, and a copy of the grant has no effect.
func (j *judging) useGrant(d *decide.Decision) string {
	if j.h.Dir == nil || j.e.Session == "" || !onceAllowed(d) {
		return ""
	}
	// If the file does not exist, the session has no grants. This check avoids listing the folder, which can be large.
	if _, given := j.h.Dir.Seen(session.GrantsName(j.e.Session)); !given {
		return ""
	}
	names, err := j.h.Dir.List(session.Prefix(j.e.Session) + "allow-")
	if err != nil || len(names) == 0 {
		return ""
	}
	call := canonical(j.call, j.e)
	for _, name := range names {
		text, err := j.h.Dir.ReadSigned(name, maxGrant)
		if err != nil {
			j.h.noteUnsigned(j.e, name, "a permission to run a denied call once", err)
			continue
		}
		r, ok := ParseRefusal(text)
		if !ok || r.Call != call || r.Agent != j.e.Agent || !fresh(r.Time, j.h.Now()) {
			continue
		}
		if j.h.Dir.Create(session.SpentName(r.Session, r.Code), nil) == nil {
			_, _ = j.h.Dir.Remove(name) // if this fails, the grant still cannot be used again
			return r.Code
		}
	}
	return ""
}

// allowedOnce returns the answer for a call that has a grant. If the client runs in a terminal, the client asks the
// person again in this terminal. An agent can open its own terminal, but it cannot type into the terminal of the
// client.
func (j *judging) allowedOnce(d *decide.Decision, code string) wire.Outcome {
	h, r := j.h, record{
		kind: "allow_once", outcome: "allow", guideline: d.Guideline(), name: d.GuidelineName(), call: j.call, task: j.task(),
		reason: "a person allowed it once with the code " + code, judged: judged(j.e, j.cache, j.call, j.noted),
	}
	if h.Env(entrypoint) != terminalClient {
		h.log(j.e, r)
		return wire.Outcome{Context: "A person has allowed this call once, although " + d.Guideline() + " denies it."}
	}
	r.outcome = "ask"
	h.log(j.e, r)
	h.awaitPerson(j.e, d)
	reason := "Allow this call once? Somebody used the code " + code + " for it. Say yes only if that was you. "
	return wire.Outcome{Verdict: wire.Ask, Reason: reason + d.Reason}
}

func fresh(since, now time.Time) bool {
	age := now.Sub(since)
	return age >= -time.Second && age < OnceFor
}

// newCode returns a short code that is easy to type. The code is not a secret: the agent reads it too.
func newCode() string {
	const letters = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
	code := make([]byte, 8)
	for i := range code {
		code[i] = letters[rand.IntN(len(letters))]
	}
	return string(code)
}

// canonical() returns a text that describes everything that a call would do. If only the tool itself knows what its
// arguments do, the text includes the arguments.
func canonical(call *effect.Analysis, event *wire.Event) string {
	var b strings.Builder
	b.Grow(512)
	b.WriteString(call.Tool + "\n" + event.Cwd + "\n")
	for i := range call.Effects {
		e := &call.Effects[i]
		if e.Kind == effect.Use {
			b.Write(event.Input)
		}
		parts := []string{
			string(e.Kind), e.Path, e.Command, e.Host, e.Name, strings.Join(e.Related, "\x01"),
			strings.Join(e.Inside, "\x01"),
		}
		for _, event := range e.Events {
			parts = append(parts, string(event))
		}
		b.WriteString(strings.Join(parts, "\x00"))
		b.WriteString("\x00" + strconv.FormatBool(e.Tree) + strconv.FormatBool(e.Glob) + strconv.FormatBool(e.Unknown) + "\n")
	}
	return b.String()
}

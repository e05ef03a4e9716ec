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

// A refused call can be allowed once by a person: the refusal carries a code, and the person gives it to the command line
// in a terminal of their own. The grant is for the same effects in the same session, and for a few minutes.

// OnceFor is how long a refused call can be allowed, and a grant be used.
const OnceFor = 10 * time.Minute

// maxCanonical is how long a call may be that can be allowed once.
const maxCanonical = 64 << 10

// Refusals of a code are looked for in all sessions: a person types only the code.

// Errors of a code that cannot be used.
var (
	ErrNoRefusal = errors.New("there is no refused call with this code; copy it from the refusal, and be quick: it holds for ten minutes")
	ErrOld       = errors.New("the refusal is older than ten minutes; let the agent try again, and use the new code")
	ErrDescends  = errors.New("this terminal was started by the very client whose call was refused; use a terminal of your own")
)

// Refused finds the refused call of a code. Descends tells whether this process comes from another: what the agent starts
// must not allow what the agent does.
func Refused(dir *private.Dir, code string, now time.Time, descends func(pid int) bool) (Refusal, error) {
	names, err := dir.List(product.SessionPrefix)
	if err != nil {
		return Refusal{}, err
	}
	for _, name := range names {
		if !strings.HasSuffix(name, ".denied-"+code) {
			continue
		}
		text, err := dir.Read(name, 2*maxCanonical+4096)
		if err != nil {
			return Refusal{}, err
		}
		r, ok := ParseRefusal(text)
		switch {
		case !ok:
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

// AllowOnce grants a refused call. The refusal is used up by it.
func AllowOnce(dir *private.Dir, r *Refusal, now time.Time) error {
	if was, err := dir.Remove(session.DeniedName(r.Session, r.Code)); err != nil || !was {
		return errors.Join(ErrNoRefusal, err)
	}
	if err := dir.Write(session.GrantName(r.Session, r.Code), r.Grant(now)); err != nil {
		return err
	}
	return dir.Touch(session.GrantsName(r.Session))
}

// offer keeps a refused call and returns the code by which it can be allowed; empty where that is forbidden or cannot be
// kept.
func (j *judging) offer(d *decide.Decision) string {
	if j.h.Dir == nil || j.e.Session == "" || !onceAllowed(d) {
		return ""
	}
	call := canonical(j.call, j.e)
	if len(call) > maxCanonical {
		return ""
	}
	r := Refusal{
		Code: newCode(), Session: j.e.Session, Agent: j.e.Agent, Tool: j.e.Tool, Guideline: d.Guideline(), Reason: masked(d.Reason),
		Call: call, Time: j.h.Now(), Client: j.h.Client,
	}
	if err := j.h.Dir.Create(session.DeniedName(r.Session, r.Code), r.encode()); err != nil {
		return ""
	}
	return r.Code
}

// onceAllowed reports whether every guideline that refuses the call lets a person allow it once.
func onceAllowed(d *decide.Decision) bool {
	for i := range d.Findings {
		f := &d.Findings[i]
		if allowed, set := f.Guideline.Action.Parameters["allow_once"].(bool); f.Outcome == decide.Deny && set && !allowed {
			return false
		}
	}
	return true
}

// granted uses up a grant for just this call and returns its code. Taking the file away is what uses it, so that of two
// calls at the same time one gets it.
func (j *judging) granted(d *decide.Decision) string {
	if j.h.Dir == nil || j.e.Session == "" || !onceAllowed(d) {
		return ""
	}
	// A session without this sign has no grant: the folder, which can be long, need not be gone through.
	if _, given := j.h.Dir.Seen(session.GrantsName(j.e.Session)); !given {
		return ""
	}
	names, err := j.h.Dir.List(session.Prefix(j.e.Session) + "allow-")
	if err != nil || len(names) == 0 {
		return ""
	}
	call := canonical(j.call, j.e)
	for _, name := range names {
		text, err := j.h.Dir.Read(name, 2*maxCanonical+4096)
		if err != nil {
			continue
		}
		r, ok := ParseRefusal(text)
		if !ok || r.Call != call || r.Agent != j.e.Agent || !fresh(r.Time, j.h.Now()) {
			continue
		}
		if won, err := j.h.Dir.Remove(name); won && err == nil {
			return r.Code
		}
	}
	return ""
}

// allowedOnce lets a call run that a person allowed. Where somebody sits at the client's terminal they are asked there once
// more: a terminal of its own an agent can make, the client's it cannot.
func (j *judging) allowedOnce(d *decide.Decision, code string) wire.Outcome {
	h, r := j.h, record{kind: "allow_once", outcome: "allow", guideline: d.Guideline(), reason: "allowed once by a person with the code " + code, call: j.call, task: j.task()}
	if h.Env(entrypoint) != terminalClient {
		h.log(j.e, r)
		return wire.Outcome{Context: "A person has allowed this call once, against " + d.Guideline() + "."}
	}
	r.outcome = "ask"
	h.log(j.e, r)
	h.awaitPerson(j.e, d)
	return wire.Outcome{Verdict: wire.Ask, Reason: "Somebody allowed this call once, with the code " + code + ". If that was you, say yes. It goes against a guideline: " + d.Reason}
}

func fresh(since, now time.Time) bool {
	age := now.Sub(since)
	return age >= -time.Second && age < OnceFor
}

// newCode is short enough to be typed. It is no secret: the agent reads it too.
func newCode() string {
	const letters = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
	code := make([]byte, 8)
	for i := range code {
		code[i] = letters[rand.IntN(len(letters))]
	}
	return string(code)
}

// canonical is everything that a call would do, as one text. Where only the tool itself knows what its arguments do, they
// are part of it.
func canonical(call *effect.Analysis, event *wire.Event) string {
	var b strings.Builder
	b.Grow(512)
	b.WriteString(call.Tool + "\n" + event.Cwd + "\n")
	for i := range call.Effects {
		e := &call.Effects[i]
		if e.Kind == effect.Use {
			b.Write(event.Input)
		}
		parts := []string{string(e.Kind), e.Path, e.Command, e.Host, e.Name, strings.Join(e.Related, "\x01")}
		for _, event := range e.Events {
			parts = append(parts, string(event))
		}
		b.WriteString(strings.Join(parts, "\x00"))
		b.WriteString("\x00" + strconv.FormatBool(e.Tree) + strconv.FormatBool(e.Glob) + strconv.FormatBool(e.Unknown) + "\n")
	}
	return b.String()
}

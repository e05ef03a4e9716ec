package hooks

import (
	"errors"
	"strings"
	"time"

	"guardrails/decide"
	"guardrails/decide/rejudge"
	"guardrails/detect/effect"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/hooks/cache"
	"guardrails/hooks/wire"
	"guardrails/internal/changemark"
	"guardrails/internal/product"
	"guardrails/internal/spool"
)

// Enforce answers a tool call before it runs.
func Enforce(h *Host, e *wire.Event) wire.Outcome {
	return h.withNotices(e, withQuestion(e, h.enforce(e)))
}

var (
	errNoTool  = errors.New("it has no tool name")
	errNoInput = errors.New("it has no tool input")
)

func (h *Host) enforce(e *wire.Event) wire.Outcome {
	h.markAlive(e)
	if e.Session == "" {
		e.Session = h.Env(product.VariableSession)
	}
	if err := CheckCall(e); err != nil {
		return Unreadable(h, e, err)
	}
	call := h.analysis(e)
	c, err := h.guidelines(e, call)
	if err != nil {
		return h.answerUnchecked(e, call, err)
	}
	if c.Strict && !h.Strict {
		// The settings of guardrails are strict, but the hook's entry in the client's settings is not. So this call is
		// checked strictly. Only a copy of the host changes, because other calls may use the same host.
		strict := *h
		strict.Strict = true
		h = &strict
	}
	if c.Source == cache.Open && c.Empty() {
		return h.openCall(e, call, c)
	}
	return h.checkAgain(e, call, h.check(e, call, c))
}

func (h *Host) check(e *wire.Event, call *effect.Analysis, c *cache.Cache) wire.Outcome {
	AddRepeatedFailures(h.Dir, e.Session, call)
	c, relevant, err := h.relevant(e, call, c)
	looks := err == nil && c.Names(effect.ToolLoop)
	if looks && AddLoop(h.Dir, e, call) {
		c, relevant, err = h.relevant(e, call, c)
	}
	if err != nil {
		return h.answerUnchecked(e, call, err)
	}
	layers, err := Layers(relevant, e.Session, call)
	if err != nil {
		return h.answerUnchecked(e, call, err)
	}
	isJudged := len(layers) > 0
	if isJudged {
		h.Trust(h.root(e), call)
	}
	facts, noted := h.facts(e, call, layers), noted(c)
	noted.Unlooped, noted.Unconfirmed = !looks, !isJudged && len(call.Scripts) > 0
	noted.Watch(&facts)
	if !isJudged {
		h.logPassed(e, c, call, nil, noted)
		return wire.Outcome{}
	}
	j := &judging{h: h, e: e, call: call, cache: c, noted: noted}
	return h.noteApproved(e, call, j.outcome(decide.Judge(layers, call, facts)))
}

// Layers returns the layers that judge a call. It leaves out layers without a guideline for the call. If the call would
// change the guard, it always keeps the highest layer, because only guidelines of the highest layer may replace the
// rule that protects the guard.
func Layers(relevant []cache.Layer, session string, call *effect.Analysis) ([]decide.Layer, error) {
	out := make([]decide.Layer, 0, len(relevant))
	for i := range relevant {
		l := &relevant[i]
		if len(l.Guidelines) == 0 && (i > 0 || !decide.Tampers(call)) {
			continue
		}
		set, err := evaluator.Compile(l.Guidelines)
		if err != nil {
			return nil, err
		}
		in := decide.Layer{Set: set, Context: l.Context, TestCommands: l.TestCommands}
		in.Context.SessionID = session
		for _, x := range l.Exceptions {
			in.Exceptions = append(in.Exceptions, decide.Exception(x))
		}
		out = append(out, in)
	}
	return out, nil
}

// guidelines() returns the cached guidelines of the session. If the cache cannot be used, it requests the guidelines
// again.
func (h *Host) guidelines(e *wire.Event, call *effect.Analysis) (*cache.Cache, error) {
	c, err := h.currentCache(e)
	if err == nil && (e.AgentType == "" || c.Context().Agent == e.AgentType) {
		return c, nil
	}
	h.noteUnsigned(e, "cache", "the guidelines that it saved for this session", err)
	if h.waitsForPerson(e, call) {
		return h.lastGuidelines(e)
	}
	return h.askAgain(e)
}

// relevant() returns the layers with the guidelines that may match a call. If the cache cannot be read, it requests the
// guidelines again.
func (h *Host) relevant(e *wire.Event, call *effect.Analysis, c *cache.Cache) (*cache.Cache, []cache.Layer, error) {
	list, err := c.Relevant(call)
	if err == nil {
		return c, list, nil
	}
	h.noteUnsigned(e, "cache", "the guidelines that it saved for this session", err)
	if c, err = h.askAgain(e); err != nil {
		return nil, nil, err
	}
	list, err = c.Relevant(call)
	return c, list, err
}

func (h *Host) askAgain(e *wire.Event) (*cache.Cache, error) {
	a, err := h.ask(e)
	if err != nil {
		return nil, err
	}
	if err := h.store(e, a); err != nil && h.Dir != nil {
		h.log(e, record{kind: "gap", outcome: "cache", reason: err.Error()})
	}
	return h.readAnswer(e, a)
}

func (h *Host) readAnswer(e *wire.Event, a *answer) (*cache.Cache, error) {
	return cache.Read(strings.NewReader(string(a.doc)), int64(len(a.doc)), h.Now(), h.cacheKey(e))
}

var (
	errNoSession = errors.New("the session has no files")
	errOutdated  = errors.New("the guidelines have changed since the session received them")
)

// currentCache returns the cached guidelines of the session. If the guidelines have changed since they were cached, it
// returns errOutdated.
func (h *Host) currentCache(e *wire.Event) (*cache.Cache, error) {
	c, err := h.keptCache(e)
	if err == nil && h.isOutdated(c) {
		return nil, errOutdated
	}
	return c, err
}

// keptCache returns the cached guidelines of the session, even if the guidelines have changed since they were cached.
func (h *Host) keptCache(e *wire.Event) (*cache.Cache, error) {
	if h.Dir == nil || e.Session == "" {
		return nil, errNoSession
	}
	c, file, err := OpenCache(h.Dir, e.Session, e.Agent, h.Now())
	// The guidelines are read from the file until the answer is given, so the file stays open.
	if h.Opened != nil && file != nil {
		h.Opened(file)
	}
	return c, err
}

// The constant "tick" is the largest difference between the timestamp of a new file and the clock.
const tick = 20 * time.Millisecond

// isOutdated reports whether the guidelines have changed since the session requested them.
func (h *Host) isOutdated(c *cache.Cache) bool {
	changed, ok := h.Dir.Seen(changemark.Name)
	return ok && !c.Since.After(changed.Add(tick))
}

type judging struct {
	h     *Host
	e     *wire.Event
	call  *effect.Analysis
	cache *cache.Cache
	noted *rejudge.Noted
}

// outcome() converts a decision to the answer for the client. It also records the decision, saves a question that a
// person must answer, and adds a code to a denial. A person can use the code to allow the call once.
func (j *judging) outcome(d *decide.Decision) wire.Outcome {
	h, e := j.h, j.e
	for _, id := range d.Agreed {
		h.log(e, record{
			kind: "remember", outcome: "allow", guideline: id, reason: "a person said yes to this guideline before",
			call: j.call, task: j.task(),
		})
	}
	for _, x := range d.Excused {
		h.log(e, record{
			kind: "exception", outcome: "allow", guideline: x.Guideline, name: x.Name, reason: "exception: " + x.Reason,
			call: j.call, task: j.task(),
		})
	}
	switch d.Outcome {
	case decide.Deny:
		return j.denied(d)
	case decide.Ask:
		j.logVerdict(d)
		h.awaitPerson(e, d)
		return wire.Outcome{Verdict: wire.Ask, Reason: d.Reason, Context: joined(askedAbout(d), advice(d))}
	case decide.Warn:
		j.logVerdict(d)
		return wire.Outcome{Context: joined(d.Reason, advice(d))}
	}
	h.logPassed(e, j.cache, j.call, telemetry(d), j.noted)
	return wire.Outcome{Context: advice(d)}
}

// openCall answers a call in a session that continues without guidelines. It denies a call that would
// change the guard. It counts and allows every other call.
func (h *Host) openCall(e *wire.Event, call *effect.Analysis, c *cache.Cache) wire.Outcome {
	if decide.Tampers(call) {
		return h.denyTampering(e, call, c)
	}
	h.countOpen(e, c)
	return wire.Outcome{}
}

// logPassed records a call that no guideline stops. If the session continues without the project's guidelines, it
// counts the call as unchecked instead.
func (h *Host) logPassed(
	e *wire.Event, c *cache.Cache, call *effect.Analysis, watch *guideline.Action, noted *rejudge.Noted,
) {
	if c.Source == cache.Open {
		h.countOpen(e, c)
		return
	}
	h.logAllowed(e, c, call, watch, noted)
}

func (h *Host) countOpen(e *wire.Event, c *cache.Cache) {
	h.countUnguarded(e, "the project's guidelines cannot be read, and the session continues without them: "+c.Reason)
}

// denyTampering denies a call that would change the guard. It needs no guidelines, because the rule is built in.
func (h *Host) denyTampering(e *wire.Event, call *effect.Analysis, c *cache.Cache) wire.Outcome {
	j := &judging{h: h, e: e, call: call, cache: c, noted: noted(c)}
	return j.denied(decide.Judge(decide.Alone(emptySet(), guideline.Context{}), call, decide.Facts{}))
}

// denied() returns an answer that denies a call. If a person has allowed the call once, denied() returns the answer of
// allowedOnce instead.
func (j *judging) denied(d *decide.Decision) wire.Outcome {
	if code := j.useGrant(d); code != "" {
		return j.allowedOnce(d, code)
	}
	reason := withCode(d, j.offerCode(d))
	if j.cache != nil && j.cache.Page != "" {
		j.e.RecordID = spool.RefusalID + newCode() + newCode()
		reason += j.cache.Page + j.e.RecordID
	}
	j.logVerdict(d)
	return wire.Outcome{Verdict: wire.Deny, Reason: reason}
}

// withCode returns the reason of a denial with the command that allows the call once. The command is near the
// beginning, because the client shows only the first two lines.
func withCode(d *decide.Decision, code string) string {
	denied := decide.DeniedBy(d.Guideline())
	rest, ok := strings.CutPrefix(d.Reason, denied)
	if code == "" || !ok {
		return d.Reason
	}
	return denied + " A person can allow it once: guardrails allow-once " + code + "." + rest
}

// askedAbout returns a text that tells the model which question a person was asked. The question itself is written for
// the person, but for some tools the client does not show it.
func askedAbout(d *decide.Decision) string {
	text := "guardrails asked a person about this call: " + d.Reason
	if d.Instead != "" {
		text += " If the answer was no: " + d.Instead
	}
	return text
}

// advice() joins the instructions of the guidelines whose conditions mention the path or an event of the call.
func advice(d *decide.Decision) string {
	var list []string
	for _, g := range d.Advice {
		list = append(list, g.Action.Instruction+" ("+g.ID+")")
	}
	return strings.Join(list, "\n")
}

func joined(parts ...string) string {
	var list []string
	for _, part := range parts {
		if part != "" {
			list = append(list, part)
		}
	}
	return strings.Join(list, "\n")
}

// ToolCall answers the events of a tool call.
func ToolCall(h *Host, e *wire.Event) wire.Outcome {
	switch e.Name {
	case wire.PostToolUse, wire.PostToolUseFailure:
		return Settle(h, e)
	}
	// An event with an unknown name may come before a tool call, so it is checked like a tool call.
	e.Name = wire.PreToolUse
	return Enforce(h, e)
}

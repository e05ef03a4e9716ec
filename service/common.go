package service

import (
	"crypto/rand"
	"strings"
	"sync"

	"guardrails/evaluator"
	"guardrails/guideline"
)

// common is what the answers to one task have in common, whichever session asks and in whichever words: everything but the
// session's name. It is found once, and given as long as what it was found by holds.
type common struct {
	answer Answer
	// session stands in place of the session's name; empty where there is none.
	session string
	// shown is the answer as its door shows it.
	showing sync.Once
	shown   any
}

// task is what an answer depends on, beside what holds in the project.
type task struct {
	agent, domain, action, event, gateType, tenant string
	// paths and roles are lists.
	paths, roles  string
	unknown       guideline.Fields
	hook, session bool
}

const (
	// maxTask is how long the parts of a task may be that is kept.
	maxTask = 2 << 10
	// maxAnswer is how much text an answer may have that is kept, and maxAnswers how many of a project are; one more, and
	// all are found anew.
	maxAnswer  = 64 << 10
	maxAnswers = 128
)

// answers are those of a project that its sessions have in common.
type answers struct {
	mu    sync.RWMutex
	known map[task]*common
}

// answer is the answer to a request, found anew only where no session had it in common with this one.
func (s *Service) answer(h *held, q *evaluator.Query, r *Request, roles []string) (*Answer, error) {
	t, keep := s.taskOf(h, q, r, roles)
	if keep {
		if c := h.of.answers.get(t); c != nil {
			return c.of(q.SessionID), nil
		}
	}
	a, err := s.find(h, q, r, roles)
	if err != nil || !keep || len(a.SessionCache)+len(a.CombinedInstruction) > maxAnswer {
		return a, err
	}
	c := &common{answer: *a}
	if t.session {
		c.session = rand.Text()
	}
	h.of.answers.put(t, c)
	return c.of(q.SessionID), nil
}

// taskOf is what a request asks for, in short; false where the answer is of the moment, or where it is not kept for long.
func (s *Service) taskOf(h *held, q *evaluator.Query, r *Request, roles []string) (task, bool) {
	ofTheMoment := h.fallback != nil || len(h.settings.Exceptions) > 0 || len(h.notices) != len(h.of.held.notices)
	if s.memory == nil || ofTheMoment || r.Definitions || len(r.Metadata) > 0 || !plain(q.SessionID) {
		return task{}, false
	}
	t := task{
		q.Agent, q.Domain, q.Action, q.Event, q.GateType, q.TenantID, strings.Join(q.Paths, "\x00"), strings.Join(roles, "\x00"),
		q.Unknown, r.Hook, q.SessionID != "",
	}
	length := len(t.agent) + len(t.domain) + len(t.action) + len(t.event) + len(t.gateType) + len(t.paths)
	return t, length <= maxTask
}

// plain reports whether a session's name is written the same in every text, however often that is quoted.
func plain(name string) bool {
	const longest = 128
	return len(name) <= longest && strings.IndexFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_.:", r)
	}) < 0
}

func (a *answers) get(t task) *common {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.known[t]
}

func (a *answers) put(t task, c *common) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.known == nil || len(a.known) >= maxAnswers {
		a.known = map[task]*common{}
	}
	a.known[t] = c
}

// of is the answer for a session.
func (c *common) of(session string) *Answer {
	a := c.answer
	a.Context.SessionID, a.common = session, c
	return &a
}

// Shown is the answer as a door shows it: made once by show for all who have it in common. What stands there in place of
// the session's name is the second result; where that is empty, nothing does.
func (a *Answer) Shown(show func(*Answer) any) (shown any, session string) {
	if a.common == nil {
		return show(a), ""
	}
	c := a.common
	c.showing.Do(func() { c.shown = show(c.of(c.session)) })
	return c.shown, c.session
}

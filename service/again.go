package service

import (
	"context"
	"sync"
)

// answers are those that were given, by the question word for word: several sessions ask the same, and one asks again what
// it asked before. An answer is given again as long as it would be the same.
type answers struct {
	mu    sync.RWMutex
	known map[asking]*given
}

// asking is what an answer depends on beside what is read: who asks, and the question word for word.
type asking struct {
	of        binding
	bound     bool
	arguments string
}

func askingOf(ctx context.Context, arguments []byte) asking {
	b, bound := ctx.Value(bindingKey{}).(binding)
	return asking{b, bound, string(arguments)}
}

// given is an answer that was given, and what it was found by.
type given struct {
	answer *Answer
	by     *Service
	key    string
	known  *remembered
	// keep does what belongs to each answer for a hook; nil for others.
	keep func() (notices []string)
	// shown is the answer as its door shows it.
	showing sync.Once
	shown   any
}

const (
	// maxQuestion is how long a question may be that is kept; a prompt of a user is another one each time.
	maxQuestion = 2 << 10
	// maxAnswer is how much text an answer may have that is kept, and maxAnswers how many are; one more, and all are found
	// anew.
	maxAnswer  = 64 << 10
	maxAnswers = 256
)

// again is the answer to a question that was asked before; nil where it may have become another.
func (s *Service) again(ctx context.Context, arguments []byte) *Answer {
	if s.memory == nil || len(arguments) > maxQuestion {
		return nil
	}
	g := s.memory.answers.get(askingOf(ctx, arguments))
	if g == nil || !g.holds(ctx) {
		return nil
	}
	s.asked(true)
	return g.answer
}

// holds reports whether an answer would be given again.
func (g *given) holds(ctx context.Context) bool {
	return g.by.recall(ctx, g.key) == g.known && (g.keep == nil || len(g.keep()) == 0)
}

// rememberAnswer keeps an answer, unless the time alone could make it another.
func (s *Service) rememberAnswer(ctx context.Context, arguments []byte, a *Answer) {
	if a.given == nil || len(arguments) > maxQuestion || a.Definitions != nil || len(a.SessionCache)+len(a.CombinedInstruction) > maxAnswer {
		return
	}
	a.given.answer = a
	s.memory.answers.put(askingOf(ctx, arguments), a.given)
}

// givenBy is what an answer was found by; nil where it is not to be given again.
func (s *Service) givenBy(ctx context.Context, root string, r *Request, h *held) *given {
	b, _ := ctx.Value(bindingKey{}).(binding)
	if s.memory == nil || h.fallback != nil || len(h.settings.Exceptions) > 0 || b.project && r.TenantID != "" {
		return nil
	}
	key := s.memoryKey(root, r)
	known := s.memory.get(key)
	if known == nil || known.held.set != h.set || len(h.notices) != len(known.held.notices) {
		return nil
	}
	g := &given{by: s, key: key, known: known}
	if r.Hook {
		of := *r
		g.keep = func() []string { return s.keep(root, &of, known) }
	}
	return g
}

func (a *answers) get(q asking) *given {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.known[q]
}

func (a *answers) put(q asking, g *given) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.known == nil || len(a.known) >= maxAnswers {
		a.known = map[asking]*given{}
	}
	a.known[q] = g
}

// clear forgets all answers: what they were found by is not to be kept for their sake.
func (a *answers) clear() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.known = nil
}

// Shown is the answer as a door shows it: made once by show, and kept with the answer where that is given again.
func (a *Answer) Shown(show func() any) any {
	if a.given == nil {
		return show()
	}
	a.given.showing.Do(func() { a.given.shown = show() })
	return a.given.shown
}

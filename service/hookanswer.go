package service

import (
	"slices"
	"strings"
	"sync"
	"time"

	"guardrails/config"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/hooks/cache"
	"guardrails/internal/page"
	"guardrails/internal/private"
)

// hookAnswer is what a hook needs to know about a task.
type hookAnswer struct {
	// The field "count" is the number of guidelines that apply or possibly apply.
	count int
	// The field "injection" is the text for the model. The field "cache" is the encoded session cache, with which hooks
	// judge tool calls.
	injection, cache string
}

// size() returns roughly how many bytes an answer takes in memory.
func (a *hookAnswer) size() int { return len(a.injection) + len(a.cache) }

// hookAnswer returns the answer to the query of a hook. Most queries of a project are about one of a few tasks, so
// answers are reused.
func (s *Service) hookAnswer(b *rulebook, q question, r *Request) (*hookAnswer, error) {
	// Do not reuse an answer with exceptions, because the answer changes when one of the exceptions expires.
	reusable := len(r.Metadata) == 0 && len(b.settings.Exceptions) == 0
	roles := b.rolesIn(q, r.Prompt)
	t := q.task()
	t.page, t.roles = s.page(b), strings.Join(roles, "\x00")
	if reusable {
		if a := b.answers.get(t); a != nil {
			return a, nil
		}
	}
	matches := evaluator.MatchAll(q.parts())
	a := &hookAnswer{count: len(matches), injection: b.injection(q, matches, roles)}
	var err error
	if a.cache, err = s.encodeCache(b, q, t.page); err == nil && reusable {
		b.answers.put(t, a)
	}
	return a, err
}

// page() returns a text that ends with the address of the page that shows decisions. This address, followed by the id
// of a decision, is the URL of the decision. If there is no such page, page() returns "".
func (s *Service) page(b *rulebook) string {
	if b.settings.NoPage {
		return ""
	}
	at, found := s.shown.find(s.env, s.now())
	if !found || !at.Shows(b.settings.StoreKey(), b.settings.Tenant) {
		return ""
	}
	return " For people: " + at.URL() + "audit?entry="
}

// shownPage remembers the address of the page, so that most requests need not read files.
type shownPage struct {
	// The field "age" is how long the address is remembered.
	age time.Duration

	mu    sync.Mutex
	until time.Time
	place page.Place
	found bool
}

func (p *shownPage) find(env func(string) string, now time.Time) (page.Place, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !now.Before(p.until) {
		p.place, p.found, p.until = page.Place{}, false, now.Add(p.age)
		if dir, err := private.Runtime(env); err == nil {
			p.place, p.found = page.Find(dir)
		}
	}
	return p.place, p.found
}

func (s *Service) encodeCache(b *rulebook, q question, at string) (string, error) {
	body := &cache.Body{
		Strict: b.settings.Strict, NoCalls: b.settings.Audit.NoCalls, TTL: b.settings.CacheTTL, Source: b.source,
		Page: at, Safety: shownMode(b.settings.Safety.Strictest()), OutputGuard: shownMode(b.settings.OutputGuard.Mode),
	}
	for i := range b.ignored {
		if b.ignored[i].NeedsTrust {
			body.NeedsTrust++
		}
	}
	if b.fallback != nil {
		body.Reason = b.fallback.Reason
	}
	for i, a := range q {
		matches := a.layer.set.Match(a.query, nil)
		if i > 0 && q[i-1].layer == a.layer {
			matches = without(matches, q[i-1].layer.set.Match(q[i-1].query, nil))
		}
		in := cache.Layer{
			Context: a.query.Context, Guidelines: definitions(slices.DeleteFunc(matches, onlyReacts)), TestCommands: a.layer.TestCommands,
		}
		for _, x := range a.layer.exceptions(s.now()) {
			in.Exceptions = append(in.Exceptions, cache.Exception(x))
		}
		body.Layers = append(body.Layers, in)
	}
	text, err := cache.Encode(body)
	return string(text), err
}

// shownMode returns a mode in the form that the status line shows. If the mode is off, it returns "".
func shownMode(mode string) string {
	if mode == config.Off {
		return ""
	}
	return mode
}

func without(matches, others []evaluator.Match) []evaluator.Match {
	known := map[*guideline.Guideline]bool{}
	for _, m := range others {
		known[m.Guideline] = true
	}
	return slices.DeleteFunc(matches, func(m evaluator.Match) bool { return known[m.Guideline] })
}

// task() returns those fields of the queries on which an answer depends. Each layer can have different values, so
// task() joins the values of all layers.
func (q question) task() task {
	own := q.own()
	t := task{agent: own.Agent, domain: own.Domain, action: own.Action, unknown: own.Unknown}
	for _, a := range q[:len(q)-1] {
		t.agent += "\x00" + a.query.Agent
		t.domain += "\x00" + a.query.Domain
		t.action += "\x00" + a.query.Action
	}
	return t
}

// The type "task" is the key under which an answer is kept. It contains the fields in which the queries of hooks
// can differ, the roles that the prompt names, and the address of the page.
type task struct {
	agent, domain, action string
	roles, page           string
	unknown               guideline.Fields
}

// hookAnswers keeps the answers of a rulebook, one for each task.
type hookAnswers struct {
	mu   sync.Mutex
	kept map[task]*hookAnswer
	size int
}

// maxAnswers limits the total size in bytes of a rulebook's answers. It is enough for about 200 tasks. When the limit
// is reached, all answers of the rulebook are dropped.
const maxAnswers = 4 << 20

// bytes() returns the number of bytes that the answers take in memory.
func (c *hookAnswers) bytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return int64(c.size)
}

func (c *hookAnswers) get(t task) *hookAnswer {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept[t]
}

func (c *hookAnswers) put(t task, a *hookAnswer) {
	size := a.size() + len(t.agent) + len(t.domain) + len(t.action) + len(t.roles)
	if size > maxAnswers {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil || c.size+size > maxAnswers {
		c.kept, c.size = map[task]*hookAnswer{}, 0
	}
	// Clone the strings: they are parts of the request's text, which would otherwise stay in memory.
	t.agent, t.domain, t.action = strings.Clone(t.agent), strings.Clone(t.domain), strings.Clone(t.action)
	c.kept[t] = a
	c.size += size
}

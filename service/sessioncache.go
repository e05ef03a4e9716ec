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

// sessionCache returns the encoded document with which hooks judge tool calls.
func (s *Service) sessionCache(b *rulebook, q question, r *Request) (text string, err error) {
	// Do not reuse a session cache with exceptions, because it changes when one of them expires.
	reusable := len(r.Metadata) == 0 && len(b.settings.Exceptions) == 0
	t := q.task()
	t.page = s.page(b)
	if reusable {
		if text = b.caches.get(t); text != "" {
			return text, nil
		}
	}
	if text, err = s.encodeCache(b, q, t.page); err == nil && reusable {
		b.caches.put(t, text)
	}
	return text, err
}

// page returns the text that precedes the id of a decision. The text ends with the beginning of an address, which the
// id completes. At this address, a page shows the decision. If no page shows it, the text is "".
func (s *Service) page(b *rulebook) string {
	if b.settings.NoPage {
		return ""
	}
	at, found := s.shown.find(s.env, s.now())
	if !found || !at.Shows(StoreKey(&b.settings), b.settings.Tenant) {
		return ""
	}
	return " For people: " + at.URL() + "audit?entry="
}

// shownPage remembers where the page is. Otherwise, each request would read files.
type shownPage struct {
	// age is how long the place is remembered.
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

// shownMode returns a mode as the status line shows it: nothing if it is off.
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

// task returns the fields of the queries on which the session cache depends. It joins the values of all layers, because
// each layer can have different ones.
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

// task identifies a session cache of a rulebook. It has the fields in which the queries of hooks can differ, and the
// address of the page.
type task struct {
	agent, domain, action string
	page                  string
	unknown               guideline.Fields
}

// sessionCaches keeps the encoded session caches of a rulebook, one for each task. Most sessions of a project have one
// of a few tasks.
type sessionCaches struct {
	mu    sync.Mutex
	texts map[task]string
	size  int
}

// maxCaches limits the total size in bytes of a rulebook's session caches. It is enough for about 200 tasks. When the
// limit is reached, all of them are dropped.
const maxCaches = 4 << 20

func (c *sessionCaches) get(t task) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.texts[t]
}

func (c *sessionCaches) put(t task, text string) {
	size := len(text) + len(t.agent) + len(t.domain) + len(t.action)
	if size > maxCaches {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.texts == nil || c.size+size > maxCaches {
		c.texts, c.size = map[task]string{}, 0
	}
	// Clone the strings: they are parts of the request's text, which would otherwise stay in memory.
	t.agent, t.domain, t.action = strings.Clone(t.agent), strings.Clone(t.domain), strings.Clone(t.action)
	c.texts[t] = text
	c.size += size
}

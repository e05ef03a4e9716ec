package model_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"guardrails/model"
)

func TestAQuestionHasTheFormOfTheMessagesAPI(t *testing.T) {
	s := newScript(t, uses("judge", good))
	a, err := s.client().Ask(t.Context(), question())
	if err != nil || string(a.Input) != good || a.IsCached {
		t.Fatalf("got %s, %v", a.Input, err)
	}
	got := s.requests()[0]
	body := got.body
	for name, is := range map[string]bool{
		"the path":        got.path == "POST /v1/messages",
		"the key":         got.header.Get("x-api-key") == "sesame",
		"the version":     got.header.Get("anthropic-version") == "2023-06-01",
		"the type":        got.header.Get("content-type") == "application/json",
		"the model":       body.Model == "small" && body.MaxTokens == 256,
		"the temperature": body.Temperature != nil && *body.Temperature == 0,
		"the system text": body.System == "Judge.",
		"the tool":        len(body.Tools) == 1 && body.Tools[0].Name == "judge" && len(body.Tools[0].InputSchema) > 0,
		"the choice":      body.ToolChoice.Type == "tool" && body.ToolChoice.Name == "judge",
		"the message":     len(body.Messages) == 1 && body.Messages[0].Role == "user",
	} {
		if !is {
			t.Errorf("%s is wrong in %+v", name, got)
		}
	}
}

// The constant "unknown" stands for a number of calls that depends on the speed of the computer.
const unknown = -1

func TestEveryFailureOfTheServiceHasItsOutcome(t *testing.T) {
	right := uses("judge", good)
	for _, c := range []struct {
		name    string
		steps   []step
		change  func(*model.Options)
		outcome model.Outcome
		calls   int
	}{
		{"a right answer", []step{right}, nil, model.OK, 1},
		{"text instead of the tool", []step{text(`{"content":[{"type":"text","text":"It is SAFE."}]}`)}, nil, model.Unreadable, 1},
		{"another tool", []step{uses("search", good)}, nil, model.Unreadable, 1},
		{
			"the tool twice",
			[]step{text(`{"content":[{"type":"tool_use","name":"judge","input":` + good + `},{"type":"tool_use","name":"judge","input":` + good + `}]}`)},
			nil, model.Unreadable, 1,
		},
		{"a wrong type", []step{uses("judge", `{"is_safe": "true", "reason": "", "kind": null}`)}, nil, model.Unreadable, 1},
		{"an unknown word", []step{uses("judge", `{"is_safe": true, "reason": "", "kind": "c"}`)}, nil, model.Unreadable, 1},
		{"a missing field", []step{uses("judge", `{"is_safe": true, "kind": null}`)}, nil, model.Unreadable, 1},
		{"one field too many", []step{uses("judge", `{"is_safe": true, "reason": "", "kind": null, "x": 1}`)}, nil, model.Unreadable, 1},
		{"a field that is too long", []step{uses("judge", `{"is_safe": true, "reason": "`+long(21)+`", "kind": null}`)}, nil, model.Unreadable, 1},
		{"arguments that are a list", []step{uses("judge", `[]`)}, nil, model.Unreadable, 1},
		{"garbage", []step{text("<html>")}, nil, model.Unreadable, 1},
		{"nothing", []step{text("")}, nil, model.Unreadable, 1},
		{"a huge body", []step{text(`{"x":"` + long(70000) + `"}`)}, nil, model.Unreadable, 1},
		{"slow headers", []step{hangs("")}, short, model.Timeout, unknown},
		{"a slow body", []step{hangs(`{"content":`)}, short, model.Timeout, unknown},
		{"a cut body", []step{cut}, nil, model.Unavailable, 1},
		{"a reset", []step{reset, right}, nil, model.OK, 2},
		{"resets", []step{reset}, nil, model.Unavailable, 2},
		{"a wrong key", []step{status(http.StatusUnauthorized)}, nil, model.Refused, 1},
		{"a wrong question", []step{status(http.StatusBadRequest)}, nil, model.Refused, 1},
		{"too many once", []step{status(http.StatusTooManyRequests), right}, nil, model.OK, 2},
		{"too many twice", []step{status(http.StatusTooManyRequests)}, nil, model.Limited, 2},
		{"too many, come soon", []step{status(http.StatusTooManyRequests, "Retry-After", "0"), right}, nil, model.OK, 2},
		{"too many, come later", []step{status(http.StatusTooManyRequests, "Retry-After", "600"), right}, nil, model.Limited, 1},
		{"too many, come on a day", []step{status(http.StatusTooManyRequests, "Retry-After", "Fri, 31 Dec 2100 23:59:59 GMT")}, nil, model.Limited, 1},
		{"too many, come somewhen", []step{status(http.StatusTooManyRequests, "Retry-After", "soon")}, nil, model.Limited, 1},
		{"overloaded", []step{status(529), right}, nil, model.OK, 2},
		{"an error of the service", []step{status(http.StatusInternalServerError)}, nil, model.Unavailable, 2},
		{"a redirect", []step{status(http.StatusTemporaryRedirect, "Location", "/other")}, nil, model.Refused, 1},
		{
			"no key",
			[]step{right},
			func(o *model.Options) {
				o.Key = func() (string, error) { return "", errors.New("can be read by others") }
			},
			model.Refused, 0,
		},
		{"no calls left", []step{right}, func(o *model.Options) { o.Take = func() error { return errors.New("600 calls") } }, model.Limited, 0},
		{"no calls left for a second try", []step{status(529), right}, func(o *model.Options) { o.Take = once() }, model.Unavailable, 1},
		{"nobody listens", []step{right}, func(o *model.Options) { o.URL = "http://127.0.0.1:1" }, model.Unavailable, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript(t, c.steps...)
			client := s.client(func(o *model.Options) {
				if c.change != nil {
					c.change(o)
				}
			})
			_, err := client.Ask(t.Context(), question())
			if got := model.OutcomeOf(err); got != c.outcome || c.calls != unknown && len(s.requests()) != c.calls {
				t.Errorf("got %s (%v) after %d calls, want %s after %d", got, err, len(s.requests()), c.outcome, c.calls)
			}
			if err != nil && (strings.Contains(err.Error(), "details") || strings.Contains(err.Error(), "sesame") ||
				strings.Contains(err.Error(), "127.0.0.1")) {
				t.Errorf("the error tells too much: %v", err)
			}
		})
	}
}

// once() returns a function for Options.Take that allows only one call.
func once() func() error {
	calls := 0
	return func() error {
		if calls++; calls > 1 {
			return errors.New("the limit of this hour is reached")
		}
		return nil
	}
}

// clock is a clock that a test can advance.
type clock struct {
	lock sync.Mutex
	now  time.Time
}

func (c *clock) Now() time.Time {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.now = c.now.Add(d)
}

func newClock() *clock { return &clock{now: time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC)} }

func TestAfterFiveFailuresTheServiceRestsForHalfAMinute(t *testing.T) {
	s := newScript(t, status(http.StatusUnauthorized))
	clock := newClock()
	client := s.client(func(o *model.Options) { o.Now = clock.Now })
	ask := func() model.Outcome {
		_, err := client.Ask(t.Context(), question())
		return model.OutcomeOf(err)
	}
	for i := range 5 {
		if got := ask(); got != model.Refused {
			t.Fatalf("question %d: %s", i+1, got)
		}
	}
	if got := ask(); got != model.Unavailable || len(s.requests()) != 5 {
		t.Fatalf("the sixth question: %s after %d calls", got, len(s.requests()))
	}
	clock.pass(30 * time.Second)
	if first, second := ask(), ask(); first != model.Refused || second != model.Unavailable || len(s.requests()) != 6 {
		t.Fatalf("after the rest: %s, %s, %d calls", first, second, len(s.requests()))
	}
	clock.pass(30 * time.Second)
	s.lock.Lock()
	s.steps = []step{uses("judge", good)}
	s.lock.Unlock()
	if got := ask(); got != model.OK {
		t.Fatalf("after a good answer: %s", got)
	}
}

func TestAnswersAreKeptForTenMinutesAndFailuresAreNot(t *testing.T) {
	s := newScript(t, status(http.StatusBadRequest), uses("judge", good))
	clock := newClock()
	client := s.client(func(o *model.Options) { o.Now = clock.Now })
	for i, want := range []struct {
		passes time.Duration
		text   string
		cached bool
		calls  int
	}{
		{0, "a", false, 1},
		{0, "a", false, 2},
		{0, "a", true, 2},
		{0, "b", false, 3},
		{9 * time.Minute, "a", true, 3},
		{time.Minute, "a", false, 4},
	} {
		clock.pass(want.passes)
		q := question()
		q.Text = want.text
		a, _ := client.Ask(t.Context(), q)
		if a.IsCached != want.cached || len(s.requests()) != want.calls {
			t.Errorf("question %d: cached %v, %d calls", i+1, a.IsCached, len(s.requests()))
		}
	}
}

// gate is a step that waits until the test lets it answer.
func gate(open <-chan struct{}, then step) step {
	return func(w http.ResponseWriter, r *http.Request) {
		<-open
		then(w, r)
	}
}

// until() waits until the function is() returns true.
func until(t *testing.T, is func() bool) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	for !is() {
		if ctx.Err() != nil {
			t.Fatal("the condition does not come true")
		}
		time.Sleep(time.Millisecond)
	}
}

func TestEqualQuestionsAtTheSameTimeAreOneCallAndFourOthersRunAtOnce(t *testing.T) {
	open := make(chan struct{})
	s := newScript(t, gate(open, uses("judge", good)))
	client := s.client()
	var all sync.WaitGroup
	ask := func(text string) {
		all.Go(func() {
			q := question()
			q.Text = text
			if _, err := client.Ask(t.Context(), q); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		})
	}
	for range 5 {
		for _, text := range []string{"a", "b", "c", "d"} {
			ask(text)
		}
	}
	until(t, func() bool { return len(s.requests()) == 4 })
	q := question()
	q.Text = "e"
	if _, err := client.Ask(t.Context(), q); model.OutcomeOf(err) != model.Limited {
		t.Errorf("the fifth question: %v", err)
	}
	close(open)
	all.Wait()
	if n := len(s.requests()); n != 4 {
		t.Errorf("%d calls", n)
	}
}

func TestAnAnswerThatComesTooLateForTheCallerIsKeptForTheNextOne(t *testing.T) {
	open := make(chan struct{})
	s := newScript(t, gate(open, uses("judge", good)))
	client := s.client()
	hasty, stop := context.WithCancel(t.Context())
	stop()
	if _, err := client.Ask(hasty, question()); model.OutcomeOf(err) != model.Timeout {
		t.Fatalf("the caller waited: %v", err)
	}
	close(open)
	until(t, func() bool {
		a, err := client.Ask(t.Context(), question())
		return err == nil && a.IsCached
	})
	if n := len(s.requests()); n != 1 {
		t.Errorf("%d calls", n)
	}
}

// The type "counts" is a meter that counts the calls of its methods.
type counts struct {
	lock sync.Mutex
	seen map[string]int
}

func (c *counts) add(name string) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.seen == nil {
		c.seen = map[string]int{}
	}
	c.seen[name]++
}

func (c *counts) ModelAsked(use, outcome string, _ time.Duration) { c.add(use + " " + outcome) }

func (c *counts) ModelCached(use string, hit bool) {
	if hit {
		c.add(use + " hit")
	} else {
		c.add(use + " miss")
	}
}

func TestQuestionsAreCountedByUseAndOutcome(t *testing.T) {
	s := newScript(t, text("?"), uses("judge", good))
	var meter counts
	client := s.client(func(o *model.Options) { o.Meter = &meter })
	for range 3 {
		_, _ = client.Ask(t.Context(), question())
	}
	for name, want := range map[string]int{"audit unreadable": 1, "audit ok": 1, "audit miss": 2, "audit hit": 1} {
		if got := meter.seen[name]; got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}

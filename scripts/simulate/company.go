package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"guardrails/store"
	"guardrails/store/elastic"
)

// The kinds of requests. Of 100 requests, 60 ask for guidelines, 39 log a decision, and 1 creates a guideline.
const (
	asking = iota
	logging
	changing
	kinds
)

func kindNames() [kinds]string { return [kinds]string{"a question", "a decision", "a change"} }

// perTenant is the number of guidelines that a tenant has at the beginning.
const perTenant = 50

// company simulates the machines of a company, which send requests.
type company struct {
	*options
	url     string
	tokens  []string
	client  *http.Client
	changed atomic.Int64

	mu sync.Mutex
	// The field "took" has the durations of the requests in milliseconds, for each kind of request. The duration of a
	// request includes its repeated attempts. The field "refused" counts the answers with status 429 or 5xx. The field
	// "broken" counts the connections that broke. In both cases, the machine tries again. The field "failed" counts the
	// requests that got no good answer within a minute.
	took                    [kinds][]float64
	refused, broken, failed int
	// The field "logged" has the ids of each tenant's acknowledged decisions. The field "created" has the ids of each
	// tenant's acknowledged guidelines.
	logged, created map[string][]string
	// The field "last" is the time of the last good answer. The field "pause" is the longest time without a good answer.
	last  time.Time
	pause time.Duration
}

func newCompany(url string, tokens []string, o *options) *company {
	return &company{
		options: o, url: url, tokens: tokens, logged: map[string][]string{}, created: map[string][]string{},
		client: &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 400, MaxConnsPerHost: 400}},
	}
}

// write() creates the guidelines of each tenant.
func (c *company) write(ctx context.Context) error {
	return eachTenant(func(i int) error {
		var list []string
		for n := range perTenant {
			list = append(list, guidelineText(fmt.Sprintf("rule-%d", n), fmt.Sprintf("agent-%d", n%5)))
		}
		_, err := c.send(ctx, i, "/api/guardrails/import", "["+strings.Join(list, ",")+"]")
		return err
	})
}

// eachTenant calls f for all tenants at the same time.
func eachTenant(f func(i int) error) error {
	failed := make([]error, tenants)
	var all sync.WaitGroup
	for i := range tenants {
		all.Go(func() {
			if err := f(i); err != nil {
				failed[i] = fmt.Errorf("%s: %w", tenantOf(i), err)
			}
		})
	}
	all.Wait()
	return errors.Join(failed...)
}

func guidelineText(id, agent string) string {
	return fmt.Sprintf(`{"id":%q,"name":"A rule","category":"custom","condition":{"agents":[%q]},`+
		`"action":{"type":"hitl_gate","instruction":"Ask the owner first.","gate_type":"review"}}`, id, agent)
}

// work() lets all machines send requests. Each machine sends its requests at random times.
func (c *company) work(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, c.duration)
	defer cancel()
	pause := time.Duration(float64(c.machines) / c.rate * float64(time.Second))
	var all sync.WaitGroup
	for machine := range c.machines {
		all.Go(func() { c.machine(ctx, machine, pause) })
	}
	all.Wait()
}

// machine() sends requests until ctx ends. Between two requests, it waits for a random time. The average of these times
// is in the parameter "pause".
func (c *company) machine(ctx context.Context, machine int, pause time.Duration) {
	random := rand.New(rand.NewPCG(uint64(machine), 1)) //nolint:gosec // not a secret
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Duration(random.Float64() * 2 * float64(pause))):
		}
		kind := asking
		if r := random.IntN(100); r == 99 {
			kind = changing
		} else if r >= 60 {
			kind = logging
		}
		c.request(kind, machine, n)
	}
}

// request() sends a request repeatedly until it gets a good answer, for at most a minute. It continues even after the
// simulation has ended. If the method stopped early, nobody would know whether the server has accepted the request.
func (c *company) request(kind, machine, n int) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	path, body, name := c.body(kind, machine, n)
	for began := time.Now(); ; {
		text, err := c.send(ctx, machine, path, body)
		if err == nil {
			c.note(kind, machine, name, text, began)
			return
		}
		if !c.mayTryAgain(ctx, err) {
			return
		}
		time.Sleep(time.Second)
	}
}

// mayTryAgain counts a request without a good answer, and reports whether the machine sends it again.
func (c *company) mayTryAgain(ctx context.Context, err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, isRefused := errors.AsType[*refused](err)
	_, isWrong := errors.AsType[*wrong](err)
	switch {
	case isWrong || ctx.Err() != nil:
		c.failed++
		note("failed: " + err.Error())
		return false
	case isRefused:
		c.refused++
	default:
		c.broken++
	}
	return true
}

func (c *company) body(kind, machine, n int) (path, body, name string) {
	task := fmt.Sprintf(`{"agent":"agent-%d","session_id":"s%d"}`, machine%5, machine)
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`
	switch kind {
	case asking:
		return "/mcp", fmt.Sprintf(call, "guardrails_get_context", task), ""
	case logging:
		return "/mcp", fmt.Sprintf(call, "guardrails_log_decision", fmt.Sprintf(
			`{"guideline_id":"rule-%d","context":%s,"result":"approved","reason":"The owner of part %d agreed."}`, machine%perTenant, task, n)), ""
	}
	name = fmt.Sprintf("new-%d", c.changed.Add(1))
	return "/api/guardrails", guidelineText(name, "agent-9"), name
}

func (c *company) note(kind, machine int, name string, text []byte, began time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	c.took[kind] = append(c.took[kind], float64(now.Sub(began).Microseconds())/1e3)
	if !c.last.IsZero() {
		c.pause = max(c.pause, now.Sub(c.last))
	}
	c.last = now
	tenant := tenantOf(machine)
	switch kind {
	case changing:
		c.created[tenant] = append(c.created[tenant], name)
	case logging:
		var answer struct {
			Result struct {
				StructuredContent struct {
					AuditID string `json:"audit_id"`
				} `json:"structuredContent"`
			} `json:"result"`
		}
		if err := json.Unmarshal(text, &answer); err != nil || answer.Result.StructuredContent.AuditID == "" {
			note(fmt.Sprintf("failed: the answer to a decision has no id: %.300s", text))
			c.failed++
			return
		}
		c.logged[tenant] = append(c.logged[tenant], answer.Result.StructuredContent.AuditID)
	}
}

// The type "wrong" is an answer after which another attempt cannot succeed.
type wrong struct{ answer string }

func (w *wrong) Error() string { return w.answer }

// The type "refused" is an answer after which a machine tries again.
type refused struct{ status string }

func (r *refused) Error() string { return r.status }

// send() sends a request of a machine, and returns the body of a good answer.
func (c *company) send(ctx context.Context, machine int, path, body string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+path, bytes.NewReader([]byte(body)))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+c.tokens[machine%tenants])
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if path == "/api/guardrails" {
		r.Header.Set("Idempotency-Key", fmt.Sprintf("%x", sha256.Sum256([]byte(body))))
	}
	answer, err := c.client.Do(r)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		return nil, err
	}
	switch {
	case answer.StatusCode == http.StatusTooManyRequests, answer.StatusCode >= http.StatusInternalServerError:
		return nil, &refused{answer.Status}
	case answer.StatusCode >= http.StatusMultipleChoices, bytes.Contains(text, []byte(`"isError":true`)):
		return nil, &wrong{fmt.Sprintf("%s: %.300s", answer.Status, text)}
	}
	return text, nil
}

// settleTime is how long the servers may take to move the last decisions from their spools to the store.
const settleTime = 2 * time.Minute

// check() returns an error if an acknowledged decision or guideline is not in the store exactly once, or if the audit
// of a tenant does not pass verification.
func (c *company) check(ctx context.Context, addresses []string) error {
	s, err := elastic.Open(ctx, elastic.Options{Addresses: addresses, Existing: true})
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }() // everything was read
	return eachTenant(func(i int) error {
		for deadline := time.Now().Add(settleTime); ; time.Sleep(time.Second) {
			if err := c.checkTenant(ctx, s, tenantOf(i)); err == nil || time.Now().After(deadline) {
				return err
			}
		}
	})
}

func (c *company) checkTenant(ctx context.Context, s store.Store, tenant string) error {
	set, err := s.All(ctx, tenant)
	if err != nil {
		return err
	}
	times := map[string]int{}
	for i := range set.Guidelines {
		times[set.Guidelines[i].ID]++
	}
	for e, err := range s.Export(ctx, tenant, store.AuditFilter{}) {
		if err != nil {
			return err
		}
		times[e.ID]++
	}
	var problems []error
	for _, id := range slices.Concat(c.logged[tenant], c.created[tenant]) {
		if times[id] != 1 {
			problems = append(problems, fmt.Errorf("the store has %s %d times", id, times[id]))
		}
	}
	verdicts, err := s.Verify(ctx, tenant, nil)
	for _, v := range verdicts {
		if v.Fault != nil {
			problems = append(problems, fmt.Errorf("the audit does not verify: %+v", *v.Fault))
		}
	}
	return errors.Join(append(problems, err)...)
}

// answered() returns an error if a request got no good answer.
func (c *company) answered() error {
	if c.failed > 0 {
		return fmt.Errorf("%d requests got no good answer", c.failed)
	}
	return nil
}

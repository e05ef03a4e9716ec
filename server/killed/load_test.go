//go:build unix

package killed_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"guardrails/store"
	"guardrails/store/live"
)

// ledger records everything that the server acknowledged.
type ledger struct {
	mu sync.Mutex
	// guidelines and entries hold the ids of acknowledged guidelines and audit entries. refused holds the ids of
	// the tool calls that hooks refused.
	guidelines, entries, refused []string
	problems                     []string
}

func (l *ledger) add(list *[]string, id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	*list = append(*list, id)
}

func (l *ledger) problem(format string, args ...any) {
	l.add(&l.problems, fmt.Sprintf(format, args...))
}

// postUntilAnswered repeats a request until it is answered, like a client with an idempotency key. It returns nil if
// the load ends first.
func (s *fixture) postUntilAnswered(ctx context.Context, path, key string, body any) *answer {
	for ctx.Err() == nil {
		a := s.post(ctx, path, key, body)
		if a.err == nil && a.status != http.StatusServiceUnavailable {
			return &a
		}
		pause(ctx, 10*time.Millisecond)
	}
	return nil
}

// pause waits for the given time, or until the load ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// createOverREST creates guidelines. Each request has its own idempotency key.
func (s *fixture) createOverREST(ctx context.Context, l *ledger) {
	for i := 0; ctx.Err() == nil; i++ {
		id := fmt.Sprintf("rest-%d", i)
		a := s.postUntilAnswered(ctx, "/api/guardrails", "key-of-"+id, guideline(id, "never/"+id))
		switch {
		case a == nil:
		case a.status == http.StatusCreated:
			l.add(&l.guidelines, id)
		default:
			l.problem("creating %s: %d %s", id, a.status, a.body)
		}
		pause(ctx, 20*time.Millisecond)
	}
}

// logOverMCP logs decisions. It does not repeat a request without an acknowledgement, because the decision could then
// be logged twice.
func (s *fixture) logOverMCP(ctx context.Context, l *ledger) {
	for i := 0; ctx.Err() == nil; i++ {
		arguments := map[string]any{
			"guideline_id": "locked", "context": map[string]any{"agent": "a"}, "result": "approved",
			"reason": fmt.Sprint("number ", i),
		}
		a := s.post(ctx, "/mcp", "", map[string]any{
			"jsonrpc": "2.0", "id": 1, "method": "tools/call",
			"params": map[string]any{"name": "guardrails_log_decision", "arguments": arguments},
		})
		if a.err == nil {
			l.addDecision(&a)
		}
		pause(ctx, 20*time.Millisecond)
	}
}

func (l *ledger) addDecision(a *answer) {
	var got struct {
		Result struct {
			StructuredContent struct {
				AuditID string `json:"audit_id"`
			}
		}
	}
	err := json.Unmarshal(a.body, &got)
	id := got.Result.StructuredContent.AuditID
	if err != nil || a.status != http.StatusOK || id == "" {
		l.problem("a decision: %d %s", a.status, a.body)
		return
	}
	l.add(&l.entries, id)
}

// appendToStore appends decisions to the store from this process, which is not killed.
func appendToStore(ctx context.Context, b *live.TenantStore, l *ledger) {
	for i := 0; ctx.Err() == nil; i++ {
		id := fmt.Sprintf("store-%d", i)
		e := store.Entry{
			ID: id, Kind: store.KindDecision, Event: "decision", Actor: "another",
			Decision: &store.Decision{Result: "allow"},
		}
		// The end of the load must not cancel a running append, because the test would report that as a problem.
		if _, err := b.Append(context.WithoutCancel(ctx), e); err != nil {
			l.problem("appending %s: %v", id, err)
			continue
		}
		l.add(&l.entries, id)
		pause(ctx, 20*time.Millisecond)
	}
}

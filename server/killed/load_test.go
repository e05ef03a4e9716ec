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

// ledger is what was acknowledged.
type ledger struct {
	mu sync.Mutex
	// guidelines are ids, entries those of the audit, and refused the tool calls that hooks have refused.
	guidelines, entries, refused []string
	problems                     []string
}

func (l *ledger) note(list *[]string, id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	*list = append(*list, id)
}

func (l *ledger) wrong(format string, args ...any) { l.note(&l.problems, fmt.Sprintf(format, args...)) }

// again repeats a request until it is answered, as a client does that has a key for it; nil when the load ends before.
func (s *stage) again(ctx context.Context, path, key string, body any) *answer {
	for ctx.Err() == nil {
		a := s.post(ctx, path, key, body)
		if a.err == nil && a.status != http.StatusServiceUnavailable {
			return &a
		}
		pause(ctx, 10*time.Millisecond)
	}
	return nil
}

// pause waits, but no longer than the load goes on.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// overREST creates guidelines, each under a key of its own.
func (s *stage) overREST(ctx context.Context, l *ledger) {
	for i := 0; ctx.Err() == nil; i++ {
		id := fmt.Sprintf("rest-%d", i)
		a := s.again(ctx, "/api/guardrails", "key-of-"+id, guidelineOf(id, "never/"+id))
		switch {
		case a == nil:
		case a.status == http.StatusCreated:
			l.note(&l.guidelines, id)
		default:
			l.wrong("creating %s: %d %s", id, a.status, a.body)
		}
		pause(ctx, 20*time.Millisecond)
	}
}

// overMCP logs decisions. One that was not acknowledged is not repeated: it would be another one.
func (s *stage) overMCP(ctx context.Context, l *ledger) {
	for i := 0; ctx.Err() == nil; i++ {
		arguments := map[string]any{"guideline_id": "locked", "context": map[string]any{"agent": "a"}, "result": "approved", "reason": fmt.Sprint("number ", i)}
		a := s.post(ctx, "/mcp", "", map[string]any{
			"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": "guardrails_log_decision", "arguments": arguments},
		})
		if a.err == nil {
			l.decided(&a)
		}
		pause(ctx, 20*time.Millisecond)
	}
}

func (l *ledger) decided(a *answer) {
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
		l.wrong("a decision: %d %s", a.status, a.body)
		return
	}
	l.note(&l.entries, id)
}

// overStore writes into the store from another process, which is not killed.
func overStore(ctx context.Context, b *live.TenantStore, l *ledger) {
	for i := 0; ctx.Err() == nil; i++ {
		id := fmt.Sprintf("store-%d", i)
		e := store.Entry{ID: id, Kind: store.KindDecision, Event: "decision", Actor: "another", Decision: &store.Decision{Result: "allow"}}
		// What is written here must be written, whenever the load ends.
		if _, err := b.Append(context.WithoutCancel(ctx), e); err != nil {
			l.wrong("appending %s: %v", id, err)
			continue
		}
		l.note(&l.entries, id)
		pause(ctx, 20*time.Millisecond)
	}
}

package main

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/internal/product"
	"guardrails/internal/spool"
	"guardrails/service"
	"guardrails/store"
	"guardrails/store/live"
)

// The constant "clients" is the number of clients that make changes at the same time.
const clients = 64

// changesOf measures how many changes per second the store makes for one tenant if many clients request changes. A
// server has the tenant's guidelines in memory during this time.
func (g *goals) changesOf(ctx context.Context, b *backend, s *live.Store) error {
	of := s.For(live.Caller{Tenant: "changes", Actor: "bench"})
	if _, err := s.Snapshot(ctx, "changes"); err != nil {
		return err
	}
	return g.addRate(b.name+": changes of one tenant", g.changes, func() error {
		return together(clients, g.changes, func(i int) error {
			_, err := of.Create(ctx, sample(i))
			return err
		})
	}, b.changes)
}

// together() calls f with each number from 0 to count-1, in several goroutines.
func together(goroutines, count int, f func(i int) error) error {
	var next atomic.Int64
	failed := make([]error, goroutines)
	var all sync.WaitGroup
	for n := range goroutines {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < count && failed[n] == nil; i = int(next.Add(1)) - 1 {
				failed[n] = f(i)
			}
		})
	}
	all.Wait()
	return errors.Join(failed...)
}

// changeOfLarge measures how long a change takes for a tenant with many guidelines. The time includes updating the
// guidelines in memory.
func (g *goals) changeOfLarge(ctx context.Context, b *backend, s *live.Store) error {
	of := s.For(live.Caller{Tenant: "large", Actor: "bench"})
	if err := fillTenant(ctx, of, g.guidelines); err != nil {
		return err
	}
	if _, err := snapshot(ctx, s, "large"); err != nil {
		return err
	}
	var took []float64
	for i := range 20 {
		began := time.Now()
		if _, err := of.Create(ctx, sample(g.guidelines+i)); err != nil {
			return err
		}
		took = append(took, milliseconds(time.Since(began)))
	}
	g.add(fmt.Sprintf("%s: a change at %d guidelines", b.name, g.guidelines), quantile(took, 0.5), 20, "ms",
		fmt.Sprintf("slowest %.0f ms", quantile(took, 1)))
	return nil
}

// snapshot() reads the guidelines of a tenant into memory. With many guidelines, an attempt can fail because reading
// takes too long, so snapshot() tries again.
func snapshot(ctx context.Context, s *live.Store, tenant string) (v live.Snapshot, err error) {
	for range 60 {
		if v, err = s.Snapshot(ctx, tenant); err == nil {
			return v, nil
		}
		time.Sleep(time.Second)
	}
	return v, err
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }

// fillTenant imports the given number of guidelines ("count") into a tenant.
func fillTenant(ctx context.Context, of *live.TenantStore, count int) error {
	const atOnce = 5000
	for done := 0; done < count; done += atOnce {
		list := make([]guideline.Guideline, min(atOnce, count-done))
		for i := range list {
			list[i] = sample(done + i)
		}
		if _, err := of.Import(ctx, list, store.ImportOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// sample() returns a guideline with realistic texts. Ten guidelines apply to each agent.
func sample(i int) guideline.Guideline {
	words := []string{"commit", "review", "deploy", "secret", "worker", "contract", "schema", "migration"}
	word := words[i%len(words)]
	return guideline.Guideline{
		ID: fmt.Sprintf("guideline-%05d", i), Name: fmt.Sprintf("Guideline %d about the %s", i, word), Enabled: true,
		Description: fmt.Sprintf("Before a %s the team wants a look at the %s of area %d.", word, words[i/8%len(words)], i),
		Category:    guideline.Categories()[i%7], Priority: i * 7919 % 1001,
		Condition: guideline.Condition{
			Agents:  []string{fmt.Sprintf("agent-%d", i/10)},
			Domains: []string{fmt.Sprintf("P%02d", i%30)}, Paths: []string{fmt.Sprintf("src/area%d/*", i%500)},
		},
		Action: guideline.Action{
			Type: guideline.ToolRestriction, Instruction: fmt.Sprintf("Ask the owner of area %d before a %s.", i%500, word),
			ToolsDenied: []string{"Write(contracts/*)"},
		},
		Metadata: map[string]any{"tags": []any{fmt.Sprintf("tag-%d", i%12)}},
	}
}

// takenIn measures how many decisions per second a server moves from the hooks' spool to the store.
func (g *goals) takenIn(ctx context.Context, b *backend, s *live.Store) error {
	home := filepath.Join(g.dir, "spool of "+b.name)
	env := func(name string) string { return map[string]string{product.VariableHome: home}[name] }
	now := time.Now()
	for i := range g.decisions {
		at := now.Add(time.Duration(i-g.decisions) * time.Millisecond)
		r := spool.Record{
			Time: at.UTC().Format(time.RFC3339Nano), Kind: "call", Outcome: "deny", Event: "PreToolUse", SessionID: fmt.Sprint("s", i/200),
			Agent: "backend", Project: g.project, Tool: "Bash", ToolUseID: fmt.Sprint("toolu_", i), GuidelineID: "guideline-00007", Version: 3,
			Reason: "The call overwrites a remote branch.", Source: "store", Micros: 412, Paths: []string{"write src/area7/pool.py"},
		}
		if err := spool.Append(product.StateDir(env), now, r.Line()); err != nil {
			return err
		}
	}
	server := service.New(service.Options{
		Env: env, Now: time.Now, Dir: g.project,
		Open: func(context.Context, *config.Config) (*live.Store, error) { return s, nil },
	})
	return g.addRate(b.name+": decisions taken in", g.decisions, func() error {
		report, err := server.TakeIn(ctx)
		for taken := report.Taken; err == nil && taken < g.decisions; taken += report.Taken {
			if report, err = server.TakeIn(ctx); report.Taken == 0 {
				return errors.Join(err, fmt.Errorf("%d of %d decisions were taken in", taken, g.decisions))
			}
		}
		return err
	}, b.decisions)
}

// pages() measures how long it takes to read five pages of the audit: the first, the last, and three between them. It
// records the time of the slowest page.
func (g *goals) pages(ctx context.Context, b *backend, s store.Store) error {
	if err := g.fillAudit(ctx, b, s); err != nil {
		return err
	}
	places, err := g.places(ctx, s)
	if err != nil {
		return err
	}
	worst, remark := 0.0, ""
	for at, paging := range places {
		var took []float64
		for range 21 {
			began := time.Now()
			page, err := s.Query(ctx, "audit", store.AuditQuery{Paging: paging})
			if err == nil && len(page.Items) == 0 {
				err = fmt.Errorf("the page at %d %% is empty", at*25)
			}
			if err != nil {
				return err
			}
			took = append(took, milliseconds(time.Since(began)))
		}
		middle := quantile(took, 0.5)
		worst, remark = max(worst, middle), fmt.Sprintf("%s%d %%: %.1f ms, ", remark, at*25, middle)
	}
	g.add(fmt.Sprintf("%s: a page anywhere in %d entries", b.name, g.entries), worst, b.page, "ms", remark+"medians of 21")
	return nil
}

func (g *goals) fillAudit(ctx context.Context, b *backend, s store.Store) error {
	const atOnce = 2000
	began, start := time.Now(), time.Now().Add(-time.Duration(g.entries)*time.Second).Truncate(time.Second)
	for done := 0; done < g.entries; done += atOnce {
		batch := make([]store.Entry, min(atOnce, g.entries-done))
		for i := range batch {
			batch[i] = entry(done+i, start)
		}
		if _, err := s.Append(ctx, "audit", batch...); err != nil {
			return err
		}
	}
	note("%s: %.0f entries a second were appended to fill the audit", b.name, float64(g.entries)/time.Since(began).Seconds())
	return nil
}

func entry(i int, start time.Time) store.Entry {
	return store.Entry{
		ID: fmt.Sprintf("entry-%08d", i), Time: start.Add(time.Duration(i) * time.Second), Kind: store.KindDecision, Event: "tool_call",
		Actor: fmt.Sprintf("agent-%d", i%5), Session: fmt.Sprintf("session-%d", i/200), Guideline: fmt.Sprintf("guideline-%05d", i%1000),
		Version:  3,
		Decision: &store.Decision{Result: "deny", Reason: "The call overwrites a remote branch.", Tool: "Bash", Micros: 412},
		Context:  &guideline.Context{Agent: "backend", Domain: "P01", Action: "implement", Paths: []string{"src/workers/pool.py"}},
	}
}

// places() returns five pages of the audit: the first page, the pages at a quarter, a half and three quarters of the
// audit, and the last page. Reading all earlier pages too would take an hour. Instead, for each of the five pages, the
// function finds an entry near the page by its time. It then builds the cursor of the page from the position of this
// entry.
func (g *goals) places(ctx context.Context, s store.Store) ([5]store.Paging, error) {
	var out [5]store.Paging
	first, err := s.Query(ctx, "audit", store.AuditQuery{Paging: store.Paging{Size: 1}})
	if err != nil {
		return out, err
	}
	newest := first.Items[0].Time
	for i := 1; i < len(out); i++ {
		older := min(g.entries*i/(len(out)-1), g.entries-store.DefaultPageSize) // in seconds: one for each entry
		near, err := s.Query(ctx, "audit", store.AuditQuery{
			AuditFilter: store.AuditFilter{To: newest.Add(-time.Duration(older) * time.Second)}, Paging: store.Paging{Size: 1},
		})
		if err != nil {
			return out, err
		}
		if out[i].Cursor, err = cursorAt(first.Next, near.Next); err != nil {
			return out, err
		}
	}
	return out, nil
}

// cursorAt combines two cursors: it takes the position from the cursor "position", and everything else from the cursor
// "list". A cursor consists of the beginning of a checksum, followed by JSON.
func cursorAt(list, position string) (string, error) {
	const checkBytes = 6
	var content [2]map[string]json.RawMessage
	for i, cursor := range []string{list, position} {
		text, err := base64.RawURLEncoding.DecodeString(cursor)
		if err != nil || len(text) < checkBytes {
			return "", fmt.Errorf("the cursor %q cannot be read: %w", cursor, err)
		}
		if err := json.Unmarshal(text[checkBytes:], &content[i]); err != nil {
			return "", err
		}
	}
	content[0]["a"] = content[1]["a"]
	text, err := json.Marshal(content[0])
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(append(sum[:checkBytes:checkBytes], text...)), nil
}

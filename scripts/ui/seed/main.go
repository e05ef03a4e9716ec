// Seed writes decisions into an SQLite database. The page can then be tested with a large audit.
//
//	seed [-entries N] DATABASE
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/store/sqlite"
)

func main() {
	entries := flag.Int("entries", 20_000, "how many decisions to create; their times are one second apart, and the "+
		"last one is now")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := fill(context.Background(), flag.Arg(0), *entries); err != nil {
		fmt.Fprintln(os.Stderr, "seed:", err)
		os.Exit(1)
	}
}

func fill(ctx context.Context, path string, entries int) error {
	s, err := sqlite.Open(ctx, sqlite.Options{Path: path})
	if err != nil {
		return err
	}
	return errors.Join(addDecisions(ctx, s, entries), s.Close())
}

func addDecisions(ctx context.Context, s store.Store, entries int) error {
	const atOnce = 2000
	start := time.Now().Add(-time.Duration(entries) * time.Second).Truncate(time.Second)
	for done := 0; done < entries; done += atOnce {
		batch := make([]store.Entry, min(atOnce, entries-done))
		for i := range batch {
			batch[i] = decision(done+i, start)
		}
		if _, err := s.Append(ctx, "", batch...); err != nil {
			return err
		}
	}
	return nil
}

// decision() returns a sample decision. Most of the sample decisions allow a call.
func decision(i int, start time.Time) store.Entry {
	results := []string{"allow", "allow", "allow", "allow", "allow", "allow", "warn", "ask", "deny", "allow"}
	return store.Entry{
		ID: fmt.Sprintf("seed-%08d", i), Time: start.Add(time.Duration(i) * time.Second), Kind: store.KindDecision, Event: "decision",
		Actor: fmt.Sprintf("agent-%d", i%5), Session: fmt.Sprintf("session-%d", i/200), Guideline: fmt.Sprintf("load-%05d", i%1000),
		Version: 1,
		Decision: &store.Decision{
			Result: results[i%len(results)], Tool: "Bash", Micros: 412,
			Reason: fmt.Sprintf("The call number %d overwrites a branch that other people use too.", i),
		},
		Context: &guideline.Context{Agent: "backend", Domain: "P01", Action: "implement", Paths: []string{"src/workers/pool.py"}},
	}
}

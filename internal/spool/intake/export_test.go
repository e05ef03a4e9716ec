package intake

import (
	"time"

	"guardrails/internal/spool"
)

// Age makes all files look older by the given time.
func (i *Intake) Age(by time.Duration) {
	for key, q := range i.quiet {
		i.quiet[key] = quiet{q.size, q.since.Add(-by)}
	}
}

// Entry converts a line to an audit entry, and returns the error.
func Entry(text []byte) error {
	r, err := spool.Parse(text)
	if err != nil {
		return err
	}
	_, err = line{r}.entry(place{"2026-02-05.jsonl", 7}.id(text), "acme", time.Unix(1e9, 0))
	return err
}

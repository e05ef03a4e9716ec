package intake

import "time"

// Age makes files count as still for longer.
func (i *Intake) Age(by time.Duration) {
	for key, q := range i.quiet {
		i.quiet[key] = quiet{q.size, q.since.Add(-by)}
	}
}

// Entry tries a line.
func Entry(text []byte) error {
	l, err := parse(text)
	if err != nil {
		return err
	}
	_, err = l.entry(place{"2026-02-05.jsonl", 7}.id(text), "acme", time.Unix(1e9, 0))
	return err
}

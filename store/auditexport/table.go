// Package auditexport writes audit entries for other programs, as CSV for spreadsheets or as lines of JSON.
//
// Start with CSV. cell.go prevents spreadsheets from reading a cell as a formula.
package auditexport

import (
	"encoding/csv"
	"io"
	"iter"
	"strconv"
	"strings"

	"guardrails/store"
)

// Columns returns the names of the CSV columns, in order.
func Columns() []string {
	return []string{
		"timestamp", "event_type", "kind", "actor", "session_id", "guideline_id", "guideline_name", "guideline_version",
		"result", "reason", "user_response", "tool", "fallback", "duration_us", "effects_digest",
		"agent", "domain", "action", "paths", "event", "gate_type", "changes", "id", "writer", "seq", "hash",
	}
}

// CSV writes a row with the names of the columns and a row for each entry. Spreadsheets do not read any cell as a
// formula.
func CSV(w io.Writer, entries iter.Seq2[store.Entry, error]) error {
	out := csv.NewWriter(w)
	if err := out.Write(Columns()); err != nil {
		return err
	}
	for e, err := range entries {
		if err != nil {
			out.Flush() // keep the rows that were read; the error says that some rows are missing
			return err
		}
		cells, err := row(&e)
		if err != nil {
			return err
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// Lines is a function that writes each entry as a line of canonical JSON. The hash of the entry was computed from the
// same JSON.
func Lines(w io.Writer, entries iter.Seq2[store.Entry, error]) error {
	for e, err := range entries {
		if err != nil {
			return err
		}
		line, err := store.EncodeEntry(&e)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

func row(e *store.Entry) ([]string, error) {
	changes, err := encodeChanges(e.Changes)
	if err != nil {
		return nil, err
	}
	cells := []string{
		e.Time.UTC().Format(timeFormat), e.Event, string(e.Kind), e.Actor, e.Session, e.Guideline, e.GuidelineName,
		number(int64(e.Version)),
	}
	cells = append(append(cells, decision(e)...), context(e)...)
	cells = append(cells, changes, e.ID, e.Writer, number(e.Seq), e.Hash)
	for i := range cells {
		cells[i] = cell(cells[i])
	}
	return cells, nil
}

// timeFormat has milliseconds, like the times in the store.
const timeFormat = "2006-01-02T15:04:05.000Z"

func decision(e *store.Entry) []string {
	d := e.Decision
	if d == nil {
		d = &store.Decision{}
	}
	return []string{d.Result, d.Reason, d.UserResponse, d.Tool, d.Fallback, number(d.Micros), d.Effects}
}

func context(e *store.Entry) []string {
	c := e.Context
	if c == nil {
		return make([]string, 6)
	}
	return []string{c.Agent, c.Domain, c.Action, strings.Join(c.Paths, "\n"), c.Event, c.GateType}
}

// number() returns n in decimal, or "" if n is 0.
func number(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

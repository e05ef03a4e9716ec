// Package spool keeps the records of decisions until they are moved into the audit. Hooks and the service append lines
// to the day's file; package intake moves them into the store.
//
// It is linked into every hook.
package spool

import (
	"path/filepath"
	"time"

	"guardrails/internal/document"
	"guardrails/internal/private"
	"guardrails/internal/product"
)

// Extension ends the name of a day's file.
const Extension = ".jsonl"

// FileName returns the name of the file for a point in time. Days are in UTC.
func FileName(at time.Time) string {
	return document.FormatTime(at)[:len(time.DateOnly)] + Extension
}

// Append adds a line to the current file in a state folder.
func Append(stateDir string, now time.Time, line []byte) error {
	d, err := private.OpenMovable(filepath.Join(stateDir, product.SpoolFolder), product.VariableState)
	if err != nil {
		return err
	}
	return d.Append(FileName(now), line)
}

// Package spool stores the records of decisions until they are moved into the audit. Hooks and the service append lines
// to the file of the day. Package intake moves the lines into the store.
//
// Every hook links this package.
package spool

import (
	"path/filepath"
	"time"

	"guardrails/internal/document"
	"guardrails/internal/private"
	"guardrails/internal/product"
)

// Extension is the file name extension of the spool's files. There is one file for each day.
const Extension = ".jsonl"

// FileName returns the name of the file for the day (in UTC) to which a time belongs.
func FileName(at time.Time) string {
	return document.FormatTime(at)[:len(time.DateOnly)] + Extension
}

// Append adds a line to the current file in a state folder.
func Append(stateDir string, now time.Time, line []byte) error {
	d, err := folder(stateDir)
	if err != nil {
		return err
	}
	return d.Append(FileName(now), line)
}

// AppendSynced is like Append, but when it returns, the line is on the disk.
func AppendSynced(stateDir string, now time.Time, line []byte) error {
	d, err := folder(stateDir)
	if err != nil {
		return err
	}
	if err := d.Append(FileName(now), line); err != nil {
		return err
	}
	return d.Sync(FileName(now))
}

func folder(stateDir string) (*private.Dir, error) {
	return private.OpenMovable(filepath.Join(stateDir, product.SpoolFolder), product.VariableState)
}

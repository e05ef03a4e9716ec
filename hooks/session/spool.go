package session

import (
	"path/filepath"
	"time"

	"guardrails/internal/document"
)

// StateDir finds the folder of what outlives a session and makes it when it is missing. It is as safe as the runtime
// folder; without a home in the environment the cause of the error is ErrHome.
func StateDir(env func(string) string) (string, error) {
	base := env(variableState)
	if !filepath.IsAbs(base) {
		home := env("HOME")
		if !filepath.IsAbs(home) {
			return "", &Failed{"cannot be found", "the state folder", ErrHome, "set HOME or " + variableState}
		}
		base = filepath.Join(home, ".local", "state")
	}
	d, err := at(filepath.Join(base, "guardrails"), variableState)
	if err != nil {
		return "", err
	}
	return d.path, nil
}

// Spool adds a record to the day's file of audit events, from which the server takes them in. Days are those of UTC.
func Spool(stateDir string, now time.Time, record []byte) error {
	d, err := at(filepath.Join(stateDir, "spool"), variableState)
	if err != nil {
		return err
	}
	return d.Append(document.FormatTime(now)[:len(time.DateOnly)]+".jsonl", record)
}

package session

import (
	"path/filepath"
	"time"

	"guardrails/internal/document"
	"guardrails/internal/product"
)

// StateDir finds the folder of what outlives a session and makes it when it is missing. It is as safe as the runtime
// folder; without a home in the environment the cause of the error is ErrHome.
func StateDir(env func(string) string) (string, error) {
	path := product.StateDir(env)
	if path == "" {
		return "", &Failed{"cannot be found", "the state folder", ErrHome, "set HOME or " + product.VariableState}
	}
	d, err := at(path, product.VariableState)
	if err != nil {
		return "", err
	}
	return d.path, nil
}

// Spool adds a record to the day's file of audit events, from which the server takes them in. Days are those of UTC.
func Spool(stateDir string, now time.Time, record []byte) error {
	d, err := at(filepath.Join(stateDir, product.SpoolFolder), product.VariableState)
	if err != nil {
		return err
	}
	return d.Append(document.FormatTime(now)[:len(time.DateOnly)]+".jsonl", record)
}

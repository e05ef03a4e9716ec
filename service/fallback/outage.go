package fallback

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"time"

	"guardrails/internal/private"
)

// Outage describes a problem that keeps hooks from reading or reaching the guidelines of a project.
type Outage struct {
	// Session is the last session that noticed the outage.
	Session string    `json:"session"`
	Since   time.Time `json:"since"`
	Mode    string    `json:"mode"`
	Reason  string    `json:"reason"`
	// StoreDown is set when the store cannot be used.
	StoreDown bool `json:"away,omitempty"`
}

const (
	outageFolder = "outage"
	maxOutage    = 64 << 10
)

// Outage is a method that returns the current outage that a project's hooks recorded, or nil if there is none.
func (k *Keeper) Outage(root string) (*Outage, error) {
	d, _, err := k.Dir(outageFolder)
	if err != nil {
		return nil, err
	}
	return readOutage(d, fileName(root))
}

// EndOutage removes the record of an outage. It returns notices for the user if there are problems.
func (k *Keeper) EndOutage(root string) []string {
	d, _, err := k.Dir(outageFolder)
	if err != nil {
		return nil // the next write into the folder reports the problem
	}
	if _, err := d.Remove(fileName(root)); err != nil {
		return []string{"guardrails cannot remove its note of an outage: " + err.Error()}
	}
	return nil
}

// noteOutage records an outage and sets the field Since of f. If the outage was recorded before, f gets the time of the
// first record, and the reason stays the same while the store is down. noteOutage returns notices for the user if the
// record cannot be written.
func (k *Keeper) noteOutage(root, session string, f *Fallback) []string {
	f.Since = k.Now().UTC().Truncate(time.Second)
	d, notice, err := k.Dir(outageFolder)
	var notices []string
	if notice != "" {
		notices = append(notices, notice)
	}
	if err == nil {
		err = writeOutage(d, fileName(root), session, f)
	}
	if err != nil {
		notices = append(notices, "guardrails cannot note an outage: "+err.Error())
	}
	return notices
}

func readOutage(d *private.Dir, name string) (*Outage, error) {
	text, err := d.Read(name, maxOutage)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	o := &Outage{}
	if err := json.Unmarshal(text, o); err != nil {
		return nil, errors.New(d.Path(name) + " is damaged; remove it")
	}
	return o, nil
}

func writeOutage(d *private.Dir, name, session string, f *Fallback) error {
	before, err := readOutage(d, name)
	if err == nil && before != nil && before.Since.Before(f.Since) {
		f.Since = before.Since
	}
	if err == nil && before != nil && before.StoreDown && f.storeDown {
		// A store that is down can fail with different errors. Show the user only the first error.
		f.Reason = before.Reason
	}
	if session == "" {
		return nil // a request without a session must not replace the recorded session
	}
	now := Outage{Session: session, Since: f.Since, Mode: f.Mode, Reason: f.Reason, StoreDown: f.storeDown}
	if before != nil && *before == now {
		return nil
	}
	text, err := json.Marshal(now)
	if err != nil {
		return err
	}
	return d.Write(name, text)
}

func fileName(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16]) + ".json"
}

package detectors

import (
	"sync"
	"time"

	"guardrails/config"
	"guardrails/detect/effect"
	"guardrails/internal/private"
)

// Desk passes the events of sessions to the detectors, and returns texts for a person or an agent. It stores the data
// that the detectors need between two events of a session. It is safe for concurrent use.
type Desk struct {
	mu sync.Mutex
	// The function folder() opens the folder with the files of sessions.
	folder func() (*private.Dir, error)
}

// New returns a desk. The function folder() opens the folder with the files of sessions.
func New(folder func() (*private.Dir, error)) *Desk { return &Desk{folder: folder} }

// The type "files" reads and writes the states of sessions and the clock.
type files struct{ dir *private.Dir }

// Event has the fields that all events of a session have in common.
type Event struct {
	Session  string
	Settings *config.Detectors
	Now      time.Time
}

// Reply is what the desk returns for an event. All fields can be empty.
type Reply struct {
	// Line is for the person.
	Line string
	// Counter is a text that asks the model for another answer. It is empty if none is needed.
	Counter string
	// Note is for an agent in a loop. Ask is set if the hook must ask the person before the next identical call.
	Note string
	Ask  bool
	// Detection says what a detector noticed. It is nil if the reply is not about a detection.
	Detection *Detection
}

// Detection is what a detector noticed.
type Detection struct {
	Event effect.Event
	// Result is the detected level, or the constant Detected if the detector has no levels.
	Result     string
	Count      int
	Confidence float64
}

// open() locks the desk and opens the files.
func (d *Desk) open() (*files, func(), error) {
	dir, err := d.folder()
	if err != nil {
		return nil, nil, err
	}
	d.mu.Lock()
	return &files{dir}, d.mu.Unlock, nil
}

// The names of the detectors, as a person types them.
const (
	rumination = "rumination"
	hyperfocus = "hyperfocus"
	sycophancy = "sycophancy"
	toolLoop   = "tool-loop"
)

func names() []string { return []string{rumination, hyperfocus, sycophancy, toolLoop} }

// watchesPeople reports whether a detector looks at what a person types.
func watchesPeople(d *config.Detectors) bool {
	return d.Rumination != config.Off || d.Hyperfocus != config.Off || d.Sycophancy != config.Off
}

package safety

import "time"

// Dependence says whether a model's answers have too often encouraged a person to depend on the model.
type Dependence struct {
	Active      bool `json:"active"`
	RecentCount int  `json:"recent_count"`
}

const (
	// CooldownWindow is the time for which a trip counts. A trip is an answer for which EmotionalDependenceGate triggered.
	// The cooldown is active after cooldownCount trips within this time.
	CooldownWindow = 60 * time.Minute
	cooldownCount  = 3
	// CooldownDelay is how long the caller should delay an answer while the cooldown is active.
	CooldownDelay = 30 * time.Second
	// ToneBoundary is the tone that the caller should ask for while the cooldown is active.
	ToneBoundary = "boundary_respectful"
)

// Counts is a function that reports whether a trip at the given time still counts. CooldownWindow explains what a trip
// is.
func Counts(trip, now time.Time) bool {
	age := now.Sub(trip)
	return age >= 0 && age <= CooldownWindow
}

// Cooldown returns the state of a person who has the given number of trips that still count. If the gate has just
// triggered, the number includes that trip.
func Cooldown(trips int) Dependence {
	return Dependence{Active: trips >= cooldownCount, RecentCount: trips}
}

package safety

import "time"

// Dependence says whether a model's answers have too often encouraged a person to depend on the model.
type Dependence struct {
	Active      bool `json:"active"`
	RecentCount int  `json:"recent_count"`
}

const (
	// CooldownWindow is how long a trip counts. cooldownCount is how many trips make the cooldown active.
	CooldownWindow = 60 * time.Minute
	cooldownCount  = 3
	// CooldownDelay is how long the caller should delay an answer while the cooldown is active.
	CooldownDelay = 30 * time.Second
	// ToneBoundary is the tone that the caller should ask for while the cooldown is active.
	ToneBoundary = "boundary_respectful"
)

// Cooldown counts the trips of the last hour. A trip is a time at which EmotionalDependenceGate triggered for the
// person. If the gate has just triggered, trips includes now. kept are the trips that still count, in the same order.
func Cooldown(trips []time.Time, now time.Time) (d Dependence, kept []time.Time) {
	for _, t := range trips {
		if age := now.Sub(t); age >= 0 && age <= CooldownWindow {
			kept = append(kept, t)
		}
	}
	return Dependence{Active: len(kept) >= cooldownCount, RecentCount: len(kept)}, kept
}

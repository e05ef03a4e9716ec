package safety

import "time"

// Dependence says whether the answers of a model make a person lean on it too often.
type Dependence struct {
	Active      bool `json:"active"`
	RecentCount int  `json:"recent_count"`
}

const (
	// CooldownWindow is how long a trip counts, and cooldownCount is how many make the cooldown active.
	CooldownWindow = 60 * time.Minute
	cooldownCount  = 3
	// CooldownDelay is by how much the caller should delay the answer while the cooldown is active.
	CooldownDelay = 30 * time.Second
	// ToneBoundary is the tone that the caller should ask for while the cooldown is active.
	ToneBoundary = "boundary_respectful"
)

// Cooldown counts the trips of the last hour. trips are the times at which EmotionalDependenceGate triggered for one
// person, with the one at now if there is one. kept are the trips that still count, in the same order.
func Cooldown(trips []time.Time, now time.Time) (d Dependence, kept []time.Time) {
	for _, t := range trips {
		if age := now.Sub(t); age >= 0 && age <= CooldownWindow {
			kept = append(kept, t)
		}
	}
	return Dependence{Active: len(kept) >= cooldownCount, RecentCount: len(kept)}, kept
}

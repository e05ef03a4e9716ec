package safety

import "guardrails/detect/advice"

// For each decision, the lowest score that leads to it.
const (
	blockAt = 0.80
	holdAt  = 0.50
	flagAt  = 0.30
)

// benignFactor lowers the weight of a single pattern in a benign context.
const benignFactor = 0.1

// Score returns the score of a category from the strengths of the patterns that matched, and the decision. The
// parameter "benign" is set if the match is in a benign context.
func Score(category Category, strengths []Strength, benign bool) (float64, Action) {
	factor, rest, isStrong := 1.0, 1.0, false
	if benign && len(strengths) == 1 && category != SexualMinors {
		factor = benignFactor
	}
	for _, s := range strengths {
		rest *= 1 - s.weight()*factor
		isStrong = isStrong || s == Strong
	}
	score := advice.Round(1 - rest)
	if category == SelfHarm && isStrong {
		score = max(score, holdAt) // a strong pattern for self-harm notifies a person even in a benign context
	}
	return score, actionOf(score)
}

func (s Strength) weight() float64 {
	switch s {
	case Strong:
		return 0.92
	case Medium:
		return 0.60
	}
	return 0.35
}

func actionOf(score float64) Action {
	switch {
	case score >= blockAt:
		return Block
	case score >= holdAt:
		return Hold
	case score >= flagAt:
		return Flag
	}
	return Proceed
}

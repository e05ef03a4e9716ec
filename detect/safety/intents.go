package safety

// Intent is what the words of a message say about the person who wrote it. Some intents are a risk for the answer.
type Intent string

// The intents, from the most severe one to the mildest one.
const (
	IntentSelfHarm   Intent = "behavior_self_harm"
	IntentGrandiose  Intent = "behavior_grandiose"
	IntentDependency Intent = "behavior_dependency"
	IntentRomantic   Intent = "behavior_romantic"
	IntentAggression Intent = "behavior_aggression"
	// IntentLooping is not a risk for the answer.
	IntentLooping Intent = "behavior_looping"
)

// AllIntents returns all intents, from the most severe one to the mildest one.
func AllIntents() []Intent {
	return []Intent{IntentSelfHarm, IntentGrandiose, IntentDependency, IntentRomantic, IntentAggression, IntentLooping}
}

// IsRisk reports whether the answer to a message with the intent can do harm.
func (i Intent) IsRisk() bool { return i != IntentLooping }

// Intents returns the intents of a message, the most severe one first.
func Intents(message string) []Intent { return findIn(message).intents() }

func (f *findings) intents() []Intent {
	out := []Intent{}
	for _, intent := range AllIntents() {
		switch intent {
		case IntentSelfHarm:
			if f.inCategory(SelfHarm).score >= holdAt {
				out = append(out, intent)
			}
		case IntentLooping:
			if repeats(f.tokens) {
				out = append(out, intent)
			}
		default:
			if f.inCategory(Category(intent)).score >= holdAt {
				out = append(out, intent)
			}
		}
	}
	return out
}

const (
	// loopTimes is how many times a phrase must occur to count as a loop.
	loopTimes = 5
	// shortLoop and longLoop are the smallest and the largest number of words in a phrase that occurs several times in
	// a row.
	shortLoop, longLoop = 2, 8
)

// repeats() reports whether one sentence occurs five times, or one phrase occurs five times in a row.
func repeats(tokens []token) bool {
	sentences := map[uint64]int{}
	var words []uint32
	sum, count := uint64(0), 0
	for i := range tokens {
		if t := &tokens[i]; t.sum != 0 {
			sum, count = sum*1099511628211+uint64(t.sum), count+1
			words = append(words, t.sum)
		} else if t.start == t.end {
			if sentences[sum]++; sentences[sum] >= loopTimes && count > shortLoop {
				return true
			}
			sum, count = 0, 0
		}
	}
	return comesAgain(words)
}

// comesAgain reports whether a phrase occurs five times in a row.
func comesAgain(words []uint32) bool {
	for size := shortLoop; size <= longLoop; size++ {
		run := 0
		for i := size; i < len(words); i++ {
			if words[i] != words[i-size] || words[i] == words[i-1] {
				run = 0
			} else if run++; run >= (loopTimes-1)*size {
				return true
			}
		}
	}
	return false
}

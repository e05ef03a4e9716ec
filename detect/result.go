package detect

// Result is the context of one prompt and what it was read from.
type Result struct {
	// Domain and Action are empty when nothing decided them.
	Domain string `json:"domain"`
	Action string `json:"action"`
	// Ambiguous says that the prompt's words name two domains or two actions.
	Ambiguous bool `json:"ambiguous"`
	// Matches are the words that mean something, in the prompt's order; at most MaxMatches of them, never nil.
	Matches []Match `json:"matches"`
}

// MaxMatches bounds Result.Matches; later words still take part in the decision.
const MaxMatches = 100

// Match is one word or phrase of the prompt that names a domain or an action.
type Match struct {
	// Field is "domain" or "action".
	Field string `json:"field"`
	Value string `json:"value"`
	// Word is as the prompt has it, at byte Offset.
	Word   string `json:"word"`
	Offset int    `json:"offset"`
}

const (
	fieldDomain = "domain"
	fieldAction = "action"
)

package detect

// Result is the context of a prompt and the words that name it.
type Result struct {
	// Domain and Action are empty if the words, the model and the defaults all leave them open.
	Domain string `json:"domain"`
	Action string `json:"action"`
	// Ambiguous is set if the words of the prompt name more than one domain or more than one action.
	Ambiguous bool `json:"ambiguous"`
	// The field "Matches" lists the words that name a domain or an action, in the order of the prompt. It has at most
	// MaxMatches elements and is never nil.
	Matches []Match `json:"matches"`
}

// MaxMatches limits the length of Result.Matches. Later words still count for the decision.
const MaxMatches = 100

// Match is one word or phrase of the prompt that names a domain or an action.
type Match struct {
	// Field is "domain" or "action".
	Field string `json:"field"`
	Value string `json:"value"`
	// Word is the text of the match as the prompt contains it. It begins at byte Offset.
	Word   string `json:"word"`
	Offset int    `json:"offset"`
}

const (
	fieldDomain = "domain"
	fieldAction = "action"
)

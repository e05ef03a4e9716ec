// Package safety checks what people write to a model and what a model answers. Check looks for messages of people who
// are in danger or who want help to do harm. Answer runs six gates over an answer. Both functions return what matched,
// a score and a decision.
//
// The package looks only at words. Its functions are pure: they store nothing, read no clock and call no model. The
// rules are text files in the folder "rules", beside the cases that test them. Start with Check. compile_test.go
// describes the form of the rule files. match.go finds patterns in linear time. prose.go decides which parts of a text
// are read.
package safety

// Action is a decision.
type Action string

// The decisions, from the mildest to the strictest one.
const (
	// Proceed: nothing was found.
	Proceed Action = "PROCEED"
	// Flag: the finding is recorded, and nothing else happens.
	Flag Action = "FLAG"
	// Hold: a person is notified, and nothing is stopped.
	Hold Action = "HOLD"
	// Block: the message or the answer is refused.
	Block Action = "BLOCK"
)

// Actions returns all decisions, from the mildest to the strictest one.
func Actions() []Action { return []Action{Proceed, Flag, Hold, Block} }

// Category is a kind of risk in a message, or a reason why a gate triggers.
type Category string

// The categories of messages.
const (
	SelfHarm        Category = "self_harm"
	Violence        Category = "violence"
	Illegal         Category = "illegal"
	PIIExtraction   Category = "pii_extraction"
	SexualMinors    Category = "sexual_minors"
	LegalAdvice     Category = "legal_advice_request"
	FinancialAdvice Category = "financial_advice_request"
)

// Categories returns the categories of messages. Flags with the same score are in this order.
func Categories() []Category {
	return []Category{SelfHarm, Violence, Illegal, PIIExtraction, SexualMinors, LegalAdvice, FinancialAdvice}
}

// Strength says how much a pattern counts.
type Strength string

// The strengths.
const (
	Strong Strength = "strong"
	Medium Strength = "medium"
	Weak   Strength = "weak"
)

// Match is a part of a text that matches a pattern. Start and End are positions in the text, in code points.
type Match struct {
	Phrase   string   `json:"phrase"`
	Category Category `json:"category"`
	Pattern  string   `json:"pattern"`
	Strength Strength `json:"strength"`
	Start    int      `json:"start"`
	End      int      `json:"end"`
}

// Override explains why a decision is milder than it would be because of the matches alone.
type Override struct {
	// Kind is "benign_context" for an override of this package. The overrides of policies have another kind.
	Kind string `json:"kind"`
	// Name is the name of the context, such as "idiom".
	Name string `json:"name"`
	From Action `json:"from"`
	To   Action `json:"to"`
}

// BenignContext is the Kind of an Override that this package makes.
const BenignContext = "benign_context"

// MaxText is the largest number of characters in a message or an answer.
const MaxText = 32768

// Options are the options of Check. With the zero value, Check looks for all categories.
type Options struct {
	// The field "Off" has the categories that are switched off.
	Off []Category
	// The field "Observed" lists categories whose decision counts only if no other category decides on Hold or Block.
	Observed []Category
}

// Input is what Check found in a message.
type Input struct {
	Action    Action  `json:"action"`
	RiskScore float64 `json:"risk_score"`
	// Flags are the categories at FLAG or above, highest score first. Decisions has the decision for each of these
	// categories.
	Flags     []Category `json:"flags"`
	Decisions []Action   `json:"-"`
	Matched   []Match    `json:"matched"`
	Override  *Override  `json:"override"`
	Intents   []Intent   `json:"intents"`
	// Referral says where a person finds help. It is empty if the action is PROCEED.
	Referral string `json:"referral,omitempty"`
}

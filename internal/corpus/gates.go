package corpus

// Gate says how good a detector must be on the test split, over some categories together. A number that is zero is not
// checked.
type Gate struct {
	Name       string
	Categories []string
	// Precision and Recall are at least so high. FalseAlarms, the share of silent examples that the detector reports,
	// is at most so high.
	Precision, Recall, FalseAlarms float64
	// Wanted and Silent are the numbers of examples that each category has at least, in both splits together.
	Wanted, Silent int
}

// PersonalDataLines is the number of lines that the corpus of personal data has at least.
const PersonalDataLines = 2000

// PersonalData returns the gates of detect/pii. A card number or a social security number is tier 1.
func PersonalData() []Gate {
	return []Gate{
		{
			Name: "tier 1", Categories: []string{"credit_card", "ssn"},
			Precision: 0.99, Recall: 0.97, Wanted: 100, Silent: 100,
		},
		{
			Name: "tier 2", Categories: []string{
				"iban", "email", "phone", "dob", "passport", "drivers_license", "address", "ip",
			},
			Precision: 0.97, Recall: 0.93, Wanted: 100, Silent: 100,
		},
	}
}

// ToolLoops returns the gates of detect/loop. The sessions of all categories count together.
func ToolLoops(categories []string) []Gate {
	return []Gate{{Name: "sessions", Categories: categories, Recall: 0.95, FalseAlarms: 0.01}}
}

// ToolLoopSessions is the number of sessions that the corpus of tool loops has at least.
const ToolLoopSessions = 150

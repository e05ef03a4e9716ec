package detect

// IsNoun, StartsClause and IsEnglish make the detector's own functions available to the reference detector of the
// tests.
var (
	IsNoun       = isNoun
	StartsClause = startsClause
	IsEnglish    = isEnglish
)

package detect

// IsNoun, StartsClause and IsEnglish are what the words around a word say. The reference takes them as given.
var (
	IsNoun       = isNoun
	StartsClause = startsClause
	IsEnglish    = isEnglish
)

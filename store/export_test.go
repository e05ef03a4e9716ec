package store

// LargestSize returns an upper bound for the size of the JSON of an entry, if it is known.
func LargestSize(e *Entry) (int, bool) { return e.largest() }

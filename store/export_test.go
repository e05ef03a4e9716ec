package store

// LargestSize returns a size that the JSON of an entry does not exceed, if it is known.
func LargestSize(e *Entry) (int, bool) { return e.largest() }

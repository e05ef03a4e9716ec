package footprint

// Estimate is the approximate number of bytes that many items take in memory. Counting all items takes some time, and
// items can share memory, so it is not known exactly how much memory a changed item adds or frees. Therefore, an
// Estimate only adds the largest possible differences, until they could make up an eighth of the whole. Then it counts
// all items again.
type Estimate struct {
	// The field counted is the result of the last count. added and removed are the most that was added and removed since.
	counted, added, removed int64
}

// Counted returns an Estimate for items that were just counted.
func Counted(bytes int64) Estimate { return Estimate{counted: bytes} }

// Bytes returns the number of bytes. It is never less than the last count plus everything that was added since.
func (e Estimate) Bytes() int64 { return e.counted + e.added }

// After returns the estimate after a change that adds and removes at most the given numbers of bytes. The function
// count counts all items.
func (e Estimate) After(added, removed int64, count func() int64) Estimate {
	const part = 8
	e.added, e.removed = e.added+added, e.removed+removed
	if part*(e.added+e.removed) > e.counted {
		return Counted(count())
	}
	return e
}

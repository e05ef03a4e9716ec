package footprint

// Estimate is the approximate number of bytes that many items take in memory. Counting all items takes some time. Items
// can share memory, so nobody knows exactly how much memory a change of one item adds or frees. After each change, an
// Estimate therefore only adds the largest possible difference. When the sum of these differences could be an eighth of
// the whole, it counts all items again.
type Estimate struct {
	// The field "counted" is the result of the last count. The fields "added" and "removed" are the largest numbers of
	// bytes that changes can have added and removed since that count.
	counted, added, removed int64
}

// Counted is a function that returns an Estimate for items that were just counted.
func Counted(bytes int64) Estimate { return Estimate{counted: bytes} }

// Bytes returns the number of bytes. The number is never less than the last count plus everything that was added since
// that count.
func (e Estimate) Bytes() int64 { return e.counted + e.added }

// After is a method that returns the estimate after a change. The change adds and removes at most the given numbers of
// bytes. The parameter "count" is a function that counts all items.
func (e Estimate) After(added, removed int64, count func() int64) Estimate {
	const part = 8
	e.added, e.removed = e.added+added, e.removed+removed
	if part*(e.added+e.removed) > e.counted {
		return Counted(count())
	}
	return e
}

package dependence

// Kept is a method that returns the number of trips that are remembered.
func (t *Trips) Kept() (n int) {
	for _, trips := range t.of {
		n += len(trips)
	}
	return n
}

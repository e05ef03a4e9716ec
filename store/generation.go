package store

// openings is by how many bits generations leave room for the openings that they are of.
const openings = 40

// InEpoch keeps the generations apart of what one process opened in turn at one place, which may be another store each time.
func InEpoch(epoch, generation int64) int64 { return (epoch-1)<<openings + generation }

// Changes is a generation as the store itself counts it, whoever opened it and how often. It only grows, so that a store
// with fewer changes than were seen in it was made anew, or put back from an older copy.
func Changes(generation int64) int64 { return generation & (1<<openings - 1) }

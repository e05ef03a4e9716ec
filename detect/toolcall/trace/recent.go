package trace

// recentPlaces holds the places that were found most recently. The places are kept because the analysis of a program
// often needs the place of the same argument several times. Finding a place again would read the disk.
type recentPlaces struct {
	list [4]recentPlace
	next uint8
}

type recentPlace struct {
	sought place
	found  Place
}

// The type "place" contains all values that determine the Place of an argument. It is the key with which a recent
// place is looked up.
type place struct {
	text, cwd                            string
	partial, glob, cwdUnknown, keepsLink bool
	// The field "links" is the value of Trace.LinkChanges at the time when the place was found.
	links int
}

func (r *recentPlaces) find(sought *place) *Place {
	for i := range r.list {
		if r.list[i].sought == *sought {
			return &r.list[i].found
		}
	}
	return nil
}

func (r *recentPlaces) add(sought *place, found *Place) {
	at := &r.list[r.next]
	at.sought, at.found = *sought, *found
	r.next = (r.next + 1) % uint8(len(r.list))
}

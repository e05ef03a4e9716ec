package intake

import "time"

// Last returns the time at which records in some folders of the spool were last moved. If that never happened, it
// returns the zero time.
func Last(dirs []string) time.Time {
	var last time.Time
	for _, path := range dirs {
		dir, err := existing(path)
		if dir == nil || err != nil {
			continue
		}
		names, err := dir.List(cursorPrefix)
		if err != nil {
			continue
		}
		for _, name := range names {
			if at, ok := dir.Seen(name); ok && at.After(last) {
				last = at
			}
		}
	}
	return last
}

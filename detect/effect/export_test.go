package effect

// EventByNumber returns the event with a number, or "" if there is none.
func EventByNumber(number int) Event {
	if number < 0 || number >= len(numbered) {
		return ""
	}
	return numbered[number]
}

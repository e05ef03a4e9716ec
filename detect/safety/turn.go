package safety

import "guardrails/detect/pii"

// Turn is what the gates need to know about a message when they look at the answer to it. It contains no text of the
// message.
type Turn struct {
	// Sad is set if the message speaks of death, illness, the loss of a job or self-harm.
	Sad bool
	// AsksAtLength is set if the message is long and asks for more than yes or no.
	AsksAtLength bool
	// Wrote reports whether the message contains the given piece of personal data. Wrote may be nil.
	Wrote func(data string) bool
}

// TurnOf returns what the gates need to know about a message, and the personal data in it.
func TurnOf(message string) (t Turn, personal []string) {
	f := readMessage(message)
	t.Sad, t.AsksAtLength = f.isSad(), f.asksAtLength()
	for _, found := range pii.Find(message, pii.Default.With(pii.IP)) {
		personal = append(personal, message[found.Start:found.End])
	}
	return t, personal
}

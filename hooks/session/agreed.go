package session

import (
	"strings"

	"guardrails/internal/private"
)

// If a guideline asks a person and the person says yes, the answer can be valid for more than one call. The answer is
// valid only for one agent of the session. Answers for a turn and answers for the session are in separate files. So
// when a new turn begins, one file is removed and nothing else changes.

const maxAgreed = 1 << 20

// AgreedName returns the name of the file with the answers of one scope: the answers that are valid for a turn, or the
// answers that are valid for the session.
func AgreedName(session, scope string) string { return Prefix(session) + "agreed-" + plainID(scope) }

// Agree records that a person said yes to a question about a call of an agent.
func Agree(d *private.Dir, session, agent, question, scope string) error {
	name := AgreedName(session, scope)
	return d.Append(name, d.KeyOf(name).Sign([]byte(plainID(agent)+" "+question+" ")))
}

// Agreed returns the questions to which a person has said yes for an agent.
func Agreed(d *private.Dir, session, agent string) []string {
	var out []string
	for _, scope := range [...]string{"turn", "session"} {
		name := AgreedName(session, scope)
		text, err := d.Read(name, maxAgreed)
		if err != nil {
			continue // without the answers, the person is asked again
		}
		key := d.KeyOf(name)
		for _, signed := range strings.Split(string(text), "\n") {
			line, _ := key.Signed([]byte(signed)) // an answer without a signature does not count
			if of, question, ok := strings.Cut(string(line), " "); ok && of == plainID(agent) {
				out = append(out, strings.TrimSuffix(question, " "))
			}
		}
	}
	return out
}

// HasForgedAnswers reports whether there are answers without a valid signature. Such answers do not count.
func HasForgedAnswers(d *private.Dir, session string) bool {
	for _, scope := range [...]string{"turn", "session"} {
		name := AgreedName(session, scope)
		text, _ := d.Read(name, maxAgreed)
		for line := range strings.Lines(string(text)) {
			if _, ok := d.KeyOf(name).Signed([]byte(strings.TrimSuffix(line, "\n"))); !ok && line != "\n" {
				return true
			}
		}
	}
	return false
}

// Forget removes the answers of the given scopes: the answers for a turn, the answers for the session, or both.
func Forget(d *private.Dir, session string, scopes ...string) error {
	for _, scope := range scopes {
		if _, err := d.Remove(AgreedName(session, scope)); err != nil {
			return err
		}
	}
	return nil
}

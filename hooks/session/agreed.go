package session

import (
	"strings"

	"guardrails/internal/private"
)

// A person's yes to the question of a guideline can hold for more than one call. It belongs to one agent of the session.
// There is one file for each time that a yes can hold, so that ending a turn removes a file and rewrites nothing.

// maxAgreed limits the size of a file with answers.
const maxAgreed = 1 << 20

// AgreedName returns the name of the file with the answers that hold for a turn or a session.
func AgreedName(session, scope string) string { return Prefix(session) + "agreed-" + plainID(scope) }

// Agree notes that a person said yes to the question of a guideline, asked for an agent.
func Agree(d *private.Dir, session, agent, guideline, scope string) error {
	return d.Append(AgreedName(session, scope), []byte(plainID(agent)+" "+guideline))
}

// Agreed returns the guidelines whose questions were answered with a yes for an agent.
func Agreed(d *private.Dir, session, agent string) []string {
	var out []string
	for _, scope := range [...]string{"turn", "session"} {
		text, err := d.Read(AgreedName(session, scope), maxAgreed)
		if err != nil {
			continue // without the answers, the person is asked again
		}
		for line := range strings.SplitSeq(string(text), "\n") {
			if of, guideline, ok := strings.Cut(line, " "); ok && of == plainID(agent) {
				out = append(out, guideline)
			}
		}
	}
	return out
}

// Forget drops the answers that hold for a turn or a session.
func Forget(d *private.Dir, session string, scopes ...string) error {
	for _, scope := range scopes {
		if _, err := d.Remove(AgreedName(session, scope)); err != nil {
			return err
		}
	}
	return nil
}

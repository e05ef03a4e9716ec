package trace

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/words"
)

// Token is what is known about a token that a command of the call has printed, such as "gh auth token". The event for
// printing a secret does not count while the token only goes to its own service.
type Token struct {
	_ [0]func() // forbids comparisons with ==; see Place
	// Number is the number of the command's effect. The first effect has the number 1. Number is 0 if the call has
	// printed no token.
	Number int
	// Domains lists the domains of the service to which the token belongs.
	Domains string
	// Kept is set if a variable holds the token. Each later command can then read the token if the variable is exported.
	Kept bool
}

// TextOfToken stands for a token that a command has printed.
const TextOfToken = "$(a token)"

// Substituted returns the text that stands for the unknown output of a substitution. If the substitution only prints a
// token, nobody has seen the token yet, so the event for printing a secret is removed. Set -x shows the token.
func (t *Trace) Substituted(out *Flow, sc *Scope) string {
	switch {
	case out.From() != "" && out.Taint&^FromFile == 0:
		return TextOfFile(out.From())
	case out.Text == TextOfToken && t.Token.Number == len(t.Effects) && !sc.Traces:
		t.Effects[t.Token.Number-1].Drop(effect.SecretAccess)
		return out.Text
	}
	return "$(…)"
}

// ShowToken adds the event for printing a secret to the command that has printed a token.
func (t *Trace) ShowToken() {
	t.Effects[t.Token.Number-1].Note("prints a secret: a token", effect.SecretAccess)
}

// DomainOf returns the domain in a list to which a host belongs, or "".
func DomainOf(host, domains string) string {
	for host != "" && !words.OneOf(host, domains) {
		_, host, _ = strings.Cut(host, ".")
	}
	return host
}

package hooks

import (
	"guardrails/decide/rejudge"
	"guardrails/detect/effect"
	"guardrails/hooks/cache"
	"guardrails/hooks/wire"
)

// noted() returns a note with the task of the call. Later, rejudge.Noted.Watch adds the facts. The note is empty if
// there are no guidelines.
func noted(c *cache.Cache) *rejudge.Noted {
	n := &rejudge.Noted{}
	if c != nil {
		n.Layers = c.Contexts()
	}
	return n
}

// judged() returns the text from which the call can be judged again, or a word that says why there is no such text. The
// text contains no secrets. Without guidelines, judged() returns "", because the hook then knows neither the task nor
// whether the settings allow the record.
func judged(e *wire.Event, c *cache.Cache, call *effect.Analysis, n *rejudge.Noted) string {
	switch {
	case c == nil:
		return ""
	case c.NoCalls:
		return rejudge.Off
	case len(e.Input) > 2*rejudge.MaxSize:
		return rejudge.TooLarge
	}
	// Check the original text of the call. The analysis replaces variables with their values. Its result can contain a
	// secret, but not the variable's name, which shows that the value is a secret.
	if text := callText(e); masked(text) != text {
		return rejudge.Secret
	}
	return n.Append(call, masked)
}

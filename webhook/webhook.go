// Package webhook says what is sent to an endpoint, how it is signed, and what an answer means. It opens no connection
// and no store.
//
// Start with Events, which finds the events in an audit entry. endpoint.go checks endpoints, sign.go signs bodies,
// format.go writes bodies in the format of the endpoint, and retry.go says what happens after an answer. Package send
// sends the requests, and package dispatch reads the audit.
package webhook

import (
	"slices"
	"strings"
)

// The events that guardrails itself sends. Policies can send other events.
const (
	SafetyBlocked    = "safety.blocked"
	SafetyHold       = "safety.hold"
	SafetyObserved   = "safety.observed"
	OutputIntervened = "output.intervened"
	Test             = "webhook.test"
	DecisionDenied   = "decision.denied"
	DecisionAsked    = "decision.asked"
)

// detectorPrefix is the beginning of the events of detectors, such as detector.rumination.
const detectorPrefix = "detector."

// onRequest reports whether an event is sent only to endpoints that ask for it by name or prefix, because there are
// many events of its kind.
func onRequest(event string) bool {
	return event == DecisionDenied || event == DecisionAsked || strings.HasPrefix(event, detectorPrefix)
}

const (
	everything = "*"
	wildcard   = ".*"
)

// Wants reports whether an endpoint with the given filters gets an event. The event of a test is always sent.
func Wants(filters []string, event string) bool {
	return event == Test || slices.ContainsFunc(filters, func(f string) bool { return matches(f, event) })
}

func matches(filter, event string) bool {
	if filter == everything {
		return !onRequest(event)
	}
	if prefix, found := strings.CutSuffix(filter, wildcard); found {
		return strings.HasPrefix(event, prefix+".")
	}
	return filter == event
}

// isFilter reports whether a text is "*", the name of an event, or the beginning of event names followed by ".*".
func isFilter(text string) bool {
	if text == everything {
		return true
	}
	prefix, hasWildcard := strings.CutSuffix(text, wildcard)
	parts := strings.Split(prefix, ".")
	return len(text) <= maxFilter && (hasWildcard || len(parts) > 1) &&
		!slices.ContainsFunc(parts, func(p string) bool { return p == "" || strings.Trim(p, eventCharacters) != "" })
}

const (
	eventCharacters = "abcdefghijklmnopqrstuvwxyz0123456789_"
	maxFilter       = 200
)

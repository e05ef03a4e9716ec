package webhook

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Outcome says what an answer means for a delivery.
type Outcome string

// The outcomes of a try.
const (
	Delivered Outcome = "delivered"
	// Retry means that the delivery is tried again later.
	Retry Outcome = "retry"
	// Refused means that trying again does not help.
	Refused Outcome = "refused"
	// Gone means that the endpoint wants no more deliveries.
	Gone Outcome = "gone"
)

// OutcomeOf returns what a status code means. 0 means that there was no answer.
func OutcomeOf(status int) Outcome {
	switch {
	case status >= 200 && status < 300:
		return Delivered
	case status == http.StatusGone:
		return Gone
	case status == http.StatusRequestTimeout, status == http.StatusTooEarly, status == http.StatusTooManyRequests:
		return Retry
	case status >= 400 && status < 500:
		return Refused
	}
	return Retry
}

// pauses() returns the duration of the pause after each failed try.
func pauses() []time.Duration {
	return []time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour}
}

// maxWait is the longest wait that an endpoint can ask for.
const maxWait = time.Hour

// The constant "spread" is the largest difference between a pause and the usual pause, as a fraction of the usual
// pause. Because pauses differ, many deliveries are not tried at the same time.
const spread = 0.2

// Next returns when to try again after the given number of tries. The parameter "chance" is a random number from 0 to
// 1, and the parameter "wait" is the time in the answer's header Retry-After. If the delivery must not be tried again,
// the result "ok" is false.
func Next(tries int, now time.Time, chance float64, wait time.Duration) (at time.Time, ok bool) {
	all := pauses()
	if tries > len(all) {
		return time.Time{}, false
	}
	usual := all[tries-1]
	pause := time.Duration(float64(usual) * (1 - spread + 2*spread*chance))
	return now.Add(max(pause, min(wait, maxWait))), true
}

// RetryAfter reads the header Retry-After: a number of seconds, or a date.
func RetryAfter(header string, now time.Time) time.Duration {
	if header != "" && strings.Trim(header, "0123456789") == "" {
		seconds, err := strconv.Atoi(header)
		if err != nil || seconds > int(maxWait/time.Second) { // the number may be too large for an int
			return maxWait
		}
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// An endpoint is disabled after this number of failed tries in a row, but only if the first of these tries was at least
// the duration failingFor ago.
const (
	maxFailures = 20
	failingFor  = 24 * time.Hour
)

// IsDead reports whether an endpoint must be disabled, because it has failed too often and for too long.
func IsDead(failures int, since, now time.Time) bool {
	return failures >= maxFailures && now.Sub(since) >= failingFor
}

package document

import (
	"strings"
	"time"
)

// AppendTime appends a time in UTC in the format of RFC 3339, with a fraction if there is one. A time outside the years
// 0 to 9999 is replaced with the nearest time within these years.
func AppendTime(to []byte, t time.Time) []byte {
	return inYears(t.UTC()).AppendFormat(to, time.RFC3339Nano)
}

// FormatTime returns a time in the format of AppendTime, but without a fraction.
func FormatTime(t time.Time) string {
	return inYears(t.UTC()).Format(time.RFC3339)
}

func inYears(t time.Time) time.Time {
	switch year := t.Year(); {
	case year < 0:
		return time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	case year > 9999:
		return time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	}
	return t
}

// ParseTime reads a time in the format of RFC 3339, such as 2026-01-31T12:00:00Z or 2026-01-31T13:00:00.5+01:00. It
// returns the time in UTC. Unlike package time, it does not accept a comma before the fraction or an hour with one
// digit.
func ParseTime(text string) (time.Time, bool) {
	// With another location, package time would load the time zones of the machine.
	t, err := time.ParseInLocation(time.RFC3339Nano, text, time.UTC)
	if err != nil || text[len("2006-01-02T15")] != ':' || strings.Contains(text, ",") {
		return time.Time{}, false
	}
	t = t.UTC()
	return t, t.Year() >= 0 && t.Year() <= 9999
}

package policy

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// The type "comparison" compares a number with a limit.
type comparison struct {
	operator string
	limit    float64
}

// operators() returns the operators. The longer operators come first, because "<=" also begins with "<".
func operators() []string { return []string{"<=", ">=", "==", "!=", "<", ">"} }

func (c comparison) of(value float64) bool {
	switch c.operator {
	case "<":
		return value < c.limit
	case "<=":
		return value <= c.limit
	case ">":
		return value > c.limit
	case ">=":
		return value >= c.limit
	case "!=":
		return value != c.limit
	}
	return value == c.limit
}

// readComparison reads a text such as "< 0.3". If the text has no operator, readComparison uses the operator in the
// parameter "fallback".
func readComparison(text, fallback string, limit func(string) (float64, bool)) (comparison, bool) {
	c := comparison{operator: fallback}
	text = strings.TrimSpace(text)
	for _, operator := range operators() {
		if rest, found := strings.CutPrefix(text, operator); found {
			c.operator, text = operator, strings.TrimSpace(rest)
			break
		}
	}
	var ok bool
	c.limit, ok = limit(text)
	return c, ok
}

func readNumber(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) && strings.Trim(text, "+-.0123456789eE") == ""
}

// readSeconds returns the seconds of a duration such as 30s or 48h.
func readSeconds(text string) (float64, bool) {
	d, ok := readDuration(text)
	return d.Seconds(), ok
}

// The constant "longest" is the longest duration that a rule can name, in days.
const longest = 36500

// readDuration reads a whole number with one of the units s, m, h and d.
func readDuration(text string) (time.Duration, bool) {
	if text == "" {
		return 0, false
	}
	unit, known := time.Duration(0), true
	switch text[len(text)-1] {
	case 's':
		unit = time.Second
	case 'm':
		unit = time.Minute
	case 'h':
		unit = time.Hour
	case 'd':
		unit = 24 * time.Hour
	default:
		known = false
	}
	n, err := strconv.ParseUint(text[:len(text)-1], 10, 40)
	if !known || err != nil || n > uint64(longest*24*time.Hour/unit) {
		return 0, false
	}
	return time.Duration(n) * unit, true
}

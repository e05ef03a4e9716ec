package document

import "time"

// ParseTime reads a time of RFC 3339, such as 2026-01-31T12:00:00Z or 2026-01-31T13:00:00.5+01:00, and gives it in UTC.
func ParseTime(text string) (time.Time, bool) {
	r := timeReader{rest: text, ok: true}
	year, month, dayOfMonth := r.number(4, 0, 9999), r.after('-', 1, 12), r.after('-', 1, 31)
	hour, minute, second := r.after('T', 0, 23), r.after(':', 0, 59), r.after(':', 0, 59)
	fraction := r.fraction()
	offset := r.offset()
	day := dayNumber(year, month, dayOfMonth)
	// A day that the month does not have becomes one of the next month.
	if _, m, _ := civil(day); !r.ok || r.rest != "" || m != month {
		return time.Time{}, false
	}
	at := day*secondsPerDay + int64(hour*3600+minute*60+second-offset)
	return time.Unix(at, int64(fraction)).UTC(), at >= firstSecond && at <= lastSecond
}

// timeReader reads the parts of a time one after the other.
type timeReader struct {
	rest string
	ok   bool
}

// number reads just so many digits that make a number between low and high.
func (r *timeReader) number(digits, low, high int) int {
	n := 0
	for range digits {
		n = n*10 + r.digit()
	}
	if n < low || n > high {
		r.ok = false
		return low
	}
	return n
}

func (r *timeReader) digit() int {
	if r.rest == "" || r.rest[0] < '0' || r.rest[0] > '9' {
		r.ok = false
		return 0
	}
	d := int(r.rest[0] - '0')
	r.rest = r.rest[1:]
	return d
}

// after reads two digits behind a mark.
func (r *timeReader) after(mark byte, low, high int) int {
	if !r.take(mark) {
		r.ok = false
		return low
	}
	return r.number(2, low, high)
}

func (r *timeReader) take(mark byte) bool {
	if r.rest == "" || r.rest[0] != mark {
		return false
	}
	r.rest = r.rest[1:]
	return true
}

// fraction reads the part of a second in nanoseconds; what is finer is left out.
func (r *timeReader) fraction() int {
	if !r.take('.') {
		return 0
	}
	n := 100_000_000 * r.digit()
	for scale := 10_000_000; r.rest != "" && r.rest[0] >= '0' && r.rest[0] <= '9'; scale /= 10 {
		n += scale * r.digit()
	}
	return n
}

// offset reads how many seconds the time is ahead of UTC.
func (r *timeReader) offset() int {
	if r.take('Z') {
		return 0
	}
	sign := 1
	if r.take('-') {
		sign = -1
	} else if !r.take('+') {
		r.ok = false
	}
	hours, minutes := r.number(2, 0, 24), r.after(':', 0, 60)
	return sign * (hours*3600 + minutes*60)
}

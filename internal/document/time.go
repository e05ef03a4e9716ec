package document

import "time"

// Times are read and written here and not by the time package, which would look for the machine's time zones: what the
// hooks link stays small.

// The first and the last second of the years that a document can name, 0 to 9999.
const (
	firstSecond = -62167219200
	lastSecond  = 253402300799
)

const secondsPerDay = 24 * 60 * 60

// AppendTime adds a time in UTC as RFC 3339 has it: 2026-01-31T12:00:00Z, with a fraction when there is one. A time
// outside of the years 0 to 9999 becomes the nearest one in them.
func AppendTime(to []byte, t time.Time) []byte {
	at := min(max(t.Unix(), firstSecond), lastSecond)
	day, second := floorDiv(at, secondsPerDay)
	year, month, dayOfMonth := civil(day)
	to = appendDigits(to, year, 4)
	to = appendDigits(append(to, '-'), month, 2)
	to = appendDigits(append(to, '-'), dayOfMonth, 2)
	to = appendDigits(append(to, 'T'), int(second/3600), 2)
	to = appendDigits(append(to, ':'), int(second/60%60), 2)
	to = appendDigits(append(to, ':'), int(second%60), 2)
	if fraction := t.Nanosecond(); fraction > 0 {
		to = appendDigits(append(to, '.'), fraction, 9)
		for to[len(to)-1] == '0' {
			to = to[:len(to)-1]
		}
	}
	return append(to, 'Z')
}

// FormatTime is a time as AppendTime writes it, without a fraction.
func FormatTime(t time.Time) string {
	return string(AppendTime(make([]byte, 0, len("2026-01-31T12:00:00Z")), t.Truncate(time.Second)))
}

func appendDigits(to []byte, n, width int) []byte {
	start := len(to)
	for range width {
		to = append(to, '0')
	}
	for i := len(to) - 1; i >= start; i-- {
		to[i] += byte(n % 10)
		n /= 10
	}
	return to
}

func floorDiv(a, b int64) (quotient, rest int64) {
	quotient, rest = a/b, a%b
	if rest < 0 {
		quotient, rest = quotient-1, rest+b
	}
	return quotient, rest
}

// Days are counted from 1970-01-01. Years are taken to begin in March, so that the leap day is the last of its year, and
// they repeat every four hundred.
const (
	daysPerEra   = 146097
	daysTo1970   = 719468
	daysInMonths = 153 // the days of five months from March on
)

func civil(day int64) (year, month, dayOfMonth int) {
	era, inEra := floorDiv(day+daysTo1970, daysPerEra)
	yearOfEra := (inEra - inEra/1460 + inEra/36524 - inEra/146096) / 365
	dayOfYear := int(inEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100))
	fromMarch := (5*dayOfYear + 2) / daysInMonths
	year, month = int(yearOfEra+era*400), fromMarch+3
	if month > 12 {
		year, month = year+1, month-12
	}
	return year, month, dayOfYear - (daysInMonths*fromMarch+2)/5 + 1
}

func dayNumber(year, month, dayOfMonth int) int64 {
	fromMarch := month - 3
	if month < 3 {
		year, fromMarch = year-1, month+9
	}
	era, yearOfEra := floorDiv(int64(year), 400)
	dayOfYear := int64((daysInMonths*fromMarch+2)/5 + dayOfMonth - 1)
	return era*daysPerEra + yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear - daysTo1970
}

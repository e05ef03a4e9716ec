package document

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// The first and the last second of the years from 0 to 9999.
const (
	firstSecond = -62167219200
	lastSecond  = 253402300799
)

func TestTimesAreWrittenAsTheStandardLibraryDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	at := []time.Time{{}, time.Unix(firstSecond, 0), time.Unix(lastSecond, 999_999_999), time.Unix(0, 0), time.Unix(-1, 500_000_000)}
	for range 20000 {
		at = append(at, time.Unix(firstSecond+random.Int64N(lastSecond-firstSecond), random.Int64N(1e9)))
	}
	for _, when := range at {
		if got, want := string(AppendTime(nil, when)), when.UTC().Format(time.RFC3339Nano); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
		if got, want := FormatTime(when), when.UTC().Format(time.RFC3339); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
		if back, ok := ParseTime(string(AppendTime(nil, when))); !ok || !back.Equal(when) {
			t.Fatalf("%s became %s, %v", when, back, ok)
		}
	}
}

func TestTimeOutsideTheYearRangeIsClamped(t *testing.T) {
	for want, when := range map[string]time.Time{
		"0000-01-01T00:00:00Z": time.Unix(firstSecond-1, 0), "9999-12-31T23:59:59Z": time.Unix(lastSecond+1, 0),
	} {
		if got := FormatTime(when); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// FuzzParseTime compares ParseTime with time.Parse. It takes into account that time.Parse also accepts an hour with one
// digit and a comma before the fraction.
func FuzzParseTime(f *testing.F) {
	for _, seed := range []string{
		"2026-01-31T12:00:00Z", "2026-02-29T12:00:00Z", "2024-02-29T23:59:59.999999999-23:59", "2000-02-29T00:00:00+24:60", "1900-02-29T00:00:00Z",
		"0000-01-01T00:00:00Z", "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59-00:01", "2026-04-31T00:00:00Z", "2026-13-01T00:00:00Z",
		"2026-01-31T24:00:00Z", "2026-01-31T12:60:00Z", "2026-01-31T12:00:60Z", "2026-01-31T12:00:00.Z", "2026-01-31T12:00:00.1234567891234Z", "2026-01-31T12:00:00,5Z",
		"2026-01-31T1:00:00Z", "2026-01-31t12:00:00z", "2026-01-31 12:00:00Z", "2026-01-31T12:00:00", "2026-01-31T12:00:00+0100", "2026-01-31T12:00:00Z ", "", "20260131T120000Z",
		"2026-01-31T12:00:00+25:00", "2026-01-31T12:00:00+01:61", "2026-01-31T12:00:00.5+01:00", "-026-01-31T12:00:00Z", "２026-01-31T12:00:00Z",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := ParseTime(text)
		want, err := time.Parse(time.RFC3339Nano, text)
		want = want.UTC()
		wantOK := err == nil && text[len("2006-01-02T15")] == ':' && !strings.Contains(text, ",") && want.Year() >= 0 && want.Year() <= 9999
		if ok != wantOK || ok && got != want {
			t.Fatalf("%q: got %v, %v, want %v, %v", text, got, ok, want, wantOK)
		}
	})
}

func BenchmarkTime(b *testing.B) {
	at, text := time.Unix(1769860800, 0), "2026-01-31T12:00:00Z"
	b.Run("append", func(b *testing.B) {
		for b.Loop() {
			_ = AppendTime(make([]byte, 0, 32), at)
		}
	})
	b.Run("parse", func(b *testing.B) {
		for b.Loop() {
			_, _ = ParseTime(text)
		}
	})
}

func TestADayIsItsBeginningOrItsEnd(t *testing.T) {
	for _, c := range []struct {
		text  string
		isEnd bool
		want  string
	}{
		{"2026-02-28", false, "2026-02-28T00:00:00Z"},
		{"2026-02-28", true, "2026-03-01T00:00:00Z"},
		{"2026-02-28T10:00:00+01:00", true, "2026-02-28T09:00:00Z"},
		{"2026-02-30", true, ""},
		{"tomorrow", false, ""},
		{"", true, ""},
	} {
		got, ok := ParseMoment(c.text, c.isEnd)
		if ok != (c.want != "") || ok && FormatTime(got) != c.want {
			t.Errorf("%s: got %v, %v", c.text, got, ok)
		}
	}
}

func FuzzMoment(f *testing.F) {
	for _, seed := range []string{"", "2026-02-28", "2026-02-28T10:00:00Z", "2026-02-30", "0000-01-01", "yesterday"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if at, ok := ParseMoment(text, true); !ok && !at.IsZero() || ok && at.Location() != time.UTC {
			t.Fatalf("%v, %t", at, ok)
		}
	})
}

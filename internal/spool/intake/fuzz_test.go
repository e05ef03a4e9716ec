package intake_test

import (
	"testing"

	"guardrails/internal/spool/intake"
)

// Intake must convert any line to a valid entry, or count it as damaged.
func FuzzLine(f *testing.F) {
	f.Add([]byte(record(1, "/p")))
	f.Add([]byte(`{"time":"2026-02-05T09:00:02Z","id":"audit-0123","kind":"gate","outcome":"rejected","paths":["read me.txt"],"source":"told"}`))
	f.Add([]byte(`{"time":"9999-12-31T23:59:59Z","kind":"\u0000","events":["push"],"tool":"x","calls":-1,"micros":1e18}`))
	f.Add([]byte(`{"id":"audit-\u2028","kind":"gate","time":"2026-02-05T09:00:02Z"}`))
	f.Fuzz(func(_ *testing.T, text []byte) {
		_ = intake.Entry(text)
	})
}

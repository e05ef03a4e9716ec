package service_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/internal/kernelclock"
	"guardrails/service"
	"guardrails/store"
	"guardrails/store/sqlite"
)

func TestAClockThatWasSetAheadDeletesNothing(t *testing.T) {
	p := newUsersProject(t, "packs: []\naudit: {keep_days: 1}\n")
	of := p.tenantStore("")
	log(t, of, "new")
	began, ahead := time.Now(), time.Duration(0)
	s := service.New(service.Options{
		Env: p.env, Now: func() time.Time { return time.Now().Add(ahead) }, Dir: p.root, Memory: true, Open: p.opener(false),
		Kernel: func() (kernelclock.Reading, bool) { return kernelclock.Reading{SinceBoot: time.Since(began)}, true },
	})
	defer s.Close()
	check(t, s.Prune(t.Context()))
	ahead = 49 * time.Hour // too little to look like a pause in the audit
	if err := s.Prune(t.Context()); err == nil || !strings.Contains(err.Error(), "no decisions are deleted") {
		t.Errorf("got %v", err)
	}
	page, err := of.Audit(t.Context(), store.AuditQuery{})
	check(t, err)
	if page.Total != 1 {
		t.Errorf("%d decisions are left", page.Total)
	}
}

// Days are counted from the first entry. The field "days" has ranges of days. Each test case records an entry on
// each day of these ranges. The audit keeps the entries of 30 days, unless the test case names another number.
func TestAClockThatIsAheadDeletesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		days        [][2]int // from, to
		today, left int
		keep        int
		wrong       bool
	}{
		"ahead by a year, just now":                    {days: [][2]int{{0, 60}}, today: 425, left: 61, wrong: true},
		"ahead by a year, for a week":                  {days: [][2]int{{0, 60}, {425, 432}}, today: 432, left: 69, wrong: true},
		"ahead by a year, and only a day is kept":      {days: [][2]int{{0, 10}}, today: 375, left: 11, keep: 1, wrong: true},
		"ahead by 20 days":                             {days: [][2]int{{0, 60}, {80, 81}}, today: 81, left: 63, wrong: true},
		"right, and used every day":                    {days: [][2]int{{0, 60}}, today: 60, left: 30},
		"right, and only a day is kept":                {days: [][2]int{{0, 10}}, today: 10, left: 1, keep: 1},
		"right, with pauses of five days":              {days: [][2]int{{0, 20}, {25, 40}, {45, 60}}, today: 60, left: 26},
		"right, and there is nothing old after a rest": {days: [][2]int{{0, 5}}, today: 25, left: 6},
	} {
		t.Run(name, func(t *testing.T) {
			p := newUsersProject(t, fmt.Sprintf("packs: []\naudit: {keep_days: %d}\n", cmp.Or(c.keep, 30)))
			first := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
			clock := first
			file, err := sqlite.Open(t.Context(), sqlite.Options{
				Path: filepath.Join(p.data, "guardrails.db"), Now: func() time.Time { return clock },
			})
			check(t, err)
			defer file.Close()
			for _, span := range c.days {
				for day := span[0]; day <= span[1]; day++ {
					clock = first.AddDate(0, 0, day)
					_, err := file.Append(t.Context(), "", store.Entry{
						ID: fmt.Sprint("d", day), Kind: store.KindDecision, Event: "tool_call", Time: clock,
					})
					check(t, err)
				}
			}
			clock = first.AddDate(0, 0, c.today).Add(time.Minute)
			s := service.New(service.Options{
				Env: p.env, Now: func() time.Time { return clock }, Dir: p.root, Memory: true, Open: p.opener(false),
			})
			defer s.Close()
			err = s.Prune(t.Context())
			if c.wrong != (err != nil && strings.Contains(err.Error(), "the clock may be wrong")) {
				t.Errorf("got %v", err)
			}
			page, err := file.Query(t.Context(), "", store.AuditQuery{AuditFilter: store.AuditFilter{Event: "tool_call"}})
			check(t, err)
			if page.Total != c.left {
				t.Errorf("%d entries are left, want %d", page.Total, c.left)
			}
		})
	}
}

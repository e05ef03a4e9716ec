package doctor

import (
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/store"
	"guardrails/store/live"
)

func TestDoctorNamesWebhooksAndTheirLastTry(t *testing.T) {
	k := &user{t, t.TempDir()}
	k.store()
	x := &Examination{Options: Options{Env: k.env, Now: time.Now, Open: k.open}, root: k.base + "/project"}
	check := func() (out []Check) {
		x.Checks = nil
		x.checkStore(t.Context())
		for _, c := range x.Checks {
			if c.Name == linkWebhooks {
				out = append(out, c)
			}
		}
		return out
	}
	if got := check(); len(got) > 0 {
		t.Errorf("without webhooks: %+v", got)
	}
	c, err := x.Open(t.Context(), &config.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	w := c.For(live.Caller{Tenant: "acme", Actor: "ann"}).Webhooks()
	at := time.Date(2026, 5, 16, 13, 0, 0, 0, time.UTC)
	for _, e := range []store.Endpoint{
		{ID: "wh_1", URL: "https://one.example.com/", Format: "json", Run: 1},
		{ID: "wh_2", URL: "https://two.example.com/", Format: "json", Run: 1},
		{ID: "wh_3", URL: "https://hooks.slack.com/services/secret", Format: "slack", Run: 1, Disabled: "the receiver answered 410 Gone"},
		{ID: "wh_4", URL: "https://four.example.com/", Format: "json", Run: 1},
		{ID: "wh_5", Run: 1, Removed: true},
	} {
		if _, err := w.PutEndpoint(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	marks := []store.Mark{
		{Endpoint: "wh_1", Run: 1, Last: &store.Try{At: at, Status: 204}},
		{Endpoint: "wh_2", Run: 1, Failures: 3, FailingSince: at, Last: &store.Try{At: at, Status: 500}},
	}
	if err := w.Queue(t.Context(), nil, marks...); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range check() {
		got = append(got, string(c.State)+": "+c.Detail+" / "+c.Remedy)
	}
	want := []string{
		"warning: wh_2 (https://two.example.com/): 3 tries failed in a row, the last one at 2026-05-16T13:00:00Z / to see why, run: guardrails webhooks deliveries wh_2",
		"warning: wh_3 (https://hooks.slack.com/…cret) is off: the receiver answered 410 Gone / to switch it on, run: guardrails webhooks enable wh_3",
		"ok: wh_1 delivered an event at 2026-05-16T13:00:00Z, wh_4 has sent nothing yet / ",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

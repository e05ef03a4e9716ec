package webhook_test

import (
	"testing"
	"time"

	"guardrails/webhook"
)

func TestStatusCodesDecideWhatHappensNext(t *testing.T) {
	for status, want := range map[int]webhook.Outcome{
		200: webhook.Delivered, 204: webhook.Delivered, 299: webhook.Delivered,
		301: webhook.Retry, 302: webhook.Retry, 307: webhook.Retry, 0: webhook.Retry, 100: webhook.Retry,
		400: webhook.Refused, 401: webhook.Refused, 404: webhook.Refused, 422: webhook.Refused,
		408: webhook.Retry, 425: webhook.Retry, 429: webhook.Retry, 500: webhook.Retry, 503: webhook.Retry,
		410: webhook.Gone,
	} {
		if got := webhook.OutcomeOf(status); got != want {
			t.Errorf("%d: got %s, want %s", status, got, want)
		}
	}
}

func TestThePausesGrowAndDifferByAFifth(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	usual := []time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour}
	for i, pause := range usual {
		for chance, want := range map[float64]time.Duration{0: pause * 8 / 10, 0.5: pause, 1: pause * 12 / 10} {
			at, ok := webhook.Next(i+1, now, chance, 0)
			if got := at.Sub(now).Round(time.Millisecond); !ok || got != want {
				t.Errorf("after try %d with chance %v: got %v, want %v", i+1, chance, got, want)
			}
		}
	}
	if _, ok := webhook.Next(7, now, 0.5, 0); ok {
		t.Error("a delivery is tried an eighth time")
	}
}

func TestRetryAfterIsHonouredUpToAnHour(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "soon": 0, "-5": 0, "120": 2 * time.Minute, "999999": time.Hour,
		"99999999999999999999": time.Hour, "+5": 0, "5.0": 0,
		"Sun, 01 Mar 2026 12:10:00 GMT": 10 * time.Minute, "Sun, 01 Mar 2026 11:00:00 GMT": 0,
	} {
		if got := webhook.RetryAfter(header, now); got != want {
			t.Errorf("%q: got %v, want %v", header, got, want)
		}
	}
	for wait, want := range map[time.Duration]time.Duration{
		time.Second: 5 * time.Second, time.Minute: time.Minute, 5 * time.Hour: time.Hour,
	} {
		if at, _ := webhook.Next(1, now, 0.5, wait); at.Sub(now) != want {
			t.Errorf("%v: got %v, want %v", wait, at.Sub(now), want)
		}
	}
}

func TestAnEndpointIsDeadAfter20FailuresOverADay(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	for _, c := range []struct {
		failures int
		since    time.Duration
		want     bool
	}{{19, 48 * time.Hour, false}, {20, 23 * time.Hour, false}, {20, 24 * time.Hour, true}, {500, time.Hour, false}} {
		if got := webhook.IsDead(c.failures, now.Add(-c.since), now); got != c.want {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}

package service_test

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"testing"
	"time"

	"guardrails/internal/product"
	"guardrails/store"
	"guardrails/webhook"
	"guardrails/webhook/registry"
)

// outbox receives the events that would be sent to webhooks.
type outbox chan string

func (o outbox) Try(_ context.Context, _ *store.Endpoint, d *store.Delivery) (webhook.Outcome, bool) {
	d.State, d.Due = store.DeliveryDone, time.Time{}
	d.Tries = append(d.Tries, store.Try{Attempt: len(d.Tries) + 1, At: d.Created, Status: http.StatusNoContent})
	o <- d.Body
	return webhook.Delivered, true
}

func TestEventsThatWaitAreSentAlsoIfNobodyUsesTheirTenant(t *testing.T) {
	url := "https://example.com/hook"
	p := newStoredProject(t, nil)
	of := p.tenantStore("acme").Webhooks()
	r := registry.Registry{Store: of, Now: time.Now}
	added, err := r.Add(t.Context(), registry.Choice{URL: &url})
	check(t, err)
	event := webhook.NewTest("acme", "x", time.Now())
	check(t, of.Queue(t.Context(), []store.Delivery{event.Delivery(added.ID, time.Now())}))
	sent, s := make(outbox, 1), p.server()
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	running.Go(func() { s.Dispatch(ctx, sent, func(string) {}, func(err error) { t.Errorf("reported: %v", err) }) })
	select {
	case <-sent:
	case <-time.After(10 * time.Second):
		t.Error("the event was not sent")
	}
}

func TestAVerdictReachesWebhooks(t *testing.T) {
	for _, c := range []struct {
		name, settings, policy, message string
		events                          []string
		preview                         string
	}{
		{name: "a block", message: "Should I buy TSLA?", events: []string{"safety.blocked"}},
		{name: "observed", settings: "safety: {mode: observe}\n", message: "Should I buy TSLA?", events: []string{"safety.observed"}},
		{
			name: "a category with another mode", settings: "safety: {mode: enforce, categories: {financial_advice_request: observe}}\n",
			message: "Should I buy TSLA?", events: []string{"safety.observed"},
		},
		{
			name: "a masked preview", settings: "safety: {preview: masked}\n", message: "Should I buy TSLA? Mail anna@firma.de",
			events: []string{"safety.blocked"}, preview: "Should I buy TSLA? Mail [REDACTED-EMAIL]",
		},
		{
			name: "an event of a policy", policy: "  - {name: p, when: {message_contains: my ssn}, actions: [" +
				"{type: override_safety, action: HOLD}, {type: fire_event, event: proactive.pii}]}\n",
			message: "Here is my SSN", events: []string{"safety.hold", "proactive.pii"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newStoredProject(t, map[string]string{".claude/guardrails-policies.yaml": policies + c.policy})
			if c.settings != "" {
				p.user(c.settings)
			}
			url := "https://example.com/"
			r := registry.Registry{Store: p.tenantStore("").Webhooks(), Now: time.Now}
			_, err := r.Add(t.Context(), registry.Choice{URL: &url})
			check(t, err)
			sent, s := make(outbox, 10), p.server()
			p.vars[product.VariableAgent] = "backend"
			ctx, stop := context.WithCancel(t.Context())
			var running sync.WaitGroup
			defer running.Wait()
			defer stop()
			report := func(err error) { t.Errorf("reported: %v", err) }
			running.Go(func() { s.Upkeep(ctx, func(problem string, err error) { t.Errorf("%s: %v", problem, err) }) })
			running.Go(func() { s.Dispatch(ctx, sent, func(string) {}, report) })
			p.checked(s, c.message)
			for _, want := range c.events {
				select {
				case body := <-sent:
					checkEvent(t, body, want, c.preview)
				case <-time.After(2 * time.Minute):
					t.Fatalf("%s was not sent", want)
				}
			}
		})
	}
}

// TestTheFirstTryComesWithinTwoSecondsOfTheVerdict tests the whole path of an event: the check, the spool, the audit
// and the dispatcher. A busy machine sometimes needs longer, so it is enough if one of three events is sent in time.
func TestTheFirstTryComesWithinTwoSecondsOfTheVerdict(t *testing.T) {
	p := newStoredProject(t, nil)
	url := "https://example.com/"
	r := registry.Registry{Store: p.tenantStore("").Webhooks(), Now: time.Now}
	_, err := r.Add(t.Context(), registry.Choice{URL: &url})
	check(t, err)
	sent, s := make(outbox, 10), p.server()
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	report := func(err error) { t.Errorf("reported: %v", err) }
	running.Go(func() { s.Upkeep(ctx, func(problem string, err error) { t.Errorf("%s: %v", problem, err) }) })
	running.Go(func() { s.Dispatch(ctx, sent, func(string) {}, report) })
	fastest := time.Hour
	for range 3 {
		began := time.Now()
		p.checked(s, "Should I buy TSLA?")
		select {
		case <-sent:
			fastest = min(fastest, time.Since(began))
		case <-time.After(2 * time.Minute):
			t.Fatal("the event was not sent")
		}
	}
	if fastest > 2*time.Second {
		t.Errorf("the fastest first try came after %v", fastest)
	}
}

func checkEvent(t *testing.T, body, event, preview string) {
	t.Helper()
	var got struct {
		Event string
		Data  struct {
			Gate, Preview *string
			Agent         string
			Flags         []string
		}
	}
	check(t, json.Unmarshal([]byte(body), &got))
	if got.Event != event || (got.Data.Preview == nil) != (preview == "") || got.Data.Preview != nil && *got.Data.Preview != preview {
		t.Errorf("got %s, want %s with the preview %q", body, event, preview)
	}
	if got.Data.Agent != "backend" {
		t.Errorf("no agent in %s", body)
	}
	if event == webhook.SafetyBlocked && (got.Data.Gate == nil || *got.Data.Gate != "InputCheck" || len(got.Data.Flags) != 1) {
		t.Errorf("got %s", body)
	}
}

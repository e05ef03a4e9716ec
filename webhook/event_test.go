package webhook_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"guardrails/guideline"
	"guardrails/store"
	"guardrails/webhook"
)

// entry() returns an audit entry of the safety gate.
func entry(event, result string, details map[string]any) *store.Entry {
	return &store.Entry{
		ID: "chk_1", Tenant: "acme", Kind: store.KindDecision, Event: event, Session: "s1", ProjectID: "github.com/acme/shop",
		Time:     time.Date(2026, 5, 16, 15, 0, 0, 0, time.FixedZone("", 7200)),
		Decision: &store.Decision{Result: result, Reason: "InputCheck: self_harm (self_harm.act)"},
		Context:  &guideline.Context{Agent: "backend", Metadata: map[string]any{"details": details}},
	}
}

func namesOf(events []webhook.Event) (out []string) {
	for _, e := range events {
		out = append(out, e.Name)
	}
	return out
}

func TestAnEntryThatAnotherComputerHasSentHasOnlyEventsOfDecisions(t *testing.T) {
	for event, want := range map[string]string{
		"safety_input": "", "safety_output": "", "output_audit": "", "detector": "", "decision": "decision.denied",
	} {
		for _, result := range []string{"block", "hold", "unsafe", "deny"} {
			e := entry(event, result, map[string]any{"events": []any{"a.b"}, "intervened": true})
			e.ID = store.SentID + "1"
			got := strings.Join(namesOf(webhook.Events(e)), " ")
			if got != want && result == "deny" || got != "" && result != "deny" {
				t.Errorf("%s, %s: got %q", event, result, got)
			}
		}
	}
}

func TestAuditEntriesHaveEvents(t *testing.T) {
	for name, c := range map[string]struct {
		e    *store.Entry
		want string
	}{
		"blocked":                      {entry("safety_input", "block", map[string]any{"mode": "enforce"}), "safety.blocked"},
		"blocked for a program":        {entry("safety_input", "block", map[string]any{"mode": "off"}), "safety.blocked"},
		"held answer":                  {entry("safety_output", "hold", map[string]any{"mode": "enforce"}), "safety.hold"},
		"an answer is observed":        {entry("output_audit", "unsafe", map[string]any{"mode": "observe"}), "safety.observed"},
		"a check of it failed closed":  {entry("output_audit", "failed_closed", map[string]any{"mode": "observe"}), "safety.observed"},
		"a check of it failed open":    {entry("output_audit", "failed_open", map[string]any{"mode": "observe"}), ""},
		"observed":                     {entry("safety_input", "block", map[string]any{"mode": "observe"}), "safety.observed"},
		"a flag":                       {entry("safety_input", "proceed", map[string]any{"mode": "enforce"}), ""},
		"event of a policy":            {entry("safety_input", "proceed", map[string]any{"events": []any{"a.b"}}), "a.b"},
		"blocked, and event of policy": {entry("safety_input", "block", map[string]any{"events": []any{"a.b"}}), "safety.blocked a.b"},
		"details that are no object":   {entry("safety_input", "block", nil), "safety.blocked"},
		"output guard":                 {entry("output_audit", "unsafe", map[string]any{"intervened": true}), "output.intervened"},
		"output guard, observed":       {entry("output_audit", "unsafe", map[string]any{"intervened": false}), ""},
		"denied tool call":             {entry("decision", "deny", nil), "decision.denied"},
		"question about a tool call":   {entry("decision", "ask", nil), "decision.asked"},
		"allowed tool call":            {entry("decision", "allow", nil), ""},
		"outcome of a delivery":        {entry("webhook_delivered", "delivered", nil), ""},
	} {
		if got := strings.Join(namesOf(webhook.Events(c.e)), " "); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	guarded := entry("output_audit", "unsafe", map[string]any{"mode": "observe", "risks": []any{"behavior_grandiose"}})
	if body := string(webhook.Events(guarded)[0].Body); !strings.Contains(body, `"data":{"stage":"output","gate":"OutputGuard","action":"BLOCK",`+
		`"risk_score":0,"flags":["behavior_grandiose"]`) {
		t.Errorf("an observed answer: got %s", body)
	}
	replaced := entry("output_audit", "unsafe", map[string]any{
		"mode": "enforce", "intervened": true, "risks": []any{"behavior_grandiose"}, "user": "hash", "preview": "You are…",
	})
	if body := string(webhook.Events(replaced)[0].Body); !strings.HasSuffix(body, `"data":{"stage":"output","gate":"OutputGuard","action":"unsafe",`+
		`"risks":["behavior_grandiose"],"session_id":"s1","agent":"backend","project":"github.com/acme/shop","user":"hash","preview":"You are…"}}`) {
		t.Errorf("a replaced answer: got %s", body)
	}
	change := entry("webhook_added", "", nil)
	change.Decision = nil
	if got := webhook.Events(change); len(got) > 0 {
		t.Errorf("a change: got %v", got)
	}
	detector := entry("detector", "detected", nil)
	detector.Context.Metadata["events"] = []any{"rumination"}
	if got := namesOf(webhook.Events(detector)); !slices.Equal(got, []string{"detector.rumination"}) {
		t.Errorf("a detector: got %v", got)
	}
}

func TestTheEnvelopeHasTheFieldsOfTheContract(t *testing.T) {
	details := map[string]any{
		"mode": "enforce", "risk_score": json.Number("0.92"), "gate": "InputCheck", "flags": []any{"self_harm"}, "policies": []any{"p"},
		"user": "hash",
	}
	body := webhook.Events(entry("safety_input", "block", details))[0].Body
	const want = `{"id":"evt_*","event":"safety.blocked","timestamp":"2026-05-16T13:00:00Z","tenant_id":"acme","data":{"stage":"input",` +
		`"gate":"InputCheck","action":"BLOCK","risk_score":0.92,"flags":["self_harm"],"policy":["p"],"session_id":"s1",` +
		`"agent":"backend","project":"github.com/acme/shop","user":"hash","preview":null}}`
	id := string(body[7 : 7+4+32])
	if got := strings.Replace(string(body), id, "evt_*", 1); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	details["preview"] = "Am I <going> to…"
	if body := string(webhook.Events(entry("safety_input", "block", details))[0].Body); !strings.Contains(body, `"preview":"Am I <going> to…"`) {
		t.Errorf("got %s", body)
	}
}

func TestIDsAreTheSameForTheSameEventAndEndpoint(t *testing.T) {
	now := time.Now()
	e := entry("safety_input", "block", map[string]any{"events": []any{"a.b"}})
	first, second := webhook.Events(e), webhook.Events(e)
	ids := map[string]bool{}
	for i := range first {
		for _, endpoint := range []string{"wh_1", "wh_2"} {
			one, two := first[i].Delivery(endpoint, now), second[i].Delivery(endpoint, now.Add(time.Hour))
			if one.ID != two.ID || one.Body != two.Body {
				t.Errorf("got %s and %s", one.ID, two.ID)
			}
			ids[one.ID] = true
			again := webhook.Replay(&one, "x", now)
			if again.ID == one.ID || again.ReplayOf != one.ID || again.Body != one.Body {
				t.Errorf("the replay is %+v", again)
			}
		}
	}
	if len(ids) != 4 {
		t.Errorf("got %d different ids", len(ids))
	}
}

// largest() returns the largest entry that an event can be about.
func largest() *store.Entry {
	long := strings.Repeat("<&\u2028\x01\x02\x03\x04\x05\x06*_@everyone https://evil.example \"", 200)
	var many []any
	for range 200 {
		many = append(many, long)
	}
	e := entry("safety_input", "block", map[string]any{
		"flags": many, "policies": many, "preview": long, "user": long, "gate": long, "risk_score": 1e300,
	})
	e.Session, e.ProjectID, e.Context.Agent = long, long, long
	return e
}

func TestBodiesNeverExceedTheirLimits(t *testing.T) {
	body := webhook.Events(largest())[0].Body
	if len(body) > webhook.MaxBody {
		t.Errorf("the envelope has %d bytes", len(body))
	}
	var slack struct {
		Text   string
		Blocks []struct {
			Type string
			Text struct{ Text string }
		}
	}
	decode(t, webhook.Write(webhook.FormatSlack, string(body)), &slack)
	limits := map[string]int{"header": 150, "section": 3000}
	for _, b := range slack.Blocks {
		if n := utf8.RuneCountInString(b.Text.Text); n == 0 || n > limits[b.Type] {
			t.Errorf("the %s of Slack has %d characters", b.Type, n)
		}
	}
	if len(slack.Blocks) != 2 || slack.Text == "" || strings.Contains(slack.Text, "\n") {
		t.Errorf("got %+v", slack)
	}
	var discord struct {
		Embeds []struct {
			Title  string
			Fields []struct{ Name, Value string }
		}
	}
	decode(t, webhook.Write(webhook.FormatDiscord, string(body)), &discord)
	size := utf8.RuneCountInString(discord.Embeds[0].Title)
	for _, f := range discord.Embeds[0].Fields {
		name, value := utf8.RuneCountInString(f.Name), utf8.RuneCountInString(f.Value)
		if size += name + value; name == 0 || name > 256 || value == 0 || value > 1024 {
			t.Errorf("a field of Discord has %d and %d characters", name, value)
		}
	}
	if size > 6000 || len(discord.Embeds[0].Fields) > 25 || len(discord.Embeds[0].Fields) < 3 {
		t.Errorf("the embed has %d characters in %d fields", size, len(discord.Embeds[0].Fields))
	}
}

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

func TestDataMakesNeitherLinksNorMentions(t *testing.T) {
	e := entry("safety_input", "block", map[string]any{
		"preview": "<!channel> <@U1> <https://evil.example|click> @everyone [click](https://evil.example) & *bold*",
	})
	body := string(webhook.Events(e)[0].Body)
	slack := string(webhook.Write(webhook.FormatSlack, body))
	for _, bad := range []string{"<!channel>", "<@U1>", "<https", "*bold*"} {
		if strings.Contains(slack, bad) {
			t.Errorf("Slack gets %s: %s", bad, slack)
		}
	}
	if !strings.Contains(slack, `"verbatim":true`) || !strings.Contains(slack, "&lt;!channel&gt;") || !strings.Contains(slack, "&amp;") {
		t.Errorf("got %s", slack)
	}
	discord := string(webhook.Write(webhook.FormatDiscord, body))
	for _, bad := range []string{"@everyone", "](", "https://"} {
		if strings.Contains(discord, bad) {
			t.Errorf("Discord gets %s: %s", bad, discord)
		}
	}
	if !strings.Contains(discord, `"allowed_mentions":{"parse":[]}`) {
		t.Errorf("got %s", discord)
	}
}

func TestEveryEventHasItsOwnTitle(t *testing.T) {
	titles := map[string]string{}
	for _, event := range []string{
		webhook.SafetyBlocked, webhook.SafetyHold, webhook.SafetyObserved, webhook.OutputIntervened, webhook.Test,
		webhook.DecisionDenied, webhook.DecisionAsked, "a.b",
	} {
		var m struct{ Text string }
		decode(t, webhook.Write(webhook.FormatSlack, `{"event":"`+event+`","timestamp":"2026-05-16T13:00:00Z","data":{}}`), &m)
		titles[m.Text] = event
	}
	if len(titles) != 8 {
		t.Errorf("got %v", slices.Collect(maps.Keys(titles)))
	}
}

func TestATestSaysThatItIsOne(t *testing.T) {
	e := webhook.NewTest("acme", "x", time.Date(2026, 5, 16, 13, 0, 0, 0, time.UTC))
	if e.Name != "webhook.test" || !strings.Contains(string(e.Body), `"event":"webhook.test","timestamp":"2026-05-16T13:00:00Z","tenant_id":"acme"`) {
		t.Errorf("got %s", e.Body)
	}
}

func FuzzFormats(f *testing.F) {
	f.Add("<!channel>", "a.b")
	f.Fuzz(func(t *testing.T, preview, event string) {
		e := entry("safety_input", "block", map[string]any{"preview": preview, "events": []any{event}})
		for _, one := range webhook.Events(e) {
			for _, format := range webhook.Formats() {
				if body := webhook.Write(format, string(one.Body)); !json.Valid(body) || len(body) > webhook.MaxBody {
					t.Errorf("%s: %d bytes", format, len(body))
				}
			}
		}
	})
}

func FuzzFilters(f *testing.F) {
	f.Add("safety.*", "safety.hold")
	f.Fuzz(func(t *testing.T, filter, event string) {
		if webhook.Wants([]string{filter}, event) && filter != "*" && event != webhook.Test &&
			filter != event && !strings.HasPrefix(event, strings.TrimSuffix(filter, "*")) {
			t.Errorf("%q selects %q", filter, event)
		}
	})
}

package webhook_test

import (
	"strings"
	"testing"
	"time"

	"guardrails/internal/fortests/detectorcases"
	"guardrails/store"
	"guardrails/webhook"
)

func TestSignaturesAreThoseOfTheContract(t *testing.T) {
	for _, c := range detectorcases.Load(t, "../detect/testdata/detectors.json").Signatures {
		if got := webhook.Sign([]byte(c.Body), time.Unix(c.Timestamp, 0), c.Secret); got != c.Expect {
			t.Errorf("%s: got %s, want %s", c.ID, got, c.Expect)
		}
	}
}

func TestAfterARotationBothSecretsSignFor24Hours(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	first, second, third := webhook.NewSecret(), webhook.NewSecret(), webhook.NewSecret()
	secrets := webhook.Rotate(webhook.Rotate(nil, first, now), second, now)
	for _, c := range []struct {
		name    string
		secrets []store.Secret
		after   time.Duration
		want    []string
	}{
		{"before a rotation", webhook.Rotate(nil, first, now), time.Hour, []string{first}},
		{"at once", secrets, 0, []string{second, first}},
		{"just before the end", secrets, 24*time.Hour - time.Second, []string{second, first}},
		{"at the end", secrets, 24 * time.Hour, []string{second}},
		{"after a second rotation", webhook.Rotate(secrets, third, now), time.Hour, []string{third, second}},
	} {
		e := store.Endpoint{Format: webhook.FormatJSON, Secrets: c.secrets}
		at := now.Add(c.after)
		if got, want := webhook.Signatures(&e, []byte("{}"), at), webhook.Sign([]byte("{}"), at, c.want...); got != want {
			t.Errorf("%s: got %s, want %s", c.name, got, want)
		}
	}
}

func TestSecretsAreRandomAndHave32Bytes(t *testing.T) {
	one, two := webhook.NewSecret(), webhook.NewSecret()
	if one == two || !strings.HasPrefix(one, "whsec_") || len(one) != len("whsec_")+43 {
		t.Errorf("got %s and %s", one, two)
	}
}

func TestSlackAndDiscordGetNoSignature(t *testing.T) {
	for _, format := range []string{webhook.FormatSlack, webhook.FormatDiscord} {
		e := store.Endpoint{Format: format, Secrets: []store.Secret{{Text: "whsec_x"}}}
		if got := webhook.Signatures(&e, nil, time.Now()); got != "" {
			t.Errorf("%s: got %s", format, got)
		}
	}
}

package registry

import (
	"time"

	"guardrails/store"
	"guardrails/webhook"
)

// View is what callers see of a webhook.
type View struct {
	ID      string `json:"id"`
	Version int    `json:"version"`
	// URL is the URL without the parts that can be secrets.
	URL          string   `json:"url"`
	Format       string   `json:"format"`
	Events       []string `json:"events"`
	AllowPrivate bool     `json:"allow_private"`
	Description  string   `json:"description"`
	Enabled      bool     `json:"enabled"`
	// DisabledReason says why nothing is sent.
	DisabledReason string    `json:"disabled_reason,omitempty"`
	Created        time.Time `json:"created_at"`
	Updated        time.Time `json:"updated_at"`
	Actor          string    `json:"created_by"`
	// LastTry is the newest try of any delivery, and Failures is how many tries have failed since the last success.
	LastTry  *Try `json:"last_try,omitempty"`
	Failures int  `json:"failures"`
}

// Try is a try of a delivery.
type Try = store.Try

// Secret is a webhook with its newest secret. Callers get the secret only once, when the webhook is added or the secret
// is rotated. The field Secret is empty if the format has no signature.
type Secret struct {
	View
	Secret string `json:"secret,omitempty"`
}

func viewOf(e *store.Endpoint, marks []store.Mark) View {
	v := View{
		ID: e.ID, Version: e.Version, URL: webhook.Shown(e), Format: e.Format, Events: e.Events, AllowPrivate: e.AllowPrivate,
		Description: e.Description, Enabled: e.Disabled == "", DisabledReason: e.Disabled, Created: e.Created, Updated: e.Updated,
		Actor: e.Actor,
	}
	for _, m := range marks {
		if m.Endpoint == e.ID && m.Run == e.Run {
			v.LastTry, v.Failures = m.Last, m.Failures
		}
	}
	return v
}

func secretOf(e *store.Endpoint) Secret {
	s := Secret{View: viewOf(e, nil)}
	if len(e.Secrets) > 0 {
		s.Secret = e.Secrets[0].Text
	}
	return s
}

package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"time"

	"guardrails/store"
)

// The headers of a request.
const (
	HeaderSignature = "X-Guardrails-Signature"
	HeaderEvent     = "X-Guardrails-Event"
	HeaderDelivery  = "X-Guardrails-Delivery"
)

const (
	secretPrefix = "whsec_"
	secretBytes  = 32
	// Rotation is how long the previous secret is used after a rotation.
	Rotation = 24 * time.Hour
)

// NewSecret returns a new random secret.
func NewSecret() string {
	raw := make([]byte, secretBytes)
	_, _ = rand.Read(raw) // never returns an error: it ends the program instead
	return secretPrefix + base64.RawURLEncoding.EncodeToString(raw)
}

// Sign returns the value of HeaderSignature for a body that is sent at the given time. The value has one signature for
// each secret.
func Sign(body []byte, at time.Time, secrets ...string) string {
	t := strconv.FormatInt(at.Unix(), 10)
	out := "t=" + t
	for _, secret := range secrets {
		sum := hmac.New(sha256.New, []byte(secret))
		sum.Write([]byte(t + "."))
		sum.Write(body)
		out += ",v1=" + hex.EncodeToString(sum.Sum(nil))
	}
	return out
}

// Rotate returns the secrets of an endpoint after a rotation: the new one, and the current one until it expires. Older
// secrets are no longer used.
func Rotate(secrets []store.Secret, next string, now time.Time) []store.Secret {
	out := []store.Secret{{Text: next}}
	if len(secrets) > 0 {
		out = append(out, store.Secret{Text: secrets[0].Text, Expires: now.Add(Rotation)})
	}
	return out
}

// current() returns the secrets that have not expired.
func current(secrets []store.Secret, now time.Time) (out []string) {
	for _, s := range secrets {
		if s.Expires.IsZero() || now.Before(s.Expires) {
			out = append(out, s.Text)
		}
	}
	return out
}

package rest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"guardrails/server/access"
	"guardrails/server/rest"
)

func TestASessionBeginsWithACodeOrATokenAndNothingElse(t *testing.T) {
	api := newAPI(t)
	code := access.NewCode(ownersToken, "7117", api.clock().Add(-time.Second))
	for _, c := range []struct {
		name, body string
		want       int
	}{
		{"a code", `{"code":"` + code + `"}`, 201},
		{"the code again", `{"code":"` + code + `"}`, 401},
		{"a token", `{"token":"` + ownersToken + `"}`, 201},
		{"an unknown token", `{"token":"` + strings.Repeat("x", 40) + `"}`, 401},
		{"a token as a code", `{"code":"` + ownersToken + `"}`, 401},
		{"both", `{"code":"` + code + `","token":"` + ownersToken + `"}`, 400},
		{"neither", `{}`, 400},
		{"an empty code", `{"code":""}`, 400},
		{"a number", `{"code":1}`, 400},
		{"another field", `{"password":"x"}`, 400},
		{"a list", `[]`, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := api.send(http.MethodPost, rest.SessionPath, c.body)
			if r.status != c.want || strings.Contains(r.text, ownersToken) || strings.Contains(r.text, code) {
				t.Errorf("%d, want %d: %s", r.status, c.want, r.text)
			}
		})
	}
	if strings.Contains(api.logged.String(), code) || strings.Contains(api.logged.String(), ownersToken) {
		t.Error("the log has a secret")
	}
}

// Browsers accept the prefix __Host- only with the path "/".
func TestTheCookieIsOnlyForTheAPIOfThisHostAndNotForScripts(t *testing.T) {
	api := newAPI(t)
	for origin, want := range map[string]string{
		"http://127.0.0.1:7117":      "guardrails-7117=V; Path=/api/; Max-Age=43200; HttpOnly; SameSite=Strict",
		"http://127.0.0.1:7118":      "guardrails-7118=V; Path=/api/; Max-Age=43200; HttpOnly; SameSite=Strict",
		"http://localhost":           "guardrails-80=V; Path=/api/; Max-Age=43200; HttpOnly; SameSite=Strict",
		"https://proxy.example":      "__Host-guardrails-443=V; Path=/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict",
		"https://proxy.example:8443": "__Host-guardrails-8443=V; Path=/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict",
	} {
		r := api.send(http.MethodPost, rest.SessionPath, `{"token":"`+ownersToken+`"}`, "Origin: "+origin).is(201)
		got := r.header.Get("Set-Cookie")
		name, rest, _ := strings.Cut(got, "=")
		value, attributes, _ := strings.Cut(rest, ";")
		if name+"=V;"+attributes != want || len(value) < 40 || strings.Contains(r.text, value) {
			t.Errorf("%s: %s", origin, got)
		}
	}
}

func TestTheSessionShowsTheCallerWithoutTheKey(t *testing.T) {
	api := newAPI(t)
	api.send(http.MethodPost, rest.SessionPath, `{"token":"`+ownersToken+`"}`).is(201).has("role", "admin").has("name", "owner").has("tenant_id", "shop")
	r := api.get(rest.SessionPath).has("name", "alice").has("server_version", "1.2.3")
	if strings.Contains(r.text, "key") || strings.Contains(r.text, "expires") {
		t.Errorf("%s", r.text)
	}
}

func TestProofsNeedARandomNonce(t *testing.T) {
	api := newAPI(t)
	nonce := access.NewNonce()
	r := api.send(http.MethodPost, rest.ProofPath, `{"nonce":"`+nonce+`"}`).is(200)
	if !access.IsProof(ownersToken, "7117", nonce, r.value("proof")) {
		t.Errorf("%s", r.text)
	}
	for _, body := range []string{`{}`, `{"nonce":""}`, `{"nonce":"short"}`, `{"nonce":"` + strings.Repeat("n", 101) + `"}`, `{"nonce":"a\nb456789012345678"}`} {
		api.send(http.MethodPost, rest.ProofPath, body).is(400)
	}
}

package rest

import (
	"net/http"

	"guardrails/server/access"
)

// adminRoutes returns the routes for tokens and settings.
func adminRoutes() []route {
	const tokens = base + "/tokens"
	return []route{
		{
			method: http.MethodGet, path: tokens, name: "list_tokens", role: access.Admin, summary: "List the tokens of the tenant",
			about: "The tokens are sorted by name. The list does not contain the first token, whose name is " +
				"`owner`.", parameters: pages(usualTokens),
			serve:   (*call).tokens,
			answers: []answer{{status: http.StatusOK, about: "The tokens, without their secrets", schema: "TokenList", types: []string{typeJSON}}},
		},
		{
			method: http.MethodPost, path: tokens, name: "create_token", role: access.Admin, summary: "Create a token",
			about: "The token is for the caller's tenant. Only this answer contains the token's secret; the secret cannot be shown again.",
			body:  &body{schema: "TokenCreate", most: maxOne}, serve: (*call).createToken,
			answers: []answer{{status: http.StatusCreated, about: "The new token with its secret", schema: "Token", types: []string{typeJSON}}},
		},
		{
			method: http.MethodDelete, path: tokens + "/" + idSegment, idAbout: "The name of the token.", name: "revoke_token", role: access.Admin,
			summary: "Revoke a token", about: "The token becomes invalid at once. The sessions and streams of the token " +
				"end.", serve: (*call).revokeToken,
			answers: []answer{{status: http.StatusNoContent, about: "The token has been revoked"}},
		},
		{
			method: http.MethodGet, path: base + "/settings", name: "get_settings", role: access.Read, summary: "Get the settings of the server's project",
			about: "A caller of another tenant gets only the caller's tenant and the version of the server.", serve: (*call).settings,
			answers: []answer{{status: http.StatusOK, about: "The settings", schema: "Settings", types: []string{typeJSON}}},
		},
	}
}

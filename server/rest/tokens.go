package rest

import (
	"net/http"
	"slices"
	"time"

	"guardrails/internal/document"
	"guardrails/server/access"
	"guardrails/store"
)

// tokenView is a token in the form that answers have. Secret is set only in the answer to the creation of the token.
type tokenView struct {
	Name    string    `json:"name"`
	Tenant  string    `json:"tenant_id"`
	Role    string    `json:"role"`
	Created time.Time `json:"created,omitzero"`
	Expires time.Time `json:"expires,omitzero"`
	Problem string    `json:"problem,omitempty"`
	Secret  string    `json:"token,omitempty"`
}

func viewOfToken(t *access.Token, now time.Time) tokenView {
	out := tokenView{Name: t.Name, Tenant: t.Tenant, Role: t.Role.String(), Created: t.Created, Expires: t.Expires}
	switch {
	case t.Damage != "":
		// The reason has the path of a file, which callers need not know.
		out.Problem = "its file is damaged; revoke the token and make a new one"
	case t.Expired(now):
		out.Problem = "has expired"
	}
	return out
}

// usualTokens is the number of tokens on a page if the caller does not say how many.
const usualTokens = 200

func (c *call) tokens() error {
	pager, err := store.NewPager[string](c.paging(), "tokens", c.caller.Tenant)
	if err != nil {
		return err
	}
	list, err := c.ownTokens()
	if err != nil {
		return err
	}
	page, err := store.PageIn(&pager, list, func(t *access.Token, name *string) bool { return t.Name > *name },
		func(t *access.Token) string { return t.Name })
	if err != nil {
		return err
	}
	out := []tokenView{}
	for i := range page.Items {
		out = append(out, viewOfToken(&page.Items[i], c.h.o.Now()))
	}
	return c.say(http.StatusOK, struct {
		Tokens []tokenView `json:"tokens"`
		counted
	}{out, countedOf(&page)})
}

// ownTokens returns the tokens of the caller's tenant, sorted by name.
func (c *call) ownTokens() ([]access.Token, error) {
	if c.h.o.Tokens == nil {
		return nil, forbidden("this server does not manage tokens")
	}
	return c.h.o.Tokens.List(c.caller.Tenant)
}

func (c *call) createToken() error {
	token, err := c.newToken()
	if err != nil {
		return err
	}
	list, err := c.ownTokens()
	if err != nil {
		return err
	}
	if slices.ContainsFunc(list, func(t access.Token) bool { return t.Name == token.Name }) {
		return newProblem(http.StatusConflict, string(store.Conflict),
			"the token "+token.Name+" already exists; revoke it first, or choose another name")
	}
	secret, err := c.h.o.Tokens.Create(token)
	if err != nil {
		return err
	}
	c.h.o.Log.Info("a token was created", "name", token.Name, "role", token.Role.String(), "tenant", token.Tenant, "by", c.caller.Name)
	token.Created = c.h.o.Now().UTC().Truncate(time.Second)
	out := viewOfToken(&token, token.Created)
	out.Secret = secret
	return c.say(http.StatusCreated, out)
}

// newToken reads a token from the body.
func (c *call) newToken() (access.Token, error) {
	token := access.Token{Tenant: c.caller.Tenant}
	n, d, err := c.object()
	if err != nil {
		return token, err
	}
	d.Object(n, "", []document.Spec{
		{Name: "name", Required: true, Read: func(n *document.Node, at string) {
			if token.Name = d.String(n, at, false); !access.ValidName(token.Name) || token.Name == access.Owner {
				d.Report(n, at, document.Excerpt(token.Name)+" cannot be the name of a token",
					"use up to 64 letters, digits, hyphens and underscores, and not "+access.Owner)
			}
		}},
		{Name: "role", Required: true, Read: func(n *document.Node, at string) {
			token.Role, _ = access.ParseRole(d.Choice(n, at, access.RoleNames()))
		}},
		{Name: "expires", Read: unlessNull(func(n *document.Node, at string) {
			when, ok := document.ParseTime(n.Text)
			if token.Expires = when.UTC(); !ok || !when.After(c.h.o.Now()) {
				d.Report(n, at, document.Excerpt(n.Text)+" is not a time in the future", "write it as 2026-01-31T12:00:00Z, or leave it out")
			}
		})},
	})
	if len(d.Problems) > 0 {
		return token, invalid(d.Problems)
	}
	return token, nil
}

func (c *call) revokeToken() error {
	list, err := c.ownTokens()
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(list, func(t access.Token) bool { return t.Name == c.id }) {
		return newProblem(http.StatusNotFound, string(store.NotFound), "there is no token "+document.Excerpt(c.id))
	}
	if err := c.h.o.Tokens.Revoke(c.caller.Tenant, c.id); err != nil {
		return err
	}
	c.h.o.Log.Info("a token was revoked", "name", c.id, "tenant", c.caller.Tenant, "by", c.caller.Name)
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

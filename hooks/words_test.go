package hooks

import "testing"

func TestTextsThatLookLikeSecretsAreMasked(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "",
		"git push origin main":             "git push origin main",
		"PASSWORD=hunter2 make":            "PASSWORD=*** make",
		"token: abc def":                   "token: *** def",
		"--password hunter2 --user me":     "--password *** --user me",
		"--api-key=abc":                    "--api-key=***",
		"Authorization: Bearer abc.def":    "Authorization: Bearer ***",
		"Bearer  abc":                      "Bearer  ***",
		"curl https://me:pw@example.com/x": "curl https://me:***@example.com/x",
		"curl https://example.com/a@b":     "curl https://example.com/a@b",
		"use ghp_0123456789abcdef now":     "use *** now",
		`"sk-0123456789abcdef",`:           "***",
		"sk-short":                         "sk-short",
		"secret://vault/x":                 "secret://vault/x",
		"Basic\nabc\tdef":                  "Basic\n***\tdef",
		"a\n b":                            "a\n b",
		"a=b":                              "a=b",
	} {
		if got := masked(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

package service_test

import (
	"path/filepath"
	"testing"

	"guardrails/service"
)

func TestACallerWithOtherFoldersIsRefused(t *testing.T) {
	p := newProject(t, nil)
	home := filepath.Join(p.root, "home")
	p.vars["HOME"] = home
	state, settings := p.vars["XDG_STATE_HOME"], p.vars["XDG_CONFIG_HOME"]
	for name, c := range map[string]struct {
		caller map[string]string
		fails  string
	}{
		"the same home": {map[string]string{"HOME": home, "XDG_CONFIG_HOME": settings, "XDG_STATE_HOME": state}, ""},
		"the default data folder, named": {map[string]string{"HOME": home, "XDG_CONFIG_HOME": settings, "XDG_STATE_HOME": state, "XDG_DATA_HOME": home +
			"/.local/share/"}, ""},
		"no folders named": {map[string]string{"GUARDRAILS_TENANT": "a"}, ""},
		"another home":     {map[string]string{"HOME": "/tmp/e", "XDG_CONFIG_HOME": settings, "XDG_STATE_HOME": state}, "the data folder"},
		"another data folder": {map[string]string{
			"HOME": home, "XDG_CONFIG_HOME": settings, "XDG_STATE_HOME": state,
			"XDG_DATA_HOME": "/tmp/e",
		}, "the data folder"},
		"another state folder": {map[string]string{"HOME": home, "XDG_CONFIG_HOME": settings}, "the state folder"},
		"another folder of settings": {
			map[string]string{"HOME": home, "XDG_STATE_HOME": state}, "the folder of the user's settings",
		},
		"another cluster": {map[string]string{
			"HOME": home, "XDG_CONFIG_HOME": settings, "XDG_STATE_HOME": state,
			"ELASTICSEARCH_URL": "http://127.0.0.1:9",
		}, "ELASTICSEARCH_URL"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := p.service().GetContext(t.Context(), service.Request{Hook: true, Environment: c.caller})
			want := "environment: " + c.fails + " is different in this server; end the server, and start it in the environment of the hooks"
			if c.fails == "" && err != nil || c.fails != "" && (err == nil || err.Error() != want) {
				t.Errorf("got %v", err)
			}
		})
	}
}

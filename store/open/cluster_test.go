package open_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/config"
	"guardrails/store"
)

func TestAClusterThatCannotBeAskedIsAwayWithTheReason(t *testing.T) {
	p := newPlace(t)
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(p.home, name)
		check(t, os.WriteFile(path, []byte(text), mode))
		return "~/" + name
	}
	for name, c := range map[string]struct {
		with config.Store
		want string
	}{
		"nobody there":               {config.Store{}, "127.0.0.1:1"},
		"a password of all":          {config.Store{Username: "u", PasswordFile: file("open", "geheim", 0o644)}, "its password_file " + p.home + "/open can be read by others; run chmod 600 on it"},
		"a password that is missing": {config.Store{Username: "u", PasswordFile: "~/none"}, "its password_file " + p.home + "/none cannot be read: no such file"},
		"a key of two lines":         {config.Store{APIKeyFile: file("key", "a\nb", 0o600)}, "its api_key_file " + p.home + "/key does not hold a secret"},
		"certificates in a folder":   {config.Store{CAFile: "~/"}, "its ca_file cannot be read: it is no file of certificates"},
		"no certificates":            {config.Store{CAFile: file("ca", "geheim", 0o644)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c.with.Addresses = []string{"http://127.0.0.1:1"}
			opened, err := p.open(&config.Config{Store: &c.with}, false)
			check(t, err)
			if opened.Place() != "elasticsearch:http://127.0.0.1:1" {
				t.Errorf("%s", opened.Place())
			}
			_, err = book(opened).Get(t.Context(), "one")
			if code := store.CodeOf(err); code != store.Unavailable && code != store.Invalid || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "geheim") {
				t.Errorf("%s: %v", code, err)
			}
		})
	}
}

package open_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/config"
	"guardrails/store"
)

func TestAClusterThatCannotBeReachedIsUnavailableWithTheReason(t *testing.T) {
	f := newFolder(t)
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(f.home, name)
		check(t, os.WriteFile(path, []byte(text), mode))
		return "~/" + name
	}
	for name, c := range map[string]struct {
		config config.Store
		want   string
	}{
		"no server": {config.Store{}, "127.0.0.1:1"},
		"a password that others can read": {
			config.Store{Username: "u", PasswordFile: file("open", "geheim", 0o644)},
			"its password_file " + f.home + "/open can be read by others; run chmod 600 on it",
		},
		"no password file": {
			config.Store{Username: "u", PasswordFile: "~/none"},
			"its password_file " + f.home + "/none cannot be read: no such file",
		},
		"a key of two lines": {
			config.Store{APIKeyFile: file("key", "a\nb", 0o600)},
			"its api_key_file " + f.home + "/key contains no secret",
		},
		"a folder of certificates": {config.Store{CAFile: "~/"}, "cannot read its ca_file: it is not a certificate file"},
		"no certificates":          {config.Store{CAFile: file("ca", "geheim", 0o644)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c.config.Addresses = []string{"http://127.0.0.1:1"}
			s, err := f.open(&config.Config{Store: &c.config}, false)
			check(t, err)
			if s.Location() != "elasticsearch:http://127.0.0.1:1" {
				t.Errorf("the location is %s", s.Location())
			}
			_, err = tenant(s).Get(t.Context(), "one")
			if code := store.CodeOf(err); code != store.Unavailable && code != store.Invalid {
				t.Errorf("%s: %v", code, err)
			}
			if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "geheim") {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

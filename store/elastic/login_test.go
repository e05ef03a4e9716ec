package elastic_test

import (
	"net/http"
	"strings"
	"testing"

	"guardrails/store"
	"guardrails/store/elastic"
	"guardrails/store/storetest"
)

// With the privileges in docs/store.md, a store can do everything, but only in its own indices.
func TestTheDocumentedPrivilegesAreEnough(t *testing.T) {
	t.Parallel()
	s := elastic.NewSecured(t)
	const password = "a-good-password"
	for name, login := range map[string]func(o *elastic.Options){
		"a user": func(o *elastic.Options) {
			o.Username, o.Password = s.NewUser(s.Documented(o.Prefix), password), password
		},
		"an API key": func(o *elastic.Options) { o.APIKey = s.NewKey(s.Documented(o.Prefix)).Encoded },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var last elastic.Options
			storetest.RunCore(t, func(t *testing.T) store.Store {
				last = s.Options(s.NewPrefix())
				login(&last)
				return open(t, last)
			})
			last.Prefix = "other-"
			cannotOpen(t, last, store.Unavailable, "does not allow this", `"read", "write" and "manage" on the indices`)
		})
	}
}

// With the narrower privileges in docs/store.md, an existing store can do everything.
func TestAKeyWithoutManageCanUseAnExistingStore(t *testing.T) {
	t.Parallel()
	s := elastic.NewSecured(t)
	o := s.Options(s.NewPrefix())
	narrow := strings.Replace(s.Documented(o.Prefix), `"manage"`, `"view_index_metadata", "maintenance"`, 1)
	wide, few := o, o
	wide.APIKey, few.APIKey = s.NewKey(s.Documented(o.Prefix)).Encoded, s.NewKey(narrow).Encoded
	cannotOpen(t, few, store.Unavailable, "the API key", `"read", "write" and "manage" on the indices`)
	open(t, wide).Close()
	used := open(t, few)
	defer used.Close()
	if _, err := used.Create(t.Context(), newWrite(), small("one")); err != nil {
		t.Error(err)
	}
	checkWhole(t, used, 1)
	if _, err := used.Append(t.Context(), "a", decision("d1"), decision("d2")); err != nil {
		t.Error(err)
	}
	if _, err := used.Prune(t.Context(), newWrite(), store.Retention{Keep: 1}); err != nil {
		t.Error(err)
	}
}

func TestARefusedLoginSaysWhatToDoAndNoSecret(t *testing.T) {
	t.Parallel()
	s := elastic.NewSecured(t)
	prefix := s.NewPrefix()
	body := s.Documented(prefix)
	over, ended, valid := s.NewKey(strings.Replace(body, `"90d"`, `"1ms"`, 1)), s.NewKey(body), s.NewKey(body)
	s.Manage(http.MethodDelete, "/_security/api_key", `{"ids": ["`+ended.ID+`"]}`, nil)
	unmonitored := s.NewKey(strings.Replace(body, `["monitor"]`, `[]`, 1))
	reader := s.NewKey(strings.Replace(body, `["read", "write", "manage"]`, `["read"]`, 1))
	for name, c := range map[string]struct {
		o    elastic.Options
		want []string
	}{
		"no login": {
			elastic.Options{},
			[]string{"requires a login; configure a user name and a password, or an API key"},
		},
		"a wrong password": {
			elastic.Options{Username: "elastic", Password: "not-the-password"},
			[]string{"check the user name and the password", "[elastic]"},
		},
		"no such user": {
			elastic.Options{Username: "nobody", Password: "not-the-password"},
			[]string{"check the user name and the password", "[nobody]"},
		},
		"no password": {
			elastic.Options{Username: "elastic"},
			[]string{"check the user name and the password"},
		},
		"an expired key": {
			elastic.Options{APIKey: over.Encoded},
			[]string{"use a valid one", "api key is expired"},
		},
		"an invalidated key": {
			elastic.Options{APIKey: ended.Encoded},
			[]string{"use a valid one", "has been invalidated"},
		},
		"a key in two parts": {
			elastic.Options{APIKey: valid.ID + ":" + valid.Secret()},
			[]string{"in the encoded form"},
		},
		"half of a key": {elastic.Options{APIKey: valid.Secret()}, []string{"in the encoded form"}},
		"a key without monitor": {
			elastic.Options{APIKey: unmonitored.Encoded},
			[]string{`grant it the privilege "monitor" on the cluster`, "cluster:monitor/main"},
		},
		"a read-only key": {
			elastic.Options{APIKey: reader.Encoded},
			[]string{`"read", "write" and "manage" on the indices of guardrails`, "granted by the index privileges"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := s.Options(prefix)
			o.Username, o.Password, o.APIKey = c.o.Username, c.o.Password, c.o.APIKey
			cannotOpen(t, o, store.Unavailable, c.want...)
		})
	}
}

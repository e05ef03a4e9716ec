package config_test

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"guardrails/config"
)

func TestStoreComesFromTheFileOrTheEnvironment(t *testing.T) {
	cluster := &config.Store{
		Addresses: []string{"https://one:9200", "https://two:9200"}, CAFile: "/etc/ca.pem", Username: "guard", PasswordFile: "~/.secret",
		IndexPrefix: "team-", Timeout: 5 * time.Second,
	}
	for _, c := range []struct {
		name, text string
		variables  map[string]string
		want       *config.Store
		place      string
	}{
		{name: "none"},
		{name: "a database", text: "store: sqlite:/var/lib/guardrails.db", want: &config.Store{Path: "/var/lib/guardrails.db"}, place: "sqlite:/var/lib/guardrails.db"},
		{name: "a database in the home folder", text: "store: sqlite:~/team/g.db", want: &config.Store{Path: "~/team/g.db"}, place: "sqlite:~/team/g.db"},
		{
			name: "nodes of a cluster", text: "store: elasticsearch:http://one:9200,http://two:9200/search",
			want: &config.Store{Addresses: []string{"http://one:9200", "http://two:9200/search"}}, place: "elasticsearch:http://one:9200,http://two:9200/search",
		},
		{
			name: "a cluster with every setting",
			text: "store:\n  addresses: [\"https://one:9200\", \"https://two:9200\"]\n  ca_file: /etc/ca.pem\n  username: guard\n" +
				"  password_file: ~/.secret\n  index_prefix: team-\n  timeout: 5\n",
			want: cluster, place: "elasticsearch:https://one:9200,https://two:9200",
		},
		{
			name: "the variable overrides the file", text: "store: sqlite:/a.db",
			variables: map[string]string{"GUARDRAILS_STORE": "sqlite:/b.db", "ELASTICSEARCH_URL": "http://one:9200"}, want: &config.Store{Path: "/b.db"}, place: "sqlite:/b.db",
		},
		{
			name:      "the variable contains an object",
			variables: map[string]string{"GUARDRAILS_STORE": `{"addresses": ["http://one:9200"], "api_key_file": "/key"}`},
			want:      &config.Store{Addresses: []string{"http://one:9200"}, APIKeyFile: "/key"}, place: "elasticsearch:http://one:9200",
		},
		{
			name: "only ELASTICSEARCH_URL", variables: map[string]string{"ELASTICSEARCH_URL": "http://one:9200"},
			want: &config.Store{Addresses: []string{"http://one:9200"}}, place: "elasticsearch:http://one:9200",
		},
		{
			name: "the file overrides ELASTICSEARCH_URL", text: "store: sqlite:/a.db",
			variables: map[string]string{"ELASTICSEARCH_URL": "http://one:9200"}, want: &config.Store{Path: "/a.db"}, place: "sqlite:/a.db",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, problems := load(project(t, c.text), from(c.variables))
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Store, c.want) {
				t.Errorf("got  %+v\nwant %+v", got.Store, c.want)
			}
			if got.Store != nil && got.Store.String() != c.place {
				t.Errorf("the location is %s, want %s", got.Store, c.place)
			}
		})
	}
}

func TestInvalidStoreIsIgnored(t *testing.T) {
	for text, want := range map[string]string{
		"store: guardrails.db":                              "store: names no store; write sqlite:PATH or elasticsearch:URL",
		"store: sqlite:guardrails.db":                       `store: "guardrails.db" is not the path of a file; begin it with / or ~/`,
		"store: sqlite:/data/":                              `store: "/data/" is not the path of a file; begin it with / or ~/`,
		"store: 'elasticsearch:'":                           `store: "" is not the address of a node; write http://host:9200`,
		"store: elasticsearch:one:9200":                     `store: "one:9200" is not the address of a node; write http://host:9200`,
		"store: elasticsearch:http://u:geheim@one:9200":     "store: has a user name in an address; remove it, and write username and password_file",
		"store: {addresses: []}":                            "store.addresses: names no node; write http://host:9200",
		"store: {addresses: [\"http://a:1\"], username: u}": "store: has only one of username and password_file; give both, or api_key_file",
		"store: {addresses: [\"http://a:1\"], username: u, password_file: /p, api_key_file: /k}": "store: has two ways to log in; keep either username and password_file, or api_key_file",
		"store: {addresses: [\"http://a:1\"], password: geheim}":                                 "store.password: unknown field; remove it; the known fields are addresses, ca_file, username, password_file, api_key_file, index_prefix, timeout",
		"store: {addresses: [\"http://a:1\"], index_prefix: Team}":                               `store.index_prefix: "Team" is not a valid prefix of an index name; use small letters, digits, hyphens and underscores, and begin with a letter or digit`,
		"store: {addresses: [\"http://a:1\"], timeout: 0}":                                       "store.timeout: 0 is not a whole number between 1 and 60; change it",
		"store: 7":              "store: is a number where a string is expected; write a string",
		"audit: {keep_days: 0}": "audit.keep_days: 0 is not a whole number between 1 and 36500; change it",
		"audit: {days: 3}":      "audit.days: unknown field; remove it; the known fields are keep_days, keep_entries, calls",
	} {
		t.Run(text, func(t *testing.T) {
			root := project(t, text)
			got, problems := load(root, from(nil))
			if said := strings.ReplaceAll(problems.Error(), filepath.Join(root, config.File)+":1: ", ""); said != want {
				t.Errorf("got  %s\nwant %s", said, want)
			}
			if got.Store != nil || got.Audit.KeepDays != 0 || got.Audit.KeepEntries != 0 {
				t.Errorf("%+v %+v", got.Store, got.Audit)
			}
		})
	}
	_, problems := load(t.TempDir(), from(map[string]string{"ELASTICSEARCH_URL": "http://u:geheim@one"}))
	if said := problems.Error(); said != "ELASTICSEARCH_URL: has a user name in an address; remove it, and write username and password_file" {
		t.Errorf("%s", said)
	}
}

func TestRetentionOfDecisionsIsASetting(t *testing.T) {
	got, problems := load(project(t, "audit: {keep_days: 90, keep_entries: 100000}"), from(nil))
	if err := problems.Err(); err != nil || got.Audit != (config.Audit{KeepDays: 90, KeepEntries: 100000}) {
		t.Errorf("%+v %v", got.Audit, err)
	}
}

package elastic

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"guardrails/store"
)

// Secured is an Elasticsearch server with security and TLS enabled. The tests know the password of its owner.
type Secured struct {
	t   *testing.T
	URL string
	// CA is the certificate of the authority that signed the server's certificate. CAFile is the path of the file with
	// this certificate.
	CA       []byte
	CAFile   string
	password string
	client   *http.Client
}

// NewSecured returns the server that scripts/stores.sh has started. If there is none, the test fails.
func NewSecured(t *testing.T) *Secured {
	t.Helper()
	s := &Secured{t: t, URL: os.Getenv("GUARDRAILS_TEST_SECURED"), CAFile: os.Getenv("GUARDRAILS_TEST_SECURED_CA_FILE")}
	password, noPassword := os.ReadFile(os.Getenv("GUARDRAILS_TEST_SECURED_PASSWORD_FILE"))
	ca, noCA := os.ReadFile(s.CAFile)
	if err := errors.Join(noPassword, noCA); err != nil || s.URL == "" {
		t.Fatalf("the variables GUARDRAILS_TEST_SECURED... name no server (%v); "+
			"run scripts/stores.sh, or first eval \"$(scripts/stores.sh start)\"", err)
	}
	s.CA, s.password = ca, string(password)
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(ca)
	s.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}}}
	t.Cleanup(s.client.CloseIdleConnections)
	return s
}

// Options returns the options of a store on this server, without a login.
func (s *Secured) Options(prefix string) Options {
	return Options{Addresses: []string{s.URL}, CA: s.CA, Prefix: prefix}
}

// Do sends a request to the server over TLS.
func (s *Secured) Do(r *http.Request) (*http.Response, error) { return s.client.Do(r) }

// Manage sends a request as the owner, who has all privileges.
func (s *Secured) Manage(method, path, body string, into any) {
	s.t.Helper()
	r, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.SetBasicAuth("elastic", s.password)
	r.Header.Set("Content-Type", "application/json")
	answer, err := s.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && into != nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil || answer.StatusCode >= http.StatusBadRequest {
		s.t.Fatalf("%s %s: %s %v", method, path, answer.Status, err)
	}
}

// NewPrefix returns an unused index prefix. Its indices are deleted when the test ends.
func (s *Secured) NewPrefix() string {
	prefix := "team-" + strings.ToLower(store.NewID(time.Now())) + "-"
	s.t.Cleanup(func() {
		var names []string
		for _, l := range append(layouts(), next()...) {
			s := &Store{indices: indices{prefix: prefix}}
			names = append(names, s.versioned(l), s.segment(l, 1).name)
		}
		names = append(names, prefix+fence)
		s.Manage(http.MethodDelete, "/"+strings.Join(names, ",")+"?ignore_unavailable=true", "", nil)
	})
	return prefix
}

// Documented returns the request in docs/store.md that creates an API key, adapted to the indices with the given
// prefix.
func (s *Secured) Documented(prefix string) string {
	s.t.Helper()
	page, err := os.ReadFile("../../docs/store.md")
	if err != nil {
		s.t.Fatal(err)
	}
	_, after, found := strings.Cut(string(page), "POST /_security/api_key\n")
	example, _, ends := strings.Cut(after, "\n\n")
	if !found || !ends || !strings.Contains(example, `"team-guardrails-*"`) {
		s.t.Fatal("docs/store.md has no example of an API key for the prefix team-")
	}
	return strings.ReplaceAll(example, "team-", prefix)
}

// Key is an API key: its encoded form and its id.
type Key struct{ Encoded, ID string }

// NewKey creates an API key. The parameter "body" is the body of the request.
func (s *Secured) NewKey(body string) (k Key) {
	s.t.Helper()
	s.Manage(http.MethodPost, "/_security/api_key", body, &k)
	return k
}

// NewUser creates a user with the privileges of an API key. The user is deleted when the test ends.
func (s *Secured) NewUser(body, password string) (name string) {
	s.t.Helper()
	var key struct {
		Roles map[string]json.RawMessage `json:"role_descriptors"`
	}
	if err := json.Unmarshal([]byte(body), &key); err != nil || len(key.Roles) != 1 {
		s.t.Fatalf("%v: %s", err, body)
	}
	name = "user-" + store.NewID(time.Now())
	for _, role := range key.Roles {
		s.Manage(http.MethodPut, "/_security/role/"+name, string(role), nil)
	}
	s.Manage(http.MethodPut, "/_security/user/"+name, fmt.Sprintf(`{"password": %q, "roles": [%q]}`, password, name), nil)
	s.t.Cleanup(func() {
		s.Manage(http.MethodDelete, "/_security/user/"+name, "", nil)
		s.Manage(http.MethodDelete, "/_security/role/"+name, "", nil)
	})
	return name
}

// Secret returns the secret part of the key.
func (k Key) Secret() string {
	text, _ := base64.StdEncoding.DecodeString(k.Encoded) // tests also use invalid keys
	_, secret, _ := strings.Cut(string(text), ":")
	return secret
}

package service_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheTokenIsSentOnlyToTheServer(t *testing.T) {
	var seen []string
	record := func(r *http.Request) { seen = append(seen, r.Header.Get("Authorization")) }
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { record(r) }))
	t.Cleanup(elsewhere.Close)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		record(r)
		http.Redirect(w, r, elsewhere.URL, http.StatusPermanentRedirect)
	}))
	t.Cleanup(server.Close)
	p := newProject(t, nil)
	home := t.TempDir()
	write(t, filepath.Join(home, "token"), "s3cret\n")
	p.vars["HOME"], p.vars["HTTP_PROXY"] = home, elsewhere.URL
	p.write(".claude/guardrails.yaml", fmt.Sprintf("server: {url: %q, token_file: ~/token}\n", server.URL))
	a := p.hook("")
	if strings.Join(seen, ",") != "Bearer s3cret" {
		t.Errorf("sent %q", seen)
	}
	lacks(t, a.Fallback.Reason+strings.Join(a.Notices, " ")+a.SessionCache, "s3cret")
}

func TestAnUnsafeTokenFileIsNotUsed(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(t *testing.T, f string)
		want string
	}{
		{
			"missing", func(*testing.T, string) {},
			"cannot be read: no such file or directory; check the path and its permissions",
		},
		{
			"readable by others", func(t *testing.T, f string) { write(t, f, "s3cret"); chmod(t, f, 0o640) },
			"can be read by others; run chmod 600 on it",
		},
		{
			"a link", func(t *testing.T, f string) { write(t, f+"2", "s3cret"); link(t, f+"2", f) },
			"is not a regular file; write the secret into one",
		},
		{"a folder", mkdir, "is not a regular file"},
		{"empty", func(t *testing.T, f string) { write(t, f, " \n") }, "contains no secret"},
		{"two lines", func(t *testing.T, f string) { write(t, f, "s3cret\nX-Header: y") }, "contains no secret"},
		{"long", func(t *testing.T, f string) { write(t, f, strings.Repeat("s3cret", 1000)) }, "contains no secret"},
	} {
		t.Run(c.name, func(t *testing.T) {
			contacted := false
			settings := serve(t, func(http.ResponseWriter, *http.Request) { contacted = true })
			file := filepath.Join(t.TempDir(), "token")
			c.make(t, file)
			p := newProject(t, map[string]string{".claude/guardrails.yaml": strings.Replace(settings, "}",
				fmt.Sprintf(", token_file: %q}", file), 1)})
			a := p.hook("")
			contains(t, a.Fallback.Reason, " cannot be used: its token_file "+file+" "+c.want)
			lacks(t, a.Fallback.Reason, "s3cret")
			if contacted {
				t.Error("the server was contacted")
			}
		})
	}
	p := newProject(t, map[string]string{".claude/guardrails.yaml": "server: {url: \"http://127.0.0.1:1\", token_file: ~/t}\n"})
	contains(t, p.hook("").Fallback.Reason, "HOME is not set; set it or write an absolute path")
}

package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// gzipped() returns a text in compressed form.
func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	check(t, err)
	check(t, w.Close())
	return b.Bytes()
}

// newHandler returns a handler for a small page.
func newHandler(t *testing.T) *Handler {
	t.Helper()
	files, err := read(fstest.MapFS{
		"dist/index.html":            {Data: []byte("<!doctype html>the page")},
		"dist/assets/a-1a2b3c.js":    {Data: []byte("script")},
		"dist/assets/a-1a2b3c.js.gz": {Data: gzipped(t, "script")},
		"dist/icon.svg":              {Data: []byte("<svg/>")},
	}, "dist")
	check(t, err)
	return &Handler{files}
}

func ask(h http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, http.NoBody)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestEveryAddressOfThePageGetsThePageAndMissingFilesDoNot(t *testing.T) {
	h := newHandler(t)
	const html = "text/html,application/xhtml+xml,*/*;q=0.8"
	for _, c := range []struct {
		method, path, accept string
		status               int
		want                 string
	}{
		{"GET", "/ui/", "", 200, "the page"},
		{"GET", "/ui/", "*/*", 200, "the page"},
		{"GET", "/ui/index.html", "*/*", 200, "the page"},
		{"GET", "/ui/guidelines/tests-first", html, 200, "the page"},
		{"GET", "/ui/guidelines/tests.first?search=a", html, 200, "the page"},
		{"GET", "/ui/assets/a-1a2b3c.js", "*/*", 200, "script"},
		{"GET", "/ui/icon.svg", "image/*", 200, "<svg/>"},
		{"HEAD", "/ui/guidelines", html, 200, ""},
		{"GET", "/ui/guidelines", "application/json", 404, "the page is at /ui/"},
		{"GET", "/ui/guidelines", "", 404, "the page is at /ui/"},
		{"GET", "/ui/assets/old-1a2b3c.js", html, 404, "the page is at /ui/"},
		{"GET", "/ui/assets/", html, 404, "the page is at /ui/"},
		{"GET", "/ui/assets/a-1a2b3c.js.gz", html, 404, "the page is at /ui/"},
		{"GET", "/ui/../web.go", "*/*", 404, "the page is at /ui/"},
		{"POST", "/ui/", html, 405, "can only be read"},
		{"DELETE", "/ui/icon.svg", html, 405, "can only be read"},
	} {
		r := ask(h, c.method, c.path, "Accept", c.accept)
		if body := r.Body.String(); r.Code != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%s %s accepting %q: %d %s", c.method, c.path, c.accept, r.Code, body)
		}
	}
	for _, path := range []string{"/", "/ui"} {
		if r := ask(h, "GET", path, "Accept", html); r.Code != 302 || r.Header().Get("Location") != "/ui/" {
			t.Errorf("%s: %d %s", path, r.Code, r.Header().Get("Location"))
		}
		if r := ask(h, "GET", path); r.Code != 404 {
			t.Errorf("%s for a program: %d", path, r.Code)
		}
	}
}

func TestFilesWithAHashAreKeptAndTheOthersAreAskedForAgain(t *testing.T) {
	h := newHandler(t)
	for path, want := range map[string]string{
		"/ui/": "no-cache", "/ui/icon.svg": "no-cache", "/ui/assets/a-1a2b3c.js": "public, max-age=31536000, immutable",
		"/ui/assets/gone.js": "no-cache",
	} {
		r := ask(h, "GET", path)
		if got := r.Header().Get("Cache-Control"); got != want {
			t.Errorf("%s: %s", path, got)
		}
		tag := r.Header().Get("ETag")
		if r.Code != http.StatusOK {
			continue
		}
		if again := ask(h, "GET", path, "If-None-Match", tag); tag == "" || again.Code != 304 || again.Body.Len() > 0 {
			t.Errorf("%s with its tag %s: %d", path, tag, again.Code)
		}
		if again := ask(h, "GET", path, "If-None-Match", `"another"`); again.Code != 200 {
			t.Errorf("%s with another tag: %d", path, again.Code)
		}
	}
}

func TestFilesAreSentCompressedToThoseWhoAcceptIt(t *testing.T) {
	h := newHandler(t)
	tags := map[string]bool{}
	for accept, want := range map[string]string{
		"": "", "br": "", "gzip;q=0": "", "gzip; q=0.0": "", "identity": "",
		"gzip": "gzip", "gzip, deflate, br": "gzip", "br, GZIP;q=0.5": "gzip",
	} {
		r := ask(h, "GET", "/ui/assets/a-1a2b3c.js", "Accept-Encoding", accept)
		if got := r.Header().Get("Content-Encoding"); got != want || r.Header().Get("Vary") != "Accept-Encoding" ||
			r.Header().Get("Content-Type") != "text/javascript; charset=utf-8" {
			t.Errorf("%q: %s %v", accept, got, r.Header())
		}
		tags[want+r.Header().Get("ETag")] = true
		if want == "gzip" {
			opened, err := gzip.NewReader(r.Body)
			check(t, err)
			text, err := io.ReadAll(opened)
			check(t, err)
			r.Body = bytes.NewBuffer(text)
		}
		if got := r.Body.String(); got != "script" {
			t.Errorf("%q: %s", accept, got)
		}
	}
	if len(tags) != 2 {
		t.Errorf("the two forms need a tag each: %v", tags)
	}
	if r := ask(h, "GET", "/ui/icon.svg", "Accept-Encoding", "gzip"); r.Header().Get("Content-Encoding") != "" {
		t.Error("a file without a compressed form is sent as compressed")
	}
}

func TestEveryAnswerKeepsOtherPagesAndInjectedTextOut(t *testing.T) {
	h := newHandler(t)
	for _, path := range []string{"/ui/", "/ui/icon.svg", "/ui/assets/a-1a2b3c.js", "/ui/assets/gone.js", "/ui", "/"} {
		got := ask(h, "GET", path).Header()
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got.Get(name) != want {
				t.Errorf("%s: %s is %q", path, name, got.Get(name))
			}
		}
		rules := got.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "script-src 'self';", "style-src 'self';"} {
			if !strings.Contains(rules, want) {
				t.Errorf("%s: %q is missing in %s", path, want, rules)
			}
		}
		if strings.Contains(rules, "unsafe") || strings.Contains(rules, "http") || strings.Contains(rules, "*") {
			t.Errorf("%s: %s", path, rules)
		}
	}
}

func TestAFolderThatCannotBeServedIsAnError(t *testing.T) {
	for name, files := range map[string]fstest.MapFS{
		"has no index.html":               {"dist/a.js": {}},
		"the type of this file is not":    {"dist/index.html": {}, "dist/a.exe": {}},
		"dist: file does not exist":       {},
		"dist has no index.html; build t": {"dist/sub/index.html": {}},
	} {
		if _, err := read(files, "dist"); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("want %q, got %v", name, err)
		}
	}
}

// The variable "inline" matches everything that the policy forbids in HTML: scripts, styles and event handlers
// inside the HTML, and addresses of other hosts.
var inline = regexp.MustCompile(`(?i)<script(?:[^>]*)>[^<]|<style|\sstyle=|\son[a-z]+=|(?:src|href)="(?:https?:)?//`)

func TestTheEmbeddedPageIsCompleteAndObeysItsPolicy(t *testing.T) {
	h, err := New()
	check(t, err)
	page := string(h.files[index].plain.text)
	if found := inline.FindString(page); found != "" {
		t.Errorf("the page has %q, which its policy forbids", found)
	}
	for _, match := range regexp.MustCompile(`(?:src|href)="([^"#?]+)"`).FindAllStringSubmatch(page, -1) {
		if r := ask(h, "GET", match[1]); r.Code != 200 {
			t.Errorf("the page needs %s: %d", match[1], r.Code)
		}
	}
	hashed := regexp.MustCompile(`-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$`)
	for name, f := range h.files {
		if f.isImmutable && !hashed.MatchString(name) {
			t.Errorf("%s: files that browsers keep need a hash in their name", name)
		}
		if f.small.text == nil {
			continue
		}
		opened, err := gzip.NewReader(bytes.NewReader(f.small.text))
		check(t, err)
		if text, err := io.ReadAll(opened); err != nil || !bytes.Equal(text, f.plain.text) {
			t.Errorf("%s.gz is not the compressed form of %s: %v", name, name, err)
		}
	}
	// A compressed file without its plain form would never be sent.
	check(t, fs.WalkDir(dist, "dist", func(name string, entry fs.DirEntry, err error) error {
		if plain, small := strings.CutSuffix(name, compressed); small && h.files[strings.TrimPrefix(plain, "dist/")] == nil {
			t.Errorf("%s has no plain form", name)
		}
		return err
	}))
}

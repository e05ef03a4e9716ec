// Package web serves the page on which people see, change and try guidelines. The page itself is built from ui/ and
// embedded, so the product can be built with Go alone. The page contains no data: it requests all data from the REST
// API.
package web

import (
	"bytes"
	"embed"
	"net/http"
	"path"
	"strings"
	"time"
)

//go:embed all:dist
var dist embed.FS

// Path is the path of the page on the server.
const Path = "/ui/"

// The constant "assets" is the folder of the files whose names contain a hash of their content. Browsers may keep
// them forever.
const assets = "assets/"

const index = "index.html"

// Handler sends the files of the page.
type Handler struct{ files map[string]*file }

// New returns a handler for the requests below Path.
func New() (*Handler, error) {
	files, err := read(dist, "dist")
	return &Handler{files}, err
}

// ServeHTTP sends a file of the page. The page decides by its address what it shows. So every address for which there
// is no file belongs to the page.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	protect(w.Header())
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "the page can only be read; changes are requests to the API", http.StatusMethodNotAllowed)
		return
	}
	name, below := strings.CutPrefix(r.URL.Path, Path)
	switch f := h.files[name]; {
	case !below && wantsHTML(r):
		http.Redirect(w, r, Path, http.StatusFound)
	case f != nil:
		f.send(w, r)
	case below && wantsPage(name, r):
		h.files[index].send(w, r)
	default:
		http.Error(w, "nothing is here; the page is at "+Path, http.StatusNotFound)
	}
}

// wantsPage reports whether a path for which there is no file is an address of the page. A request for a missing script
// must not get HTML.
func wantsPage(name string, r *http.Request) bool {
	return name == "" || !strings.HasPrefix(name, assets) && wantsHTML(r)
}

// wantsHTML reports whether a browser asks for a page. Programs are never redirected, because they may send their token
// to the new address.
func wantsHTML(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

// protect() sets the headers that protect the page from other pages and from injected text.
func protect(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-cache")
}

// The constant "policy" permits only scripts, styles and other content from this server. It permits no script or style
// inside the HTML.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'"

// The type "file" is one file of the page.
type file struct {
	contentType  string
	plain, small content
	isImmutable  bool
}

// The type "content" is a file in the form in which it is sent. The field "tag" is the ETag of this form.
type content struct {
	text []byte
	tag  string
}

// send() sends a file. The file is compressed if the browser accepts this.
func (f *file) send(w http.ResponseWriter, r *http.Request) {
	h, sent := w.Header(), f.plain
	h.Set("Content-Type", f.contentType)
	if f.isImmutable {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if f.small.text != nil {
		h.Set("Vary", "Accept-Encoding")
		if acceptsGzip(r.Header.Values("Accept-Encoding")) {
			sent = f.small
			h.Set("Content-Encoding", "gzip")
		}
	}
	h.Set("ETag", sent.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(sent.text))
}

// acceptsGzip reports whether an Accept-Encoding header names gzip with a weight above zero.
func acceptsGzip(accept []string) bool {
	for item := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		name, weight, _ := strings.Cut(item, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			_, q, _ := strings.Cut(strings.ReplaceAll(weight, " ", ""), "=")
			return q == "" || strings.Trim(q, "0.") != ""
		}
	}
	return false
}

// contentTypeOf returns the type of a file by its extension. It does not use the table of the operating system, which
// differs between computers.
func contentTypeOf(name string) (contentType string, known bool) {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8", true
	case ".js":
		return "text/javascript; charset=utf-8", true
	case ".css":
		return "text/css; charset=utf-8", true
	case ".json", ".map":
		return "application/json", true
	case ".svg":
		return "image/svg+xml", true
	case ".png":
		return "image/png", true
	case ".ico":
		return "image/x-icon", true
	case ".woff2":
		return "font/woff2", true
	case ".txt":
		return "text/plain; charset=utf-8", true
	case ".webmanifest":
		return "application/manifest+json", true
	}
	return "", false
}

package server

import (
	"context"
	"fmt"
	"net/http"
	"path"
	"strconv"
	"strings"

	"guardrails/server/access"
	"guardrails/server/rest"
	"guardrails/server/web"
	"guardrails/service"
)

const (
	pathMCP     = "/mcp"
	pathAPI     = "/api/"
	pathMetrics = "/metrics"
	pathHealth  = "/healthz"
	pathReady   = "/readyz"
)

// routes() returns the handler for the paths that every transport has. The parameter "protocol" is the handler that
// answers MCP messages.
func (s *Server) routes(protocol http.Handler) *routes {
	mux := http.NewServeMux()
	mux.Handle(pathMCP, protocol)
	mux.Handle("GET "+pathMetrics, s.needsRead(s.metrics))
	mux.HandleFunc("GET "+pathHealth, s.healthy)
	mux.HandleFunc("GET "+pathReady, s.ready)
	mux.HandleFunc("/", refusePath)
	return &routes{mux}
}

// withPage adds the page for people. A person who types only the address of the server is redirected to the page.
func (m *routes) withPage(page http.Handler) {
	m.Handle("/{$}", page)
	m.Handle(strings.TrimSuffix(web.Path, "/"), page)
	m.Handle(web.Path, page)
}

// isPage reports whether a path belongs to the page. The page needs no token, because it contains no data.
func isPage(path string) bool {
	return path == "/" || path+"/" == web.Path || strings.HasPrefix(path, web.Path)
}

func refusePath(w http.ResponseWriter, r *http.Request) {
	rest.Refuse(w, http.StatusNotFound, "nothing is at "+strconv.Quote(r.URL.Path)+"; MCP is at "+pathMCP)
}

// The type "routes" passes requests to the handlers of their paths. The router of the standard library would redirect a
// request for a path such as //mcp. A client that follows a redirect may send its token to another server, or drop the
// body.
type routes struct{ *http.ServeMux }

func (m *routes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	given := r.URL.EscapedPath()
	clean := path.Clean("/" + given)
	if strings.HasSuffix(given, "/") && clean != "/" {
		clean += "/"
	}
	if given != clean || given+"/" == pathAPI {
		refusePath(w, r)
		return
	}
	m.ServeMux.ServeHTTP(w, r)
}

// needsRead refuses callers without the role "read" and callers of other tenants, because the metrics are about all
// callers.
func (s *Server) needsRead(inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller := access.From(r.Context())
		if !caller.May(access.Read) || caller.Tenant != s.tenant {
			rest.Refuse(w, http.StatusForbidden,
				fmt.Sprintf("this request needs the role \"%s\" in the server's own tenant; use a token with this role", access.Read))
			return
		}
		inner.ServeHTTP(w, r)
	})
}

// actingAs returns a context for the requests of a caller. The audit then names the caller as the actor of these
// requests.
func actingAs(ctx context.Context, c access.Caller) context.Context {
	return service.WithActor(access.With(ctx, c), c.Name)
}

// asCaller returns a handler that treats every request as one from the given caller. In each project, the caller sees
// the guidelines of the project's tenant.
func asCaller(c access.Caller, inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		inner.ServeHTTP(w, r.WithContext(service.ForProject(actingAs(r.Context(), c))))
	})
}

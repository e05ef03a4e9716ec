// Package server answers everybody who asks over a connection: hooks on a Unix socket, and programs on a port of this
// machine.
//
// Start with Server. What is answered stands in server/mcp, who may ask on the port in guard.go, who has the socket in
// server/socket.
package server

import (
	"context"
	"io"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/netutil"

	"guardrails/internal/private"
	"guardrails/server/access"
	"guardrails/server/mcp"
	"guardrails/server/metrics"
	"guardrails/server/rest"
	"guardrails/server/socket"
	"guardrails/service"
	"guardrails/store/live"
)

// Options is what a server needs from outside.
type Options struct {
	// Service is what its services are made with; they all keep what they have read.
	Service service.Options
	// Version is the product's.
	Version string
	Log     *slog.Logger
	// Tenant is the one of the project that the server runs in.
	Tenant string
	// User is the person whose process this is, as the audit names them.
	User string
	// Admin offers the MCP tools that change guidelines, but to hooks.
	Admin bool
}

// Server answers on sockets and ports.
type Server struct {
	version, tenant, user string
	admin                 bool
	env                   func(string) string
	now                   func() time.Time
	log                   *slog.Logger
	metrics               *metrics.Metrics
	pace                  *pace
	standing              standing
	// own answers the client that started this process, hooks those of any session of this user, and remote whoever knows
	// a token.
	own, hooks, remote *service.Service
	// ending is set once nothing new is taken.
	ending atomic.Bool
}

// New makes a server; it listens nowhere yet.
func New(o Options) *Server {
	s := &Server{
		version: o.Version, tenant: o.Tenant, user: o.User, admin: o.Admin, env: o.Service.Env, now: o.Service.Now, log: o.Log,
		metrics: metrics.New(o.Version), pace: newPace(),
	}
	own := o.Service
	own.Memory, own.Open, own.Asked = true, s.counted(own.Open), s.metrics.Question
	hooks, remote := own, own
	hooks.Env = service.Shared(own.Env)
	remote.Remote = true
	s.own = service.New(own)
	s.hooks, s.remote = s.own.Beside(hooks), s.own.Beside(remote)
	return s
}

// offer is what every door for agents has.
func (s *Server) offer(to *service.Service) mcp.Options {
	return mcp.Options{Service: to, Version: s.version, Observe: s.metrics.Tool}
}

// withStore adds the tools that work on the store of the server's project.
func (s *Server) withStore(o *mcp.Options) {
	o.Admin = s.admin
	from := o.Service
	o.Store = func(ctx context.Context) (*live.Store, string, error) { return from.Store(ctx, "") }
}

// Store says for people where the store of the server's project is, and whose guidelines of it are served.
func (s *Server) Store(ctx context.Context) (place, tenant string) {
	c, tenant, err := s.own.Store(ctx, "")
	if err != nil {
		return "", s.tenant
	}
	return c.Location(), tenant
}

// Upkeep takes what hooks record into the audit, gives up decisions that are too old, and watches the store and the
// files of projects, until the context ends.
func (s *Server) Upkeep(ctx context.Context) {
	var watching sync.WaitGroup
	watching.Go(func() { s.watch(ctx) })
	// Who answers hooks knows which files count.
	watching.Go(func() { s.own.Watch(ctx) })
	watching.Go(func() { s.hooks.Watch(ctx) })
	defer watching.Wait()
	s.own.Upkeep(ctx, func(err error) { s.log.Error("what hooks record cannot be taken into the audit", "error", err) })
}

// Close lets go of the stores, after everything else has ended.
func (s *Server) Close() error { return s.own.Close() }

// ServeStdio answers the one client that started this process, its hooks too, until it has no more questions or the context
// ends.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	offer := s.offer(s.own)
	s.withStore(&offer)
	offer.Hook = s.inside(ctx).Answer
	role := access.Decide
	if s.admin {
		role = access.Admin
	}
	ctx = access.With(ctx, access.Caller{Name: s.user + " by mcp", Tenant: s.tenant, Role: role})
	return mcp.New(offer).Stdio(service.ForProject(ctx), in, out)
}

// Reload makes the server read everything anew, and open its stores with the secrets that files hold now. It sees changes
// of other files by itself.
func (s *Server) Reload(ctx context.Context) error {
	s.own.Forget()
	s.hooks.Forget()
	s.remote.Forget()
	ctx, cancel := context.WithTimeout(ctx, reopenTime)
	defer cancel()
	return s.own.Reopen(ctx)
}

// reopenTime is how long a store may take to be opened anew.
const reopenTime = 10 * time.Second

// HoldSocket answers hooks on the socket in a runtime folder, as soon as nobody else does, until the context ends.
func (s *Server) HoldSocket(ctx context.Context, dir *private.Dir) error {
	offer := s.offer(s.hooks)
	offer.Programs = true
	door := mcp.New(offer)
	handler := as(access.Caller{Name: "hooks", Tenant: s.tenant, Role: access.Decide}, s.measured(doorSocket, s.routes(door)))
	h := socket.Holder{
		Dir: dir, Report: s.report,
		Serve: func(ctx context.Context, on net.Listener) error { return s.serve(ctx, on, handler) },
	}
	return h.Hold(ctx)
}

func (s *Server) report(e socket.Event) {
	log := s.log.With("socket", e.Path)
	switch e.Kind {
	case socket.Bound:
		log.Info("answering hooks")
	case socket.Waiting:
		log.Info("another process answers hooks; this one takes over when it ends")
	case socket.Failed:
		log.Error("hooks cannot be answered on the socket", "error", e.Err)
	}
}

// ServePort answers programs on a port until the context ends. They must know a token, and ask by one of the names that
// the guard knows.
func (s *Server) ServePort(ctx context.Context, on net.Listener, g Guard) error {
	api := rest.New(rest.Options{Service: s.remote, Version: s.version, Now: s.now, Log: s.log})
	offer := s.offer(s.remote)
	s.withStore(&offer)
	offer.Bound, offer.Pace = true, s.paced
	routes := s.routes(mcp.New(offer))
	routes.Handle(pathAPI, s.orderly(api))
	return s.serve(ctx, netutil.LimitListener(on, maxConnections), s.around(g, s.measured(doorPort, routes)), api.End)
}

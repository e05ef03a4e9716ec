// Package server answers requests from hooks on a Unix socket, from programs on a port, and from the client on stdio.
//
// Start with Server. The packages "mcp" and "rest" produce the answers. guard.go decides who may use the port. Package
// "socket" decides which process has the socket.
package server

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"guardrails/detect/contract"
	"guardrails/internal/private"
	"guardrails/server/access"
	"guardrails/server/mcp"
	"guardrails/server/metrics"
	"guardrails/server/rest"
	"guardrails/server/socket"
	"guardrails/server/web"
	"guardrails/service"
	"guardrails/service/storefault"
	"guardrails/service/tools"
	"guardrails/store/live"
	"guardrails/webhook/send"
)

// Options configures a Server.
type Options struct {
	// Service has the options of the server's services. Each service caches in memory what it has read.
	Service service.Options
	// Version is the version of the product.
	Version string
	Log     *slog.Logger
	// Tenant is the tenant of the server's project.
	Tenant string
	// User is the name of the user who runs the process. The audit records it.
	User string
	// If Admin is set, the server offers the MCP tools that change guidelines, except on the socket.
	Admin bool
	// AnswerTime is how long a request may take. Zero means 20 seconds.
	AnswerTime time.Duration
	// Changes is how many changes and logged decisions each token may make in a second on average. Zero means
	// DefaultChanges.
	Changes int
}

// Server answers on sockets and ports.
type Server struct {
	version, tenant, user string
	admin                 bool
	env                   func(string) string
	now                   func() time.Time
	mask                  func(string) string
	log                   *slog.Logger
	metrics               *metrics.Metrics
	rates                 *rateLimits
	answerTime            time.Duration
	source                sourceCache
	// The service "own" answers the client that started the process. The service "hooks" answers the hooks of all sessions
	// of this user. The service "remote" answers callers with a token.
	own, hooks, remote *service.Service
	// The field "ending" is set when the server accepts no more requests on its port.
	ending atomic.Bool
	// The channel "changed" receives a value after the guidelines or settings of the server's own project changed.
	changed chan struct{}
	// The field "fault" is the name of the problem that the last check of the store and the clock found. It is "" if
	// there is no problem.
	fault atomic.Pointer[string]
	// tenantFaults has the faults of the other tenants.
	tenantFaults tenantFaults
}

// New returns a server that does not listen yet.
func New(o Options) *Server {
	s := &Server{
		version: o.Version, tenant: o.Tenant, user: o.User, admin: o.Admin, env: o.Service.Env, now: o.Service.Now,
		mask: o.Service.Mask, log: o.Log,
		metrics: metrics.New(o.Version), rates: newRateLimits(cmp.Or(o.Changes, DefaultChanges)),
		answerTime: cmp.Or(o.AnswerTime, answerTime), changed: make(chan struct{}, 1),
	}
	own := o.Service
	own.PageAge = time.Second
	own.Memory, own.Open, own.OnRequest = true, s.counted(own.Open), s.metrics.Question
	own.OnMasked, own.Meter = s.metrics.Masked, s.metrics
	own.OnBroken = func(problem string) { s.log.Error("the policies of the safety gate cannot be read", "error", problem) }
	own.OnChecked = func(c service.Checked) { s.metrics.Checked(c.Stage, c.Gate, c.Action, c.Mode, c.Actions) }
	hooks, remote := own, own
	hooks.Env, hooks.Policies = service.Shared(own.Env), "" // hooks use the policies of their projects
	own.OnChanged = s.signalChange
	remote.Remote = true
	s.own = service.New(own)
	s.hooks, s.remote = s.own.WithSharedStores(hooks), s.own.WithSharedStores(remote)
	return s
}

// offer() returns the MCP options that are the same for all transports.
func (s *Server) offer(to *service.Service) mcp.Options {
	return mcp.Options{Service: to, Version: s.version, Observe: s.metrics.Tool, AnswerTime: s.answerTime}
}

// withStore adds the store of the server's project to the options, so that the tools can use it.
func (s *Server) withStore(o *mcp.Options) {
	o.Admin = s.admin
	from := o.Service
	o.Store = func(ctx context.Context) (*live.Store, live.Caller, error) { return from.Owner(ctx) }
}

// Store returns the location of the store of the server's project, and the project's tenant.
func (s *Server) Store(ctx context.Context) (place, tenant string) {
	c, tenant, err := s.own.Store(ctx, "")
	if err != nil {
		return "", s.tenant
	}
	return c.Location(), tenant
}

// Upkeep does the regular work until the context is done: it adds the hooks' records to the audit, removes old
// decisions, sends events to webhooks, and watches the store and the files of projects.
func (s *Server) Upkeep(ctx context.Context) {
	var watching sync.WaitGroup
	watching.Go(func() { s.watch(ctx) })
	watching.Go(func() { s.own.Watch(ctx) })
	watching.Go(func() { s.hooks.Watch(ctx) })
	watching.Go(func() { s.dispatch(ctx) })
	defer watching.Wait()
	s.own.Upkeep(ctx, func(problem string, err error) {
		s.log.Error(problem, "error", err, "fault", storefault.Of(err))
	})
}

// dispatch() sends events to webhooks until the context is done.
func (s *Server) dispatch(ctx context.Context) {
	s.own.Dispatch(ctx, send.New(s.version, s.now, s.mask), s.metrics.Webhook, func(err error) {
		s.log.Error("a webhook needs attention", "error", err)
	})
}

// Close closes the stores. Call it after everything else has ended.
func (s *Server) Close() error { return s.own.Close() }

// ServeStdio answers the client that started the process, and its hooks, until the input or the context ends.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	offer := s.offer(s.own)
	s.withStore(&offer)
	offer.Hook = s.inside(ctx).Answer
	offer.Changed = s.changed
	offer.Detectors = func(ctx context.Context) []string {
		c, err := s.own.Settings(ctx, "")
		if err != nil {
			return nil
		}
		return slices.Concat(c.Detectors.Tools(), c.Safety.Tools())
	}
	role := access.Decide
	if s.admin {
		role = access.Admin
	}
	ctx = actingAs(ctx, access.Caller{Name: s.user + " by mcp", Tenant: s.tenant, Role: role})
	return mcp.New(offer).Stdio(service.ForProject(ctx), in, out)
}

// Reload makes the server read everything again and reopen its stores with the current secrets. The server notices
// changes to other files even without Reload.
func (s *Server) Reload(ctx context.Context) error {
	s.own.Forget()
	s.hooks.Forget()
	s.remote.Forget()
	ctx, cancel := context.WithTimeout(ctx, reopenTime)
	defer cancel()
	return s.own.Reopen(ctx)
}

const reopenTime = 10 * time.Second

// HoldSocket waits for the socket in a runtime folder and answers hooks on it until the context ends.
func (s *Server) HoldSocket(ctx context.Context, dir *private.Dir) error {
	offer := s.offer(s.hooks)
	offer.Programs = true
	hooks := access.Caller{Name: s.user, Tenant: s.tenant, Role: access.Decide}
	handler := asCaller(hooks, s.measured(transportSocket, s.routes(mcp.New(offer))))
	h := socket.Holder{
		Dir: dir, Report: s.report,
		Serve: func(ctx context.Context, on net.Listener) error { return s.serve(ctx, on, handler, func() {}) },
	}
	return h.Hold(ctx)
}

func (s *Server) report(e socket.Event) {
	log := s.log.With("socket", e.Path)
	switch e.Kind {
	case socket.Bound:
		log.Info("answering hooks")
	case socket.Waiting:
		log.Info("another process answers hooks; this process takes over when that process ends")
	case socket.Failed:
		log.Error("the server cannot answer hooks on the socket", "error", e.Err)
	}
}

// ServePort answers programs on a port until the context ends. The guard decides which requests are answered.
func (s *Server) ServePort(ctx context.Context, on net.Listener, g Guard) error {
	api := rest.New(rest.Options{
		Service: s.remote, Version: s.version, Now: s.now, Log: s.log, Tenant: s.tenant, AnswerTime: s.answerTime,
		Sender: send.New(s.version, s.now, s.mask), Sessions: g.Sessions, Tokens: g.Tokens, Pace: s.pace,
	})
	offer := s.offer(s.remote)
	s.withStore(&offer)
	offer.Bound, offer.Tenant, offer.Pace = true, s.tenant, s.checkOne
	listed := slices.Concat(contract.Names(), tools.Checks())
	offer.Detectors = func(context.Context) []string { return listed }
	routes := s.routes(mcp.New(offer))
	routes.Handle(pathAPI, s.limited(api))
	if g.Sessions != nil {
		page, err := web.New()
		if err != nil {
			return err
		}
		routes.withPage(page)
	}
	// A server that gives up its port to another server continues to answer its client.
	defer s.ending.Store(false)
	ending := func() { s.ending.Store(true) }
	handler := s.guarded(g, s.measured(transportPort, routes))
	return s.serve(ctx, newConnections(on), handler, ending, api.End)
}

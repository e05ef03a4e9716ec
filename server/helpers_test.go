package server_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/internal/kernelclock"
	"guardrails/internal/private"
	"guardrails/server"
	"guardrails/server/access"
	"guardrails/service"
	"guardrails/store/live"
)

const guidelines = `
- id: backend-stays
  name: The backend agent stays in src
  category: cognitive_isolation
  condition: {agents: [backend]}
  action: {type: tool_restriction, tools_denied: ["Write(web/*)"], instruction: The backend agent works in src.}
`

type fixture struct {
	t    testing.TB
	root string
	vars map[string]string
	dir  *private.Dir
	// The channel named bound receives a value whenever a server gets the socket.
	bound  chan struct{}
	tenant string
	open   func(context.Context, *config.Config) (*live.Store, error)
	now    func() time.Time
	kernel func() (kernelclock.Reading, bool)
	// log gets what a server logs. It may be nil.
	log io.Writer
	// admin offers the MCP tools that change guidelines.
	admin bool
	// noPage switches the page off.
	noPage bool
	// answerTime is how long a request may take. Zero means the default time.
	answerTime time.Duration
	// The field "changes" is how many changes a token may make in a second. Zero means the default number.
	changes int
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	base, err := os.MkdirTemp("", "s") // a socket's path must be short
	check(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	s := &fixture{t: t, bound: make(chan struct{}, 10), root: filepath.Join(base, "project"), vars: map[string]string{
		"XDG_STATE_HOME": filepath.Join(base, "state"), "GUARDRAILS_CACHE_DIR": filepath.Join(base, "run"),
	}, now: func() time.Time { return time.Now().Add(time.Hour) }}
	s.write(guidelines)
	s.dir, err = private.Runtime(s.env)
	check(t, err)
	return s
}

func (s *fixture) env(name string) string { return s.vars[name] }

func (s *fixture) write(text string) {
	s.t.Helper()
	s.file(".claude/guardrails/a.yaml", text)
}

func (s *fixture) file(name, text string) {
	s.t.Helper()
	file := filepath.Join(s.root, filepath.FromSlash(name))
	check(s.t, os.MkdirAll(filepath.Dir(file), 0o755))
	check(s.t, os.WriteFile(file, []byte(text), 0o644))
}

func (s *fixture) server() *server.Server {
	log := slog.DiscardHandler
	if s.log != nil {
		log = slog.NewTextHandler(s.log, nil)
	}
	srv := server.New(server.Options{
		Service: service.Options{Env: s.env, Dir: s.root, Now: s.now, Kernel: s.kernel, Open: s.open},
		Version: "1.2.3", Log: slog.New(bindLog{log, s.bound}), Tenant: s.tenant, User: "ann",
		AnswerTime: s.answerTime, Changes: s.changes, Admin: s.admin,
	})
	s.t.Cleanup(func() { check(s.t, srv.Close()) })
	return srv
}

// holdSocket makes a server answer on the socket as soon as the socket is free.
func (s *fixture) holdSocket(srv *server.Server) (stop func()) {
	s.t.Helper()
	return s.runUntilStopped(func(ctx context.Context) error { return srv.HoldSocket(ctx, s.dir) })
}

// runUntilStopped runs a function until stop() is called or the test ends.
func (s *fixture) runUntilStopped(run func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- run(ctx) }()
	stopped := false
	stop = func() {
		cancel()
		if !stopped {
			check(s.t, <-done)
		}
		stopped = true
	}
	s.t.Cleanup(stop)
	return stop
}

func (s *fixture) waitForSocket() {
	s.t.Helper()
	select {
	case <-s.bound:
	case <-time.After(time.Minute):
		s.t.Fatal("no server answers on the socket")
	}
}

// bindLog is a log handler that reports when a server gets the socket.
type bindLog struct {
	slog.Handler
	bound chan struct{}
}

func (h bindLog) Enabled(context.Context, slog.Level) bool { return true }
func (h bindLog) WithAttrs([]slog.Attr) slog.Handler       { return h }
func (h bindLog) Handle(ctx context.Context, r slog.Record) error {
	if r.Message == "answering hooks" {
		h.bound <- struct{}{}
	}
	return h.Handler.Handle(ctx, r)
}

// servePort makes a server answer on a port. It returns the first token. The server also accepts other tokens.
func (s *fixture) servePort(srv *server.Server) (address, token string, stop func()) {
	s.t.Helper()
	state, err := private.StateDir(s.env)
	check(s.t, err)
	dir, err := private.Open(state)
	check(s.t, err)
	keys, _, err := access.OpenKeyring(dir, s.tenant, time.Now)
	check(s.t, err)
	token, _, err = access.First(dir)
	check(s.t, err)
	on, err := net.Listen("tcp", "127.0.0.1:0")
	check(s.t, err)
	address = on.Addr().String()
	guard := server.Guard{Who: keys.Who, Tokens: keys.Tokens(), Hosts: server.LocalHosts(on.Addr(), "proxy.example")}
	if !s.noPage {
		guard.Sessions = access.NewSessions(keys, portOf(address), time.Now)
	}
	stop = s.runUntilStopped(func(ctx context.Context) error { return srv.ServePort(ctx, on, guard) })
	return address, token, stop
}

func portOf(address string) string { return address[strings.LastIndex(address, ":")+1:] }

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func readAll(t *testing.T, from io.Reader) string {
	t.Helper()
	text, err := io.ReadAll(from)
	check(t, err)
	return string(text)
}

func (s *fixture) token(token access.Token) string {
	s.t.Helper()
	secret, err := s.tokens().Create(token)
	check(s.t, err)
	return secret
}

func (s *fixture) tokens() *access.Tokens {
	s.t.Helper()
	state, err := private.StateDir(s.env)
	check(s.t, err)
	tokens, err := access.OpenTokens(state, time.Now)
	check(s.t, err)
	return tokens
}

func (s *fixture) revokedToken() string {
	s.t.Helper()
	secret := s.token(access.Token{Name: "gone", Role: access.Admin})
	check(s.t, s.tokens().Revoke("", "gone"))
	return secret
}

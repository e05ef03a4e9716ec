package process

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"strconv"
	"strings"

	"guardrails/config"
	"guardrails/internal/page"
	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/server"
	"guardrails/server/access"
	"guardrails/server/socket"
	"guardrails/service"
)

// onPort runs a server on a port. The server answers only callers with a token.
func (w *System) onPort(ctx context.Context, f *Flags) error {
	address := cmp.Or(f.Address, w.Env(AddressVariable), DefaultAddress)
	settings, err := w.settings(ctx, f)
	if err != nil {
		return err
	}
	tenant := settings.Tenant
	state, keys, tokenFile, err := w.keys(tenant)
	if err != nil {
		return err
	}
	log := w.log(slog.LevelInfo, f)
	claim := w.claimPage(ctx, address, log)
	on, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return errors.Join(fmt.Errorf("cannot listen on %s: %w; end the program that listens there, or choose another port with --addr",
			address, cause(err)), claim.release())
	}
	s := w.server(log, f, tenant, keys.Tenants, true)
	sessions, err := w.sessions(keys, on.Addr(), settings.NoPage)
	if err == nil {
		err = w.announce(ctx, s, on.Addr(), tokenFile, sessions, f.JSON)
	}
	if err == nil && sessions != nil {
		at := w.placeOf(settings)
		at.Address, _ = page.Reach(on.Addr().String())
		if unknown := claim.show(ctx, at); unknown != nil {
			log.Warn(`the address of the page was not saved, so "guardrails ui" does not find the page`, "error", unknown)
		}
		err = w.showPage(f, state, on.Addr())
	}
	if err != nil {
		return errors.Join(err, on.Close(), s.Close(), claim.release())
	}
	guard := server.Guard{Who: keys.Who, Sessions: sessions, Tokens: keys.Tokens(), Hosts: server.LocalHosts(on.Addr(), f.Hosts...)}
	return errors.Join(w.serve(ctx, s, log, func(ctx context.Context) error {
		go w.reload(ctx, s, log)
		return s.ServePort(ctx, on, guard)
	}), claim.release())
}

// keys() opens the state folder and the tokens of all callers. It also returns the path of the first token's file.
func (w *System) keys(tenant string) (state *private.Dir, keys *access.Keyring, file string, err error) {
	path, err := private.StateDir(w.Env)
	if err != nil {
		return nil, nil, "", err
	}
	state, err = private.Open(path)
	if err != nil {
		return nil, nil, "", err
	}
	keys, file, err = access.OpenKeyring(state, tenant, w.Now)
	return state, keys, file, err
}

// tenant() returns the tenant of the server's project. It fails if the settings cannot be read, or if the settings of
// the machine's administrator do not allow the given --store or --tenant. It does not use another tenant instead,
// because one tenant could then see the guidelines of another tenant.
func (w *System) tenant(ctx context.Context, f *Flags) (string, error) {
	c, err := w.settings(ctx, f)
	if err != nil {
		return "", err
	}
	return c.Tenant, nil
}

// settings() returns the settings of the server's project. It fails in the same cases as tenant().
func (w *System) settings(ctx context.Context, f *Flags) (*config.Config, error) {
	s := service.New(service.Options{Env: w.Env, Now: w.Now, Dir: w.Dir, Open: w.opener(f, nil, false), Flags: f.setting})
	c, err := s.Settings(ctx, "")
	if err := errors.Join(err, s.Close()); err != nil {
		return nil, fmt.Errorf("the settings cannot be used, so the tenant is unknown: %w", err)
	}
	for _, i := range c.Ignored {
		if i.Setting == product.VariableStore && f.Store != "" || i.Setting == product.VariableTenant && f.Tenant != "" {
			return nil, errors.New("--store and --tenant do not apply here: the settings of the machine decide; " +
				"ask its administrator")
		}
	}
	return c, nil
}

// reload() reads everything again whenever HangUp receives a value.
func (w *System) reload(ctx context.Context, s *server.Server, log *slog.Logger) {
	for {
		select {
		case <-w.HangUp:
			if err := s.Reload(ctx); err != nil {
				log.Error("the store cannot be opened again; the server keeps using the open one", "error", err)
			} else {
				log.Info("the open stores were reopened; the settings and guidelines will be read again when they are needed")
			}
		case <-ctx.Done():
			return
		}
	}
}

// The type "addresses" holds the URLs at which the server can be reached, and the paths of its files.
type addresses struct {
	URL       string `json:"url"`
	API       string `json:"api"`
	Page      string `json:"page,omitempty"`
	TokenFile string `json:"token_file"`
	Socket    string `json:"socket,omitempty"`
	Health    string `json:"health"`
	Metrics   string `json:"metrics"`
	// Store is the store of the server's project.
	Store  string `json:"store,omitempty"`
	Tenant string `json:"tenant"`
}

func (w *System) announce(
	ctx context.Context, s *server.Server, address net.Addr, tokenFile string, sessions *access.Sessions, asJSON bool,
) error {
	base := "http://" + local(address)
	at := addresses{
		URL: base + "/mcp", API: base + "/api/guardrails", Page: pageOf(base, sessions), TokenFile: tokenFile, Health: base + "/healthz",
		Metrics: base + "/metrics",
	}
	at.Store, at.Tenant = s.Store(ctx)
	if dir, err := private.Runtime(w.Env); err == nil {
		at.Socket = filepath.Clean(dir.Path(socket.Name))
	}
	text := at.text(address)
	if asJSON {
		var err error
		if text, err = json.Marshal(at); err != nil {
			return err
		}
	}
	if _, err := w.Stdout.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("stdout cannot be written: %w; check where stdout is redirected to", err)
	}
	return nil
}

// local() returns the address that programs on this computer use. If the server listens on all interfaces, the host is
// localhost.
func local(address net.Addr) string {
	if to, ok := address.(*net.TCPAddr); ok && to.IP.IsUnspecified() {
		return net.JoinHostPort("localhost", strconv.Itoa(to.Port))
	}
	return address.String()
}

// sign() returns a text with the address of the page. The text also says how to sign in.
func (at *addresses) sign() string {
	if at.Page == "" {
		return ""
	}
	return at.Page + "  (to open it, run: guardrails ui)"
}

func (at *addresses) text(address net.Addr) []byte {
	var b bytes.Buffer
	for _, line := range [][2]string{
		{"page", at.sign()},
		{"MCP", at.URL},
		{"REST", at.API + "  (all operations: " + strings.TrimSuffix(at.API, "guardrails") + "openapi.json)"},
		{"token", at.TokenFile + "  (send it as Authorization: Bearer TOKEN)"},
		{"hooks", at.Socket},
		{"health", at.Health},
		{"metrics", at.Metrics},
		{"store", at.Store},
		{"tenant", at.Tenant},
	} {
		if line[1] != "" {
			fmt.Fprintf(&b, "%-8s %s\n", line[0], line[1])
		}
	}
	b.WriteString("\nTo use this server in a project on this computer, add this line to .claude/guardrails.yaml:\n")
	fmt.Fprintf(&b, "  server: {url: %q, token_file: %q}\n", at.URL, at.TokenFile)
	if to, ok := address.(*net.TCPAddr); ok && !to.IP.IsLoopback() {
		b.WriteString("Other computers can reach this server, and nothing is encrypted: put a proxy with TLS in front of it, and " +
			"give the name of the proxy with --host.\n")
	}
	b.WriteString("Stop it with Ctrl-C.")
	return b.Bytes()
}

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
	"guardrails/host"
	"guardrails/internal/private"
	"guardrails/server"
	"guardrails/server/access"
	"guardrails/server/socket"
)

// onPort answers whoever knows a token.
func (w *World) onPort(ctx context.Context, f *Flags) error {
	address := cmp.Or(f.Address, w.Env(AddressVariable), DefaultAddress)
	tenant, err := w.tenant()
	if err != nil {
		return err
	}
	keys, tokenFile, err := w.keys(tenant)
	if err != nil {
		return err
	}
	on, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; end what listens there, or choose another port by --addr", address, cause(err))
	}
	log := w.log(slog.LevelInfo, f)
	s := w.server(log, f, tenant, true)
	if err := w.announce(ctx, s, on.Addr(), tokenFile, f.JSON); err != nil {
		return errors.Join(err, on.Close(), s.Close())
	}
	guard := server.Guard{Who: keys.Who, Hosts: server.LocalHosts(on.Addr(), f.Hosts...)}
	return w.beside(ctx, s, log, func(ctx context.Context) error {
		go w.reload(ctx, s, keys, log)
		return s.ServePort(ctx, on, guard)
	})
}

// keys are the tokens that callers may have, and the file in which the first one lies.
func (w *World) keys(tenant string) (keys *access.Keyring, file string, err error) {
	path, err := private.StateDir(w.Env)
	if err != nil {
		return nil, "", err
	}
	dir, err := private.Open(path)
	if err != nil {
		return nil, "", err
	}
	return access.OpenKeyring(dir, tenant, w.Now)
}

// tenant is the one that the server is for. Settings that cannot be read leave it open, and nobody is served as a tenant
// that was guessed.
func (w *World) tenant() (string, error) {
	c, problems := config.Load(host.Root(w.Env, w.Dir), w.Env)
	if err := problems.Err(); err != nil {
		return "", fmt.Errorf("the tenant is not known: %w", err)
	}
	return c.Tenant, nil
}

// reload reads everything anew when the process is told that something is another.
func (w *World) reload(ctx context.Context, s *server.Server, keys *access.Keyring, log *slog.Logger) {
	for {
		select {
		case <-w.HangUp:
			if err := s.Reload(ctx); err != nil {
				log.Error("the store cannot be opened anew; it is used as it was", "error", err)
			}
			if err := keys.Reload(); err != nil {
				log.Error("the first token cannot be read; the one before it still holds", "error", err)
			}
			log.Info("everything is read anew")
		case <-ctx.Done():
			return
		}
	}
}

// place is where a server can be asked.
type place struct {
	URL       string `json:"url"`
	API       string `json:"api"`
	TokenFile string `json:"token_file"`
	Socket    string `json:"socket,omitempty"`
	Health    string `json:"health"`
	Metrics   string `json:"metrics"`
	// Store is the one of the project that the server runs in.
	Store  string `json:"store,omitempty"`
	Tenant string `json:"tenant"`
}

// announce says where the server is.
func (w *World) announce(ctx context.Context, s *server.Server, address net.Addr, tokenFile string, asJSON bool) error {
	base := "http://" + asked(address)
	at := place{URL: base + "/mcp", API: base + "/api/guardrails", TokenFile: tokenFile, Health: base + "/healthz", Metrics: base + "/metrics"}
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
		return fmt.Errorf("stdout: cannot be written: %w; check where it goes", err)
	}
	return nil
}

// asked is the address as programs on this computer write it: that of all its networks is no name to ask for.
func asked(address net.Addr) string {
	if to, ok := address.(*net.TCPAddr); ok && to.IP.IsUnspecified() {
		return net.JoinHostPort("localhost", strconv.Itoa(to.Port))
	}
	return address.String()
}

func (at *place) text(address net.Addr) []byte {
	var b bytes.Buffer
	for _, line := range [][2]string{
		{"MCP", at.URL},
		{"REST", at.API + "  (what there is: " + strings.TrimSuffix(at.API, "guardrails") + "openapi.json)"},
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
	b.WriteString("\nA project on this computer uses it with this line in .claude/guardrails.yaml:\n")
	fmt.Fprintf(&b, "  server: {url: %q, token_file: %q}\n", at.URL, at.TokenFile)
	if to, ok := address.(*net.TCPAddr); ok && !to.IP.IsLoopback() {
		b.WriteString("Others on the network reach this too, and nothing is encrypted: put a proxy with TLS in front, and name it by --host.\n")
	}
	b.WriteString("It ends with Ctrl-C.")
	return b.Bytes()
}

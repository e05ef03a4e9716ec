package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"guardrails/internal/private"
	"guardrails/server/access"
)

// The constant "tenants" is the number of teams. Each has a tenant and a token of its own.
const tenants = 20

// The type "site" has the servers and the load balancer in front of them.
type site struct {
	*options
	servers  []*exec.Cmd
	balancer *balancer
	// The field "tokens" has the token of each tenant.
	tokens []string
}

// start() starts two servers, as if the servers were on two computers. Each server has its own home folder. Both
// servers accept the same tokens.
func (s *site) start() error {
	homes := []string{filepath.Join(s.dir, "one"), filepath.Join(s.dir, "two")}
	if err := s.makeHomes(homes); err != nil {
		return err
	}
	var urls []*url.URL
	for _, home := range homes {
		at, err := s.serve(home)
		if err != nil {
			return err
		}
		urls = append(urls, at)
	}
	var err error
	s.balancer, err = newBalancer(urls)
	return err
}

func (s *site) makeHomes(homes []string) error {
	for _, home := range homes {
		if err := os.MkdirAll(filepath.Join(home, "project", ".git"), 0o700); err != nil {
			return err
		}
	}
	state, err := private.StateDir(environment(homes[0]))
	if err != nil {
		return err
	}
	tokens, err := access.OpenTokens(state, time.Now)
	if err != nil {
		return err
	}
	for i := range tenants {
		secret, err := tokens.Create(access.Token{Name: "machines", Tenant: tenantOf(i), Role: access.Admin})
		if err != nil {
			return err
		}
		s.tokens = append(s.tokens, secret)
	}
	return exec.Command("cp", "-a", filepath.Join(homes[0], ".local"), homes[1]).Run()
}

func tenantOf(i int) string { return fmt.Sprintf("team-%d", i%tenants) }

func environment(home string) func(string) string {
	return func(name string) string {
		if name == "HOME" {
			return home
		}
		return ""
	}
}

// serve() starts a server and returns its URL.
func (s *site) serve(home string) (*url.URL, error) {
	program, err := filepath.Abs(filepath.Join(s.programs, "guardrails-server"))
	if err != nil {
		return nil, err
	}
	server := exec.Command(program, "serve", "-addr=127.0.0.1:0", "-store=elasticsearch:"+s.cluster)
	server.Dir = filepath.Join(home, "project")
	server.Env = []string{"HOME=" + home, "XDG_RUNTIME_DIR=" + home, "PATH=" + os.Getenv("PATH")}
	out, err := server.StdoutPipe()
	if err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(home, "server.log"))
	if err != nil {
		return nil, err
	}
	server.Stderr = log
	if err := errors.Join(server.Start(), log.Close()); err != nil {
		return nil, err
	}
	s.servers = append(s.servers, server)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if at, found := strings.CutPrefix(lines.Text(), "REST"); found {
			at, _, _ = strings.Cut(strings.TrimSpace(at), "/api/")
			go func() { _, _ = io.Copy(io.Discard, out) }() // ends with the server
			return url.Parse(at)
		}
	}
	return nil, fmt.Errorf("the server did not start; see %s", log.Name())
}

// stop() ends the servers.
func (s *site) stop() {
	if s.balancer != nil {
		_ = s.balancer.server.Close()
	}
	for _, server := range s.servers {
		_ = server.Process.Kill()
		_ = server.Wait()
	}
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"guardrails/config"
	"guardrails/guideline"
	"guardrails/internal/product"
	"guardrails/service"
	"guardrails/store/live"
	"guardrails/store/sqlite"
)

// measureServer measures the memory of a server with many guidelines in its store.
func (g *goals) measureServer(ctx context.Context) error {
	env := func(name string) string { return map[string]string{product.VariableHome: g.home()}[name] }
	s, err := sqlite.Open(ctx, sqlite.Options{Path: product.DatabasePath(env)})
	if err != nil {
		return err
	}
	kept := live.New(live.Options{Open: live.Opened(s), Location: "memory", Now: time.Now})
	if err := errors.Join(fillTenant(ctx, kept.For(live.Caller{Actor: "bench"}), g.guidelines), kept.Close()); err != nil {
		return err
	}
	if err := g.serve(); err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", filepath.Join(g.runtime("served"), "guardrails", "server.sock"))
	}}}
	if err := g.waitForStore(client); err != nil {
		return err
	}
	for i := range 200 {
		if _, err := g.ask(client, i); err != nil {
			return err
		}
	}
	rss, most, err := memoryOf(g.server)
	if err != nil {
		return err
	}
	g.add(fmt.Sprintf("memory of a server with %d guidelines", g.guidelines), rss, g.memory, "MB", fmt.Sprintf("peak %.0f MB", most))
	g.results[len(g.results)-1].limit = g.memory
	return nil
}

// waitForStore sends requests until the server answers with guidelines from its store.
func (g *goals) waitForStore(client *http.Client) error {
	for range 120 {
		answer, err := g.ask(client, 0)
		if err != nil {
			return err
		}
		if strings.Contains(answer, `"source":"store"`) {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errors.New("the server answers, but not yet with guidelines from its store")
}

// ask() requests guidelines through the server's socket, as a hook does.
func (g *goals) ask(client *http.Client, i int) (string, error) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"guardrails_get_context","arguments":`+
		`{"agent":"agent-%d","session_id":"s%d","prompt":"implement part %d","project":%q,"hook":true}}}`, i%100, i%20, i, g.project)
	answer, err := client.Post("http://guardrails/mcp", "application/json", strings.NewReader(body))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(answer.Body)
	return string(text), errors.Join(err, answer.Body.Close())
}

// memoryOf returns the current memory of a process and its largest memory so far, in MB.
func memoryOf(pid int) (now, most float64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(text)) {
		var kB float64
		if _, err := fmt.Sscanf(line, "VmRSS: %f kB", &kB); err == nil {
			now = kB / 1024
		}
		if _, err := fmt.Sscanf(line, "VmHWM: %f kB", &kB); err == nil {
			most = kB / 1024
		}
	}
	return now, most, nil
}

// tenantsOf measures how long a request for guidelines takes while many tenants are in memory. It measures two kinds of
// tenants: tenants whose guidelines are in memory, and tenants whose guidelines the server must read from the store.
func (g *goals) tenantsOf(ctx context.Context, b *backend, s *live.Store) error {
	err := together(8, g.tenants, func(i int) error {
		return fillTenant(ctx, s.For(live.Caller{Tenant: fmt.Sprint("tenant-", i), Actor: "bench"}), perTenant)
	})
	if err != nil {
		return err
	}
	server := service.New(service.Options{
		Env: func(name string) string {
			return map[string]string{product.VariableHome: filepath.Join(g.dir, b.name)}[name]
		}, Now: time.Now, Dir: g.project, Memory: true,
		Open: func(context.Context, *config.Config) (*live.Store, error) { return s, nil },
	})
	absent, err := g.askTenants(ctx, server, 1)
	if err != nil {
		return err
	}
	present, err := g.askTenants(ctx, server, 3)
	if err != nil {
		return err
	}
	of := fmt.Sprintf("%s: a question with %d tenants ", b.name, g.tenants)
	percent99 := func(took []float64) string { return fmt.Sprintf("99 of 100 within %.2f ms", quantile(took, 0.99)) }
	g.add(of+"in memory", quantile(present, 0.5), 1, "ms", percent99(present))
	g.add(of+"in memory, from a tenant that is not in memory", quantile(absent, 0.5), b.evicted, "ms", percent99(absent))
	return nil
}

// askTenants requests guidelines for each tenant in turn, and returns how many milliseconds each request took.
func (g *goals) askTenants(ctx context.Context, server *service.Service, rounds int) (took []float64, err error) {
	for i := range rounds * g.tenants {
		began := time.Now()
		a, err := server.GetContext(service.ForTenant(ctx, fmt.Sprint("tenant-", i%g.tenants)),
			service.Request{Context: guideline.Context{Agent: "agent-1", Domain: "P10", Paths: []string{"src/area10/pool.py"}}})
		if err != nil {
			return nil, err
		}
		took = append(took, milliseconds(time.Since(began)))
		if a.Source != service.SourceStore || a.Count == 0 {
			return nil, fmt.Errorf("tenant %d got %d guidelines from %s", i%g.tenants, a.Count, a.Source)
		}
	}
	return took, nil
}

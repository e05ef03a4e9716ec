package service_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/service"
)

// afar is the service for callers over the network.
func (p *project) afar() *service.Service {
	return service.New(service.Options{
		Env: func(name string) string { return p.vars[name] }, Now: func() time.Time { return p.now }, Dir: p.root, Remote: true,
	})
}

func TestACallerOverTheNetworkSaysNothingOfThisComputer(t *testing.T) {
	p := newProject(t, nil)
	elsewhere := t.TempDir()
	s := p.afar()
	for name, c := range map[string]struct {
		ask  service.Request
		want string
	}{
		"its environment":          {service.Request{Environment: map[string]string{}}, "environment: is not taken from a caller over the network; remove it"},
		"that it is a hook":        {service.Request{Hook: true}, "hook: is not taken from a caller over the network; remove it"},
		"another project":          {service.Request{Project: elsewhere}, "is not the server's own, and no other is taken from a caller over the network; leave it out"},
		"one above":                {service.Request{Project: filepath.Dir(p.root)}, "is not the server's own"},
		"the server's own project": {service.Request{Project: p.root + "/."}, ""},
		"nothing":                  {service.Request{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.GetContext(t.Context(), c.ask)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestNoToolReadsAnotherProjectForACallerOverTheNetwork(t *testing.T) {
	p := newProject(t, nil)
	elsewhere := t.TempDir()
	s := p.afar()
	for name, ask := range map[string]func(context.Context) error{
		"list": func(ctx context.Context) error { _, err := s.List(ctx, service.Filter{Project: elsewhere}); return err },
		"get":  func(ctx context.Context) error { _, err := s.Get(ctx, service.Lookup{Project: elsewhere}); return err },
		"explain": func(ctx context.Context) error {
			_, err := s.Explain(ctx, service.Request{Project: elsewhere})
			return err
		},
		"log": func(ctx context.Context) error {
			_, err := s.LogDecision(ctx, service.Decision{Project: elsewhere})
			return err
		},
		"store": func(ctx context.Context) error { _, _, err := s.Store(ctx, elsewhere); return err },
	} {
		if err := ask(t.Context()); err == nil || !strings.Contains(err.Error(), "no other is taken from a caller over the network") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

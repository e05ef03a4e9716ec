package service_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/service"
)

func (p *project) remoteService() *service.Service {
	return service.New(service.Options{
		Env: func(name string) string { return p.vars[name] }, Now: func() time.Time { return p.now }, Dir: p.root,
		Remote: true,
	})
}

func TestACallerOverTheNetworkCannotNameThingsOfThisComputer(t *testing.T) {
	p := newProject(t, nil)
	elsewhere := t.TempDir()
	s := p.remoteService()
	for name, c := range map[string]struct {
		request service.Request
		want    string
	}{
		"an environment": {
			service.Request{Environment: map[string]string{}},
			"environment: is not accepted from a caller over the network; remove it",
		},
		"a hook": {
			service.Request{Hook: true},
			"hook: is not accepted from a caller over the network; remove it",
		},
		"another project": {
			service.Request{Project: elsewhere},
			"is not the server's own project, and a caller over the network cannot use another one; leave it out",
		},
		"the parent folder":        {service.Request{Project: filepath.Dir(p.root)}, "is not the server's own"},
		"the server's own project": {service.Request{Project: p.root + "/."}, ""},
		"no project":               {service.Request{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.GetContext(t.Context(), c.request)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestACallerOverTheNetworkCannotReadAnotherProject(t *testing.T) {
	p := newProject(t, nil)
	elsewhere := t.TempDir()
	s := p.remoteService()
	for name, ask := range map[string]func(context.Context) error{
		"list": func(ctx context.Context) error {
			_, err := s.List(ctx, service.ListQuery{Filter: service.Filter{Project: elsewhere}})
			return err
		},
		"get": func(ctx context.Context) error { _, err := s.Get(ctx, service.Lookup{Project: elsewhere}); return err },
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
		if err := ask(t.Context()); err == nil ||
			!strings.Contains(err.Error(), "a caller over the network cannot use another one") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

//go:build unix

package service_test

import (
	"strings"
	"testing"

	"guardrails/internal/page"
	"guardrails/internal/private"
	"guardrails/service"
)

func TestHooksKnowThePageOfTheirTenantWhileAServerHasIt(t *testing.T) {
	p := newProject(t, map[string]string{".claude/guardrails.yaml": "tenant: red\n"})
	p.vars["GUARDRAILS_CACHE_DIR"] = t.TempDir() + "/run"
	s := p.withMemory()
	known := func() bool {
		text := getContext(t, s, service.Request{Hook: true}).SessionCache
		return strings.Contains(text, `"page":" For people: http://127.0.0.1:7117/ui/audit?entry="`)
	}
	dir, err := private.Runtime(func(name string) string { return p.vars[name] })
	if err == nil {
		err = dir.Touch(page.Shown)
	}
	if err != nil {
		t.Fatal(err)
	}
	write := func(tenant string) {
		if err := page.Write(dir, page.Place{Address: "127.0.0.1:7117", Tenant: tenant}); err != nil {
			t.Fatal(err)
		}
	}
	write("red")
	if known() {
		t.Error("no server has the page")
	}
	held, _, err := dir.OpenFile(page.Shown)
	if err != nil {
		t.Fatal(err)
	}
	if taken, err := held.TryLock(); err != nil || !taken {
		t.Fatal(taken, err)
	}
	if !known() {
		t.Error("the page of the tenant is not known")
	}
	write("blue")
	if known() {
		t.Error("the page shows another tenant")
	}
	write("red")
	p.write(".claude/guardrails.yaml", "tenant: red\nui: off\n")
	if known() {
		t.Error("the page is switched off")
	}
	p.write(".claude/guardrails.yaml", "tenant: red\n")
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	if known() {
		t.Error("the server has ended")
	}
}

//go:build unix

package server_test

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestTheSocketUsesTheTenantOfEachProject(t *testing.T) {
	s, _, _ := twoTenants(t)
	s.holdSocket(s.server())
	s.waitForSocket()
	text, _, err := s.hookClient().Ask([]byte(`{"agent":"backend","project":"` + s.root + `"}`))
	check(t, err)
	if !strings.Contains(string(text), "Only red knows") {
		t.Errorf("%s", text)
	}
	if text, _, err = s.hookClient().Ask([]byte(`{"agent":"backend","project":"` + s.root +
		`","tenant_id":"blue"}`)); err == nil {
		t.Errorf("%s", text)
	}
	s.file("../other/.claude/guardrails.yaml", "tenant: blue\n")
	text, _, err = s.hookClient().Ask([]byte(`{"agent":"backend","project":"` +
		filepath.Join(filepath.Dir(s.root), "other") + `"}`))
	check(t, err)
	if strings.Contains(string(text), "Only red knows") {
		t.Errorf("%s", text)
	}
}

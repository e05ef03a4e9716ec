package hooks_test

import (
	"strings"
	"testing"
)

func TestARefusalEndsWithTheAddressOfItsDecision(t *testing.T) {
	s := newStage(t, paths)
	const page = " For people: http://127.0.0.1:7117/ui/audit?entry="
	s.body.Page = page
	o := s.pre(s.write("src/ui/a.ts"))
	_, id, found := strings.Cut(o.Reason, page)
	list := s.records("decision")
	if !found || len(list) != 1 || list[0]["id"] != id || !strings.HasPrefix(id, "refusal-") {
		t.Fatalf("%q, recorded %v", o.Reason, list)
	}
	if reason, _ := list[0]["reason"].(string); strings.Contains(reason, page) {
		t.Errorf("the record has the address too: %s", reason)
	}
	again := s.pre(s.write("src/ui/a.ts"))
	if strings.HasSuffix(again.Reason, id) {
		t.Errorf("two decisions have the id %s", id)
	}
}

func TestARefusalHasNoAddressWithoutAPage(t *testing.T) {
	s := newStage(t, paths)
	o := s.pre(s.write("src/ui/a.ts"))
	if list := s.records("decision"); strings.Contains(o.Reason, "http") || len(list) != 1 || list[0]["id"] != nil {
		t.Errorf("%q, recorded %v", o.Reason, list)
	}
}

//go:build unix

package service_test

import (
	"os"
	"testing"
)

func TestTheKeyComesFromAFileThatOnlyItsOwnerCanRead(t *testing.T) {
	j := newJudge(t, "report_verdict", verdictSafe)
	p := newProject(t, nil)
	p.write("../key", "sesame\n")
	p.user("output_guard: {mode: observe}\n" + j.settings(", api_key_file: "+p.path("../key")))
	if a := p.audited(p.service(), grandiose, agreement); a.OutputAudit.Failed == nil || j.calls() != 0 {
		t.Errorf("others can read the key: %+v", a.OutputAudit)
	}
	check(t, os.Chmod(p.path("../key"), 0o600))
	if a := p.audited(p.service(), grandiose, agreement); a.OutputAudit.Failed != nil || j.calls() != 1 {
		t.Errorf("only its owner can read the key: %+v", a.OutputAudit)
	}
}

package cli

import "testing"

func TestTheAuditNamesWhoeverRunsTheProgram(t *testing.T) {
	if currentUser() == "" {
		t.Error("nobody runs it")
	}
}

package service_test

import (
	"os"
	"path/filepath"
	"testing"

	"guardrails/config"
	"guardrails/internal/need"
	"guardrails/service"
)

func TestAPolicyFileBehindALinkIntoTheProjectCannotMakeVerdictsMilder(t *testing.T) {
	root, outside := t.TempDir(), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, outside); err != nil {
		need.Missing(t, err)
	}
	if _, why := service.PolicyPath(root, "/h", &config.Safety{Policies: outside + "/own.yaml"}, true); why == "" {
		t.Error("agents can change the file, but its rules count as those of a person")
	}
}

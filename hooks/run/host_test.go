package run

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTheGuardsOwnFilesAreKnownWhereverTheyAre(t *testing.T) {
	base := t.TempDir()
	for name, c := range map[string]struct {
		env  map[string]string
		want []string
	}{
		"the usual folders":  {map[string]string{"HOME": base + "/h", "GUARDRAILS_CACHE_DIR": base + "/r"}, []string{base + "/r", base + "/h/.local/state/guardrails", base + "/h/.local/share/guardrails"}},
		"folders that moved": {map[string]string{"HOME": base + "/h", "XDG_STATE_HOME": base + "/s", "XDG_DATA_HOME": base + "/d", "XDG_RUNTIME_DIR": base}, []string{base + "/guardrails", base + "/s/guardrails", base + "/d/guardrails"}},
	} {
		h := newHost(nil, func(name string) string { return c.env[name] }, Deadline, warmTimeout)
		for _, want := range c.want {
			if !slices.ContainsFunc(h.Guarded, func(path string) bool { return filepath.Clean(path) == want }) {
				t.Errorf("%s: %s is not among %q", name, want, h.Guarded)
			}
		}
		if !strings.HasSuffix(h.Guarded[len(h.Guarded)-1], "/guardrails-server") || h.Strict || h.Client != os.Getppid() {
			t.Errorf("%s: got %+v", name, h)
		}
	}
}

func TestWithoutAHomeRecordsAreNextToTheSessionsFiles(t *testing.T) {
	run := t.TempDir()
	h := newHost([]string{"--strict"}, func(name string) string { return map[string]string{"GUARDRAILS_CACHE_DIR": run}[name] }, Deadline, warmTimeout)
	if h.State != run || h.StateError == nil || !h.Strict {
		t.Errorf("got %q, %v", h.State, h.StateError)
	}
}

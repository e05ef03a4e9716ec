//go:build unix

package server_test

import (
	"strings"
	"testing"
)

func TestStdioListsOnlyTheDetectorsThatTheSettingsSwitchOn(t *testing.T) {
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n"
	for settings, want := range map[string]string{
		"": "", "detectors: {rumination: note, tool_loop: ask}\n": "check_rumination check_tool_loop",
		"detectors: {rumination: maybe, hyperfocus: note}\n": "",
	} {
		s, _, _ := twoTenants(t)
		s.file(".claude/guardrails.yaml", "tenant: red\n"+settings)
		var out strings.Builder
		check(t, s.server().ServeStdio(t.Context(), strings.NewReader(list), &out))
		var got []string
		for _, name := range []string{"check_rumination", "check_hyperfocus", "check_sycophancy", "check_tool_loop"} {
			if strings.Contains(out.String(), `"name":"`+name+`"`) {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != want || !strings.Contains(out.String(), "guardrails_explain") {
			t.Errorf("%q: %q", settings, got)
		}
	}
}

package host

import (
	"strings"
	"testing"

	"guardrails/hooks/wire"
)

// The constant "guarding" is the text of a settings file with one hook of this product.
const guarding = `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/opt/x/guardrails-enforce","timeout":5}]}]}}`

// The constant "direct" is the text of a settings file with one entry. The entry calls the server's tool instead of
// a hook program.
const direct = `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"mcp_tool","server":"guardrails","tool":"guardrails_hook","input":{},"onFailure":"block"}]}]}}`

func TestOtherChangesOfTheSettingsKeepTheHooks(t *testing.T) {
	for name, then := range map[string]string{
		"the same":                  guarding,
		"another folder and a flag": `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"\"/usr/my bin/guardrails-enforce\" --strict"}]}]}}`,
		"a path of Windows":         `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"C:\\x\\guardrails-enforce.exe"}]}]}}`,
		"more hooks and settings":   `{"model":"x","hooks":{"Stop":[{"hooks":[{"type":"command","command":"echo"}]}],"PreToolUse":[{"hooks":[{"type":"command","command":"x"}]},{"matcher":"*","hooks":[{"type":"command","command":"guardrails-enforce"}]}]}}`,
		"disableAllHooks is false":  `{"disableAllHooks":false,` + guarding[1:],
		"the server's tool":         direct,
	} {
		if !keepsHooks([]byte(guarding), []byte(then)) {
			t.Errorf("%s: loses the hook", name)
		}
	}
}

func TestSettingsLoseHooksThatTheClientWouldNotRunAsBefore(t *testing.T) {
	for name, then := range map[string]string{
		"nothing":                          ``,
		"no hooks":                         `{}`,
		"no JSON":                          guarding[:len(guarding)-1],
		"hooks of others":                  `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"echo guardrails-enforce"}]}]}}`,
		"the name in another field":        `{"note":"/opt/x/guardrails-enforce"}`,
		"another event":                    `{"hooks":{"PostToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/opt/x/guardrails-enforce"}]}]}}`,
		"fewer tools":                      `{"hooks":{"PreToolUse":[{"matcher":"Read","hooks":[{"type":"command","command":"/opt/x/guardrails-enforce"}]}]}}`,
		"another program":                  `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/opt/x/guardrails-stop"}]}]}}`,
		"a hook that is not a command":     `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"prompt","command":"/opt/x/guardrails-enforce"}]}]}}`,
		"all hooks disabled":               `{"disableAllHooks":true,` + guarding[1:],
		"the key hooks given twice":        guarding[:len(guarding)-1] + `,"hooks":{}}`,
		"another server":                   strings.Replace(direct, `"guardrails",`, `"guard",`, 1),
		"another tool":                     strings.Replace(direct, "guardrails_hook", "guardrails_get", 1),
		"a call that may fail":             strings.Replace(direct, `,"onFailure":"block"`, "", 1),
		"the name as a folder in the path": `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/opt/guardrails-enforce/true"}]}]}}`,
		"the name as an argument":          `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"true /opt/x/guardrails-enforce"}]}]}}`,
	} {
		if keepsHooks([]byte(guarding), []byte(then)) {
			t.Errorf("%s: keeps the hook", name)
		}
	}
}

func TestACallOfTheServersToolReplacesAnyHook(t *testing.T) {
	for event, program := range map[string]string{
		wire.UserPromptSubmit: "inject", wire.SubagentStart: "subagent", wire.PreToolUse: "enforce", wire.PostToolUse: "enforce",
		wire.PostToolUseFailure: "enforce", wire.Stop: "stop", wire.SubagentStop: "stop", wire.SessionEnd: "stop",
	} {
		now := strings.NewReplacer("PreToolUse", event, "guardrails-enforce", "guardrails-"+program).Replace(guarding)
		then := strings.Replace(direct, "PreToolUse", event, 1)
		if !keepsHooks([]byte(now), []byte(then)) || !keepsHooks([]byte(then), []byte(now)) {
			t.Errorf("%s is lost", event)
		}
	}
}

func TestSettingsWithoutHooksOfThisProductHaveNoneToLose(t *testing.T) {
	for _, now := range []string{``, `{}`, `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"safeguard"}]}]}}`} {
		if !keepsHooks([]byte(now), []byte(`{}`)) {
			t.Errorf("%s: loses hooks", now)
		}
	}
}

func FuzzKeeps(f *testing.F) {
	f.Add(guarding, `{"hooks":[]}`)
	f.Add(`{"hooks":{"a":[{"hooks":[{"type":"command","command":"\"guardrails-x"}]}]}}`, guarding)
	f.Add(`{"hooks":{"a":{"b":"guardrails-"}}}`, `[]`)
	f.Fuzz(func(t *testing.T, now, then string) {
		keepsHooks([]byte(now), []byte(then))
		if !keepsHooks([]byte(now), []byte(now)) {
			t.Errorf("%q loses hooks to itself", now)
		}
	})
}

//go:build unix

package config_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"guardrails/config"
)

const (
	ownModel   = "model: {url: https://models.example, name: small, api_key_env: MODEL_KEY}"
	otherModel = "model: {url: https://evil.example, name: big, api_key_env: MODEL_KEY}"
)

// The settings of the model decide who receives the user's texts and a key, and the output guard replaces answers. So a
// project must not set either of them.
func TestTheModelAndTheOutputGuardAreSetByThePersonOrTheAdministrator(t *testing.T) {
	for _, c := range []struct {
		name, managed, user, project string
		vars                         map[string]string
		trusted                      bool
		want, ignored                string
	}{
		{name: "nothing set", want: " off"},
		{name: "the user's model", user: ownModel, want: "https://models.example small off"},
		{
			name: "the administrator's model is not mixed with the user's", managed: "model: {url: 'http://127.0.0.1:9', name: local}",
			user: ownModel, want: "http://127.0.0.1:9 local off",
		},
		{name: "a project names no model", project: ownModel, want: " off", ignored: "model.api_key_env model.name model.url"},
		{
			name: "a variable names no model", vars: map[string]string{"GUARDRAILS_MODEL": `{"url": "http://localhost:9", "name": "x"}`},
			want: " off", ignored: "model.name model.url",
		},
		{name: "a trusted project names a model", project: ownModel, trusted: true, want: "https://models.example small off"},
		{
			name: "a trusted project does not change the user's model", user: "model: {url: 'http://localhost:9', name: local}",
			project: otherModel, trusted: true, want: "http://localhost:9 local off",
			ignored: "model.api_key_env model.name model.url",
		},
		{
			name: "a trusted project does not add to the user's model", user: "model: {url: 'http://localhost:9', name: local}",
			project: "model: {max_calls_per_hour: 9}", trusted: true, want: "http://localhost:9 local off",
			ignored: "model.max_calls_per_hour",
		},
		{name: "the user's guard", user: "output_guard: {mode: observe}", want: " observe"},
		{name: "the administrator's guard", managed: "output_guard: {mode: enforce}", user: "output_guard: {mode: off}", want: " enforce"},
		{name: "the user's stricter guard", managed: "output_guard: {mode: observe}", user: "output_guard: {mode: enforce}", want: " enforce"},
		{
			name: "the administrator's risks", managed: "output_guard: {mode: observe, fail: {behavior_romantic: closed}}",
			user: "output_guard: {fail: {behavior_self_harm: open}}", want: " observe behavior_romantic:closed",
		},
		{
			name: "the user cannot open a risk below the administrator's mode", managed: "output_guard: {mode: enforce}",
			user: "output_guard: {fail: {behavior_self_harm: open, behavior_grandiose: closed}}",
			want: " enforce behavior_grandiose:closed", ignored: "output_guard.fail",
		},
		{
			name: "the user opens a risk of an own mode", user: "output_guard: {mode: enforce, fail: {behavior_self_harm: open}}",
			want: " enforce behavior_self_harm:open",
		},
		{
			name: "a variable does not hide the guard of a trusted project", project: "output_guard: {mode: enforce}", trusted: true,
			vars: map[string]string{"GUARDRAILS_OUTPUT_GUARD": `{"mode": "off"}`}, want: " enforce", ignored: "output_guard.mode",
		},
		{
			name: "a variable does not hide the model of a trusted project", project: ownModel, trusted: true,
			vars: map[string]string{"GUARDRAILS_MODEL": `{"url": "http://localhost:9", "name": "x"}`},
			want: "https://models.example small off", ignored: "model.name model.url",
		},
		{name: "a project sets no guard", project: "output_guard: {mode: enforce}", want: " off", ignored: "output_guard.mode"},
		{
			name: "a project opens no risk", user: "output_guard: {mode: enforce}",
			project: "output_guard: {fail: {behavior_self_harm: open}}", want: " enforce", ignored: "output_guard.fail",
		},
		{name: "a trusted project sets the guard", project: "output_guard: {mode: observe}", trusted: true, want: " observe"},
		{
			name: "the document's variable makes it stricter", user: "output_guard: {mode: observe}",
			vars: map[string]string{"ENABLE_BEHAVIORAL_INTERVENTION": "true"}, want: " enforce",
		},
		{
			name: "the document's variable does not loosen it", user: "output_guard: {mode: enforce}",
			vars: map[string]string{"ENABLE_BEHAVIORAL_INTERVENTION": "False"}, want: " enforce",
			ignored: "ENABLE_BEHAVIORAL_INTERVENTION",
		},
		{
			name: "the document's variable asks for the mode of the settings", user: "output_guard: {mode: observe}",
			vars: map[string]string{"ENABLE_BEHAVIORAL_INTERVENTION": "false"}, want: " observe",
		},
		{
			name: "the document's variable does not switch the guard to observe",
			vars: map[string]string{"ENABLE_BEHAVIORAL_INTERVENTION": "false"}, want: " off",
			ignored: "ENABLE_BEHAVIORAL_INTERVENTION",
		},
		{
			name: "the document's variable does not switch it on",
			vars: map[string]string{"ENABLE_BEHAVIORAL_INTERVENTION": "true"}, want: " off",
			ignored: "ENABLE_BEHAVIORAL_INTERVENTION",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := place(t, map[string]string{".claude/guardrails.yaml": c.project})
			vars := map[string]string{"XDG_STATE_HOME": t.TempDir()}
			for name, value := range c.vars {
				vars[name] = value
			}
			env := from(vars)
			if c.trusted {
				trustProject(t, env, root)
			}
			l := config.Read(config.Places{
				Managed: layer(t, c.managed), Owner: os.Getuid(), User: layer(t, c.user), Root: root,
			}, env)
			got := l.Combine(false)
			if err := l.Problems().Err(); err != nil {
				t.Fatal(err)
			}
			text := strings.TrimSpace(got.Model.URL+" "+got.Model.Name) + " " + got.OutputGuard.Mode
			for name, of := range got.OutputGuard.Fail {
				text += " " + name + ":" + of
			}
			var ignored []string
			for _, i := range got.Ignored {
				ignored = append(ignored, i.Name())
			}
			slices.Sort(ignored)
			if text != c.want || strings.Join(slices.Compact(ignored), " ") != c.ignored {
				t.Errorf("got %q, ignored %q", text, ignored)
			}
		})
	}
}

func TestAVariableNeverSetsTheSafetyGateAndTheReasonSaysSo(t *testing.T) {
	for _, user := range []string{"", "safety: {mode: observe}"} {
		env := from(map[string]string{
			"XDG_STATE_HOME": t.TempDir(), "GUARDRAILS_SAFETY": `{"mode": "enforce"}`, "GUARDRAILS_OUTPUT_GUARD": `{"mode": "enforce"}`,
		})
		l := config.Read(config.Places{User: layer(t, user), Root: project(t, "packs: []\n")}, env)
		got := l.Combine(false)
		for _, i := range got.Ignored {
			if strings.Contains(i.Why, "cannot loosen") {
				t.Errorf("%s: %s", i.Name(), i.Why)
			}
		}
		if len(got.Ignored) != 2 || got.OutputGuard.Mode != config.Off {
			t.Errorf("got %+v", got.Ignored)
		}
	}
}

func TestEachFieldOfTheModelIsRead(t *testing.T) {
	user := layer(t, `model: {url: "https://models.example", name: small, api_key_file: ~/key, timeout_ms: 300,
  context_detection_timeout: 0, context: false, audit: false, max_calls_per_hour: 5}`)
	got := config.Read(config.Places{User: user}, from(nil)).Combine(false).Model
	want := config.Model{URL: "https://models.example", Name: "small", KeyFile: "~/key", Timeout: 300, MaxCalls: 5}
	if got != want || got.AsksAboutPrompts() || got.AsksAboutAnswers() {
		t.Errorf("got %+v", got)
	}
}

func TestMistakesInTheSettingsOfTheModelAreReported(t *testing.T) {
	const key = "name: m, api_key_env: K"
	for text, want := range map[string]string{
		"url: http://models.example, " + key:              `model.url: "http://models.example" is not the address of a model`,
		"url: https://user:pw@models.example, " + key:     "model.url: ",
		"url: https://models.example/v1/messages, " + key: "leave out /v1/messages",
		"url: ftp://localhost, " + key:                    "model.url: ",
		"url: http://127.0.0.1.example, " + key:           "model.url: ",
		"url: https://models.example, name: m":            "model.api_key_file: is missing",
		"url: https://models.example, api_key_env: K":     "model.name: is missing",
		"name: m": "model.url: is missing",
		"url: https://m.example, " + key + ", api_key_file: /k":             "model.api_key_env: is set together with api_key_file",
		"url: https://m.example, name: m, api_key_file: keys/k":             `model.api_key_file: "keys/k" is not an absolute path`,
		"url: https://m.example, name: m, api_key_env: GUARDRAILS_KEY":      "model.api_key_env: ",
		"url: https://m.example, name: m, api_key_env: CLAUDE_CODE_TOKEN":   "model.api_key_env: ",
		"url: https://m.example, name: m, api_key_env: sk-ant-123":          "never write the key itself",
		"url: https://m.example, name: m, api_key: sk":                      "model.api_key: unknown field",
		"url: https://m.example, " + key + ", timeout_ms: 100":              "model.timeout_ms: ",
		"url: https://m.example, " + key + ", timeout_ms: 10001":            "model.timeout_ms: ",
		"url: https://m.example, " + key + ", max_calls_per_hour: 0":        "model.max_calls_per_hour: ",
		"url: https://m.example, " + key + ", context_detection_timeout: x": "model.context_detection_timeout: ",
		"url: https://m.example, " + key + ", audit: sometimes":             "model.audit: ",
	} {
		l := config.Read(config.Places{User: layer(t, "model: {"+text+"}")}, from(nil))
		if got := fmt.Sprint(l.Problems().Err()); !strings.Contains(got, want) {
			t.Errorf("%s: no problem says %s in %s", text, want, got)
		}
		if got := l.Combine(false).Model.URL; got != "" {
			t.Errorf("%s: the model %s is asked", text, got)
		}
	}
}

func TestMistakesInTheSettingsOfTheOutputGuardAreReported(t *testing.T) {
	root := project(t, "output_guard:\n  mode: on\n  fail: {behavior_looping: open, behavior_self_harm: maybe}\n")
	_, problems := load(root, from(map[string]string{
		"GUARDRAILS_OUTPUT_GUARD": `{"mode": "strict"}`, "ENABLE_BEHAVIORAL_INTERVENTION": "yes", "GUARDRAILS_MODEL": "small",
	}))
	for _, want := range []string{
		`:2: output_guard.mode: "on" is not accepted; use one of off, observe, enforce`,
		":3: output_guard.fail.behavior_looping: unknown field",
		`:3: output_guard.fail.behavior_self_harm: "maybe" is not accepted; use one of open, closed`,
		`GUARDRAILS_OUTPUT_GUARD:1: mode: "strict" is not accepted`,
		`ENABLE_BEHAVIORAL_INTERVENTION: "yes" is not accepted; write true or false`,
		"GUARDRAILS_MODEL:1: ",
	} {
		if !strings.Contains(problems.Error(), want) {
			t.Errorf("no problem says %s in\n%s", want, problems.Error())
		}
	}
}

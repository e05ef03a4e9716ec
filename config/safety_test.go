//go:build unix

package config_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"guardrails/config"
)

func TestTheSafetyGateIsSetByThePersonOrTheAdministrator(t *testing.T) {
	for _, c := range []struct {
		name, managed, user, project, variable string
		trusted                                bool
		want, ignored                          string
	}{
		{name: "nothing set", want: "off"},
		{name: "a variable sets no mode", variable: `{"mode": "enforce"}`, want: "off", ignored: "safety.mode"},
		{
			name: "a variable does not hide the mode of a trusted project", project: "safety: {mode: enforce, categories: {violence: observe}}",
			variable: `{"mode": "off", "preview": "masked"}`, trusted: true, want: "enforce violence:observe", ignored: "safety.mode safety.preview",
		},
		{
			name: "the user cannot weaken the administrator's mode", managed: "safety: {mode: enforce}",
			user: "safety: {categories: {violence: off, illegal: enforce}, gates: {SocialRisk: off}, pii: {ssn: flag, ip: off, email: off}, dissent: on}",
			want: "enforce illegal:enforce ip:off no milder", ignored: "safety.categories safety.dissent safety.gates safety.pii",
		},
		{
			name: "nor can a trusted project", managed: "safety: {mode: observe}", trusted: true,
			project: "safety: {categories: {violence: false, illegal: enforce}, policies: mine.yaml}",
			want:    "observe illegal:enforce no milder", ignored: "safety.categories",
		},
		{
			name: "the administrator can", managed: "safety: {mode: enforce, gates: {SocialRisk: off}, policies: /etc/own.yaml}",
			want: "enforce SocialRisk:off",
		},
		{name: "nothing is weakened where the administrator is off", managed: "safety: {mode: off}", user: "safety: {gates: {SocialRisk: off}}", want: "off SocialRisk:off"},
		{name: "the user", user: "safety: {mode: observe}", want: "observe"},
		{name: "false means off", user: "safety: {mode: false}", want: "off"},
		{name: "the administrator", managed: "safety: {mode: enforce}", want: "enforce no milder"},
		{name: "the user cannot loosen it", managed: "safety: {mode: enforce}", user: "safety: {mode: off}", want: "enforce no milder"},
		{name: "the user can make it stricter", managed: "safety: {mode: observe}", user: "safety: {mode: enforce}", want: "enforce no milder"},
		{
			name: "a category of the administrator stays", managed: "safety: {mode: observe, categories: {violence: enforce}}",
			user: "safety: {categories: {violence: off}}", want: "observe violence:enforce no milder",
		},
		{name: "a project cannot", project: "safety: {mode: enforce}", want: "off", ignored: "safety.mode"},
		{name: "a trusted project can", project: "safety: {mode: observe}", trusted: true, want: "observe"},
		{
			name: "a trusted project cannot change the user's mode", user: "safety: {mode: observe}",
			project: "safety: {mode: off}", trusted: true, want: "observe", ignored: "safety.mode",
		},
		{
			name: "a project keeps no preview", user: "safety: {mode: observe}", project: "safety: {preview: masked}",
			want: "observe", ignored: "safety.preview",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := place(t, map[string]string{".claude/guardrails.yaml": c.project})
			env := from(map[string]string{"XDG_STATE_HOME": t.TempDir(), "GUARDRAILS_SAFETY": c.variable})
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
			mode := got.Safety.Mode
			for _, modes := range []map[string]string{got.Safety.Categories, got.Safety.Gates, got.Safety.PII} {
				for _, name := range slices.Sorted(maps.Keys(modes)) {
					mode += " " + name + ":" + modes[name]
				}
			}
			for text, is := range map[string]bool{" preview": got.Safety.Preview, " dissent": got.Safety.Dissent, " no milder": got.Safety.NoMilder} {
				if is {
					mode += text
				}
			}
			var ignored []string
			for _, i := range got.Ignored {
				ignored = append(ignored, i.Name())
			}
			slices.Sort(ignored)
			if mode != c.want || strings.Join(ignored, " ") != c.ignored {
				t.Errorf("got %q, ignored %q", mode, ignored)
			}
		})
	}
}

func TestMistakesInTheSettingsOfTheSafetyGateAreReported(t *testing.T) {
	root := project(t, `safety:
  mode: on
  categories: {violence: block, anger: off}
  gates: {OverclaimGate: loud}
  pii: {email: hide}
  dissent: maybe
  preview: all
  policies: 3
`)
	_, problems := load(root, from(map[string]string{"GUARDRAILS_SAFETY": `{"mode": "strict"}`}))
	for _, want := range []string{
		`:2: safety.mode: "on" is not accepted; use one of off, observe, enforce`,
		`:3: safety.categories.violence: "block" is not accepted; use one of off, observe, enforce`,
		":3: safety.categories.anger: unknown field",
		`:4: safety.gates.OverclaimGate: "loud" is not accepted; use one of off, observe, enforce`,
		`:5: safety.pii.email: "hide" is not accepted; use one of mask, flag, off`,
		`:6: safety.dissent: "maybe" is not accepted; use one of off, on`,
		`:7: safety.preview: "all" is not accepted; use one of off, masked`,
		":8: safety.policies: is a number where a string is expected",
		`GUARDRAILS_SAFETY:1: mode: "strict" is not accepted; use one of off, observe, enforce`,
	} {
		if !strings.Contains(problems.Error(), want) {
			t.Errorf("no problem says %s in\n%s", want, problems.Error())
		}
	}
}

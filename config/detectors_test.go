//go:build unix

package config_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/config"
	"guardrails/config/trust"
)

func TestDetectorsAreSetInTheFileOrAVariable(t *testing.T) {
	all := usualDetectors()
	all.Rumination, all.Hyperfocus, all.Sycophancy, all.ToolLoop = "note", "note", "counter", "ask"
	all.PatternsOff = []string{"praise_without_evidence"}
	all.WindowMinutes, all.ThresholdCount, all.SimilarityThreshold = 60, 4, 0.75
	all.BreakMinutes, all.EndOfDay, all.PauseMinutes = 60, "18:30", 30
	all.FeedbackURL = "https://github.com/you/project/issues/new"
	off := usualDetectors()
	off.ToolLoop = config.Off
	for _, c := range []struct {
		name, text, variable string
		want                 config.Detectors
	}{
		{name: "nothing set", want: usualDetectors()},
		{
			name: "every field in the file", want: all,
			text: `detectors: {rumination: note, hyperfocus: note, sycophancy: counter, tool_loop: ask,
  sycophancy_patterns: {praise_without_evidence: off, escalating_validation: on}, window_minutes: 60, threshold_count: 4,
  similarity_threshold: 0.75, break_minutes: 60, end_of_day: 18:30, pause_minutes: 30,
  feedback_url: "https://github.com/you/project/issues/new", record: false}`,
		},
		{
			name: "every field in the variable", want: all,
			variable: `{"rumination": "note", "hyperfocus": "note", "sycophancy": "counter", "tool_loop": "ask",
				"sycophancy_patterns": {"praise_without_evidence": false}, "window_minutes": 60, "threshold_count": 4,
				"similarity_threshold": 0.75, "break_minutes": 60, "end_of_day": "18:30", "pause_minutes": 30,
				"feedback_url": "https://github.com/you/project/issues/new", "record": false}`,
		},
		{name: "false means off", text: "detectors: {tool_loop: false, sycophancy: false}", want: off},
		{name: "the word off", text: "detectors: {tool_loop: off}", want: off},
		{name: "all off in the file", text: "detectors: off", want: off},
		{name: "all off in the variable", text: "detectors: {rumination: note}", variable: "off", want: off},
		{name: "a variable replaces the file", text: "detectors: {rumination: note}", variable: `{"tool_loop": "off"}`, want: off},
		{name: "no end of day", text: `detectors: {end_of_day: ""}`, want: usualDetectors()},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, problems := load(project(t, c.text), from(map[string]string{"GUARDRAILS_DETECTORS": c.variable}))
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			c.want.NamesToolLoop = got.Detectors.NamesToolLoop
			if !reflect.DeepEqual(got.Detectors, c.want) {
				t.Errorf("got  %+v\nwant %+v", got.Detectors, c.want)
			}
		})
	}
}

func TestPersonalDataOnTheScreenIsMaskedIfASettingSaysSo(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "display: {mask: on}": true, "display: {mask: true}": true, "display: {mask: off}": false,
		"display: {}": false,
	} {
		if got, problems := load(project(t, text), from(nil)); got.Display.Mask != want || problems.Err() != nil {
			t.Errorf("%q: %v, %v", text, got.Display.Mask, problems)
		}
	}
	variables := map[string]string{"GUARDRAILS_DISPLAY": `{"mask": "on"}`}
	if got, problems := load(project(t, ""), from(variables)); !got.Display.Mask || problems.Err() != nil {
		t.Errorf("the variable: %v, %v", got.Display.Mask, problems)
	}
}

func TestOnlyDetectorsThatSettingsSwitchOnAreListedAsTools(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "",
		"detectors: {rumination: note}": "check_rumination",
		"detectors: {hyperfocus: note, sycophancy: counter}": "check_hyperfocus check_sycophancy",
		"detectors: {tool_loop: note}":                       "check_tool_loop",
		"detectors: {tool_loop: off}":                        "",
		"detectors: off":                                     "",
	} {
		got, problems := load(project(t, text), from(nil))
		if tools := strings.Join(got.Detectors.Tools(), " "); tools != want || problems.Err() != nil {
			t.Errorf("%q: %q, %v", text, tools, problems)
		}
	}
}

func TestMistakesInTheSettingsOfDetectorsAreReportedAndTheRestApplies(t *testing.T) {
	root := project(t, `detectors:
  rumination: ask
  hyperfocus: note
  sycophancy: true
  tool_loop: 3
  sycophancy_patterns: {praise: off}
  window_minutes: 0
  similarity_threshold: 1.5
  end_of_day: 8:30
  record: maybe
  rumnation: note
display: {mask: note}
`)
	got, problems := load(root, from(map[string]string{"GUARDRAILS_DISPLAY": `{"mask": 1}`}))
	want := []string{
		`FILE:2: detectors.rumination: "ask" is not accepted; use one of off, note`,
		`FILE:4: detectors.sycophancy: "on" is not accepted; use one of off, note, counter`,
		"FILE:5: detectors.tool_loop: is a number where a string is expected; write a string",
		"FILE:6: detectors.sycophancy_patterns.praise: unknown field; remove it; the known fields are repeated_reassurance_request, " +
			"unconditional_agreement, praise_without_evidence, escalating_validation",
		"FILE:7: detectors.window_minutes: 0 is not a whole number between 1 and 1440; change it",
		"FILE:8: detectors.similarity_threshold: is not a number from 0 to 1; write a number such as 0.55",
		`FILE:9: detectors.end_of_day: "8:30" is not a time of day; write one such as "18:30"`,
		"FILE:10: detectors.record: is a string where a boolean is expected; write a boolean",
		`FILE:11: detectors.rumnation: unknown field; did you mean "rumination"?`,
		`FILE:12: display.mask: "note" is not accepted; use one of off, on`,
		"GUARDRAILS_DISPLAY:1: mask: is a number where a string is expected; write a string",
	}
	if text := strings.ReplaceAll(problems.Error(), filepath.Join(root, config.File), "FILE"); text != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", text, strings.Join(want, "\n"))
	}
	rest := usualDetectors()
	rest.Hyperfocus = config.Note
	if !reflect.DeepEqual(got.Detectors, rest) {
		t.Errorf("got %+v", got.Detectors)
	}
}

// modes() describes the settings of the detectors in one line.
func modes(c *config.Config) string {
	t := &c.Detectors
	text := t.Rumination + " " + t.Hyperfocus + " " + t.Sycophancy + " " + t.ToolLoop
	if t.Record {
		text += " record"
	}
	if c.Display.Mask {
		text += " mask"
	}
	return text
}

func TestTheUsersDetectorsApplyBeforeThoseOfTheProject(t *testing.T) {
	for _, c := range []struct {
		name, managed, user, project string
		variable, client             string
		trusted                      bool
		want                         string
		ignored                      string
	}{
		{
			name: "only a project", project: "detectors: {rumination: note, record: true}", want: "note off off note",
			ignored: "detectors.record",
		},
		{
			name: "only a trusted project", project: "detectors: {rumination: note, record: true}", trusted: true,
			want: "note off off note record",
		},
		{name: "a variable cannot record a person", variable: `{"record": true}`, want: "off off off note", ignored: "detectors.record"},
		{name: "only the user", user: "detectors: {rumination: note, record: true}", want: "note off off note record"},
		{
			name: "a project cannot switch off what the user switched on", user: "detectors: {rumination: note}",
			project: "detectors: {rumination: off}", want: "note off off note", ignored: "detectors.rumination",
		},
		{
			name: "nor the other way", user: "detectors: {rumination: off}", trusted: true,
			project: "detectors: {rumination: note}", want: "off off off note", ignored: "detectors.rumination",
		},
		{
			name: "the same value is no conflict", user: "detectors: {rumination: off}",
			project: "detectors: {rumination: false}", want: "off off off note",
		},
		{
			name: "a project sets what the user leaves open", user: "detectors: {rumination: note}",
			project: "detectors: {hyperfocus: note, tool_loop: ask}", want: "note note off ask",
		},
		{
			name: "a project cannot record a person", user: "detectors: {rumination: note}",
			project: "detectors: {record: true}", want: "note off off note", ignored: "detectors.record",
		},
		{
			name: "a project cannot switch off the loops of a user with guidelines", user: "strict: true",
			project: "detectors: {tool_loop: off}", want: "off off off note", ignored: "detectors.tool_loop",
		},
		{
			name: "a trusted project can", user: "strict: true", trusted: true,
			project: "detectors: {tool_loop: off}", want: "off off off off",
		},
		{
			name: "the user's value applies before the administrator's", managed: "detectors: {rumination: note, sycophancy: note}",
			user: "detectors: {rumination: off}", want: "off off note note",
		},
		{
			name: "the administrator's question about loops stays", managed: "detectors: {tool_loop: ask}",
			user: "detectors: {tool_loop: off}", want: "off off off ask",
		},
		{
			name: "the administrator's value applies before the project's", managed: "detectors: {rumination: off}",
			project: "detectors: {rumination: note}", want: "off off off note", ignored: "detectors.rumination",
		},
		{
			name: "the variable switches off the user's detectors", user: "detectors: {rumination: note}", variable: "off",
			want: "off off off off",
		},
		{
			name: "but not if the project's client settings have it", user: "detectors: {rumination: note}", variable: "off",
			client: `{"env": {"GUARDRAILS_DETECTORS": "off"}}`, want: "note off off note", ignored: "GUARDRAILS_DETECTORS",
		},
		{
			name: "a project without a user's file can have it there", variable: "off",
			client: `{"env": {"GUARDRAILS_DETECTORS": "off"}}`, want: "off off off off",
		},
		{
			name: "a variable counts as the project's", user: "detectors: {rumination: note}",
			variable: `{"rumination": "off", "record": true}`, want: "note off off note",
			ignored: "detectors.record detectors.rumination",
		},
		{
			name: "the user's mask applies", user: "display: {mask: on}", project: "display: {mask: off}",
			want: "off off off note mask", ignored: "display.mask",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := place(t, map[string]string{".claude/guardrails.yaml": c.project, ".claude/settings.json": c.client})
			env := from(map[string]string{"XDG_STATE_HOME": t.TempDir(), "GUARDRAILS_DETECTORS": c.variable})
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
			var ignored []string
			for _, i := range got.Ignored {
				ignored = append(ignored, i.Name())
			}
			slices.Sort(ignored)
			if modes(&got) != c.want || strings.Join(ignored, " ") != c.ignored {
				t.Errorf("got %q, ignored %q", modes(&got), ignored)
			}
		})
	}
}

// layer() writes the settings of a layer into a new folder. If the text is empty, there is no file.
func layer(t *testing.T, text string) string {
	if text == "" {
		return place(t, nil)
	}
	return place(t, map[string]string{"guardrails.yaml": text})
}

func trustProject(t *testing.T, env func(string) string, root string) {
	t.Helper()
	hash, err := trust.Hash(root)
	if err == nil {
		err = trust.Trust(env, root, hash, time.Now())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestAFileWithOnlyPersonalSettingsMakesNoLayer(t *testing.T) {
	for text, want := range map[string]bool{
		"detectors: {rumination: note}\ndisplay: {mask: on}\n": false,
		"detectors: {rumination: note}\nstrict: false\n":       true,
		"detectors: {rumination: ask}\n":                       true,
		"# nothing\n":                                          true,
	} {
		user := place(t, map[string]string{"guardrails.yaml": text})
		l := config.Read(config.Places{User: user, Root: place(t, nil)}, from(nil))
		if l.HasHigher() != want {
			t.Errorf("%q: HasHigher is %v", text, !want)
		}
	}
}

func TestOnlyThePageOfAWebSiteTakesReports(t *testing.T) {
	for text, want := range map[string]bool{
		"https://github.com/you/project/issues/new?labels=false%20alarm": true, "https://a.b": true, `""`: true,
		"http://a.b/new": false, "a.b/new": false, "javascript:alert(1)": false, "https://me:secret@a.b": false, "https:///new": false,
		`"https://a.b/\nnew"`: false, `"https://a.b/x y"`: false, "https://a.b/" + strings.Repeat("x", 300): false, "5": false,
	} {
		_, problems := load(project(t, "detectors: {feedback_url: "+text+"}"), from(nil))
		if ok := problems.Err() == nil; ok != want {
			t.Errorf("%s: %v", text, problems)
		}
	}
}

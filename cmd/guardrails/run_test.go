package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"testing"

	"guardrails/detect/toolcall"
	"guardrails/rules"
)

// invoke runs a command line in an empty project.
func invoke(t *testing.T, line string) (stdout, stderr string, code exitCode) {
	t.Helper()
	return newSession(t, map[string]string{}).run(line)
}

func TestTheSchemaIsThatOfTheRules(t *testing.T) {
	stdout, _, code := invoke(t, "guardrails schema")
	if code != done || stdout != string(rules.Schema()) {
		t.Errorf("exit %d, %d bytes", code, len(stdout))
	}
}

func TestEveryEventIsListed(t *testing.T) {
	shown, _, _ := invoke(t, "guardrails events")
	encoded, _, _ := invoke(t, "guardrails events -o json")
	var list []toolcall.EventInfo
	if err := json.Unmarshal([]byte(encoded), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != len(toolcall.Events()) {
		t.Errorf("got %d events", len(list))
	}
	for _, e := range toolcall.Events() {
		if !strings.Contains(shown, string(e.Event)+" ") {
			t.Errorf("%s is not listed", e.Event)
		}
	}
}

func TestPacksAreListedAndShown(t *testing.T) {
	list, _, _ := invoke(t, "guardrails packs")
	for _, p := range rules.Packs() {
		if !strings.Contains(list, p.Name+" ") || !strings.Contains(list, p.Description) {
			t.Errorf("%s is not listed", p.Name)
		}
		source, err := rules.PackSource(p.Name)
		if err != nil {
			t.Fatal(err)
		}
		if shown, _, _ := invoke(t, "guardrails packs "+p.Name); shown != string(source) {
			t.Errorf("%s is not shown as it is written", p.Name)
		}
		encoded, _, _ := invoke(t, "guardrails packs -o json "+p.Name)
		file, problems := rules.Parse(p.Name+".json", []byte(encoded))
		if err := problems.Err(); err != nil || len(file.Guidelines) == 0 {
			t.Errorf("%s as JSON: %d guidelines, %v", p.Name, len(file.Guidelines), err)
		}
	}
}

func TestEveryShellGetsACompletionScript(t *testing.T) {
	for _, shell := range shells() {
		if script, stderr, code := invoke(t, "guardrails completion "+shell); code != done || !strings.Contains(script, "__complete") {
			t.Errorf("%s: exit %d, %d bytes, %s", shell, code, len(script), stderr)
		}
	}
}

func TestVersionTellsTheBuild(t *testing.T) {
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}}}
	info.Main.Version = "v1.2.3"
	if b := newBuild("", info); b.Version != "v1.2.3" || b.Commit != "abc" || !b.Modified || b.Go == "" {
		t.Errorf("got %+v", b)
	}
	if b := newBuild("v9", info); b.Version != "v9" {
		t.Errorf("the linker's version is not taken: %+v", b)
	}
	if b := newBuild("", nil); b.Version != "(devel)" {
		t.Errorf("got %+v", b)
	}
	var p printer
	b := newBuild("v9", info)
	if p.build(&b); !strings.Contains(p.String(), "guardrails v9\n") || !strings.Contains(p.String(), "abc with changes") {
		t.Errorf("got %s", p.String())
	}
}

// manyValues is a guideline whose values combine to more contexts than are asked.
func manyValues() string {
	var b strings.Builder
	b.WriteString("id: many\nname: Many values\ncategory: custom\ncondition:\n")
	for _, field := range []string{"agents", "domains", "actions"} {
		b.WriteString("  " + field + ": [a0")
		for i := 1; i < 30; i++ {
			fmt.Fprintf(&b, ", a%d", i)
		}
		b.WriteString("]\n")
	}
	b.WriteString("action: {type: tool_restriction, tools_denied: [Write")
	for i := range 200 {
		fmt.Fprintf(&b, ", Write(src/%d/*)", i)
	}
	b.WriteString("]}\n")
	return b.String()
}

func TestAComparisonIsBoundedAndSaysSo(t *testing.T) {
	s := newSession(t, map[string]string{"many.yaml": manyValues()})
	stdout, stderr, code := s.run("guardrails diff many.yaml many.yaml")
	const want = "5000 questions asked (there are more; give those that matter by --contexts), 0 changes in the answers\n"
	if code != done || stdout != want {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
}

type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func (closedPipe) Read([]byte) (int, error) { return 0, errors.New("broken") }

func TestAnswersThatCannotBeWrittenFail(t *testing.T) {
	var stderr bytes.Buffer
	code := run([]string{"packs"}, &world{stdout: closedPipe{}, stderr: &stderr, env: func(string) string { return "" }})
	if code != failed || !strings.HasPrefix(stderr.String(), "stdout: cannot be written") {
		t.Errorf("exit %d: %s", code, stderr.String())
	}
}

func TestStdinThatCannotBeReadFails(t *testing.T) {
	var stderr bytes.Buffer
	code := run([]string{"detect", "-"}, &world{stdin: closedPipe{}, stdout: io.Discard, stderr: &stderr, env: func(string) string { return "" }})
	if code != failed || !strings.HasPrefix(stderr.String(), "stdin: cannot be read") {
		t.Errorf("exit %d: %s", code, stderr.String())
	}
}

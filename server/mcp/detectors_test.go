package mcp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/detect/contract"
	"guardrails/internal/fortests/detectorcases"
	"guardrails/server/access"
	"guardrails/server/mcp"
)

func TestDetectorsAreListedOnlyWhereTheOptionsSaySo(t *testing.T) {
	root, env := project(t)
	listed := mcp.New(mcp.Options{Service: serviceAt(root, env), Version: "1.2.3", Detectors: listing(contract.Names())})
	checkGolden(t, "tools_detectors", onlyDetectors(t, ask(t, listed, "tools/list", `{}`)))
	plain := string(ask(t, newServer(t), "tools/list", `{}`))
	for _, name := range contract.Names() {
		if strings.Contains(plain, name) {
			t.Errorf("%s is listed", name)
		}
		if got := call(t, newServer(t), name, `{}`); !got.IsError || !strings.HasPrefix(got.Content[0].Text, "INPUT_") {
			t.Errorf("%s does not answer: %+v", name, got)
		}
		message := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + name + `","arguments":{}}}`
		if got := postAs(access.Read, listed, message).Body.String(); !strings.Contains(got, `needs the role \"decide\"`) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// onlyDetectors returns a list of tools without the tools that are listed everywhere.
func onlyDetectors(t *testing.T, list []byte) []byte {
	t.Helper()
	var all struct{ Tools []json.RawMessage }
	check(t, json.Unmarshal(list, &all))
	all.Tools = slices.DeleteFunc(all.Tools, func(tool json.RawMessage) bool {
		var named struct{ Name string }
		check(t, json.Unmarshal(tool, &named))
		return !slices.Contains(contract.Names(), named.Name)
	})
	text, err := json.Marshal(map[string]any{"tools": all.Tools})
	check(t, err)
	return text
}

func TestDetectorsAnswerOverMCPAsTheContractSays(t *testing.T) {
	s := newServer(t)
	file := detectorcases.Load(t, "../../detect/testdata/detectors.json")
	for _, c := range file.Detectors {
		got := call(t, s, c.Tool, string(c.Arguments(t)))
		if len(c.ExpectError) == 0 {
			checkAnswer(t, c.ID, c.Expect, &got)
			continue
		}
		lines := strings.Split(got.Content[0].Text, "\n")
		if !got.IsError || len(lines) != len(c.ExpectError) {
			t.Errorf("%s: %+v", c.ID, got)
		}
		for _, want := range c.ExpectError {
			start := want.Code + ": "
			if want.Path != "" {
				start += want.Path + ": "
			}
			if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, start) }) {
				t.Errorf("%s: no line begins with %q: %q", c.ID, start, lines)
			}
		}
	}
	for _, c := range file.ToolLoops {
		got := call(t, s, contract.ToolLoop, string(detectorcases.LoopArguments(c.Calls)))
		checkAnswer(t, c.ID, c.Expect, &got)
	}
}

func checkAnswer(t *testing.T, id string, expect map[string]any, got *called) {
	t.Helper()
	if got.IsError {
		t.Fatalf("%s: %+v", id, got)
	}
	text, err := json.Marshal(got.StructuredContent)
	check(t, err)
	detectorcases.Check(t, id, expect, text)
}

func TestCallsOfDetectorsAreNotCounted(t *testing.T) {
	root, env := project(t)
	var counted []string
	s := mcp.New(mcp.Options{
		Service: serviceAt(root, env), Observe: func(tool string, _ bool, _ time.Duration) { counted = append(counted, tool) },
	})
	call(t, s, contract.Sycophancy, `{"candidate_response": "Yes, do it."}`)
	call(t, s, "guardrails_list", `{}`)
	if !slices.Equal(counted, []string{"guardrails_list"}) {
		t.Errorf("counted: %v", counted)
	}
}

package mcp_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"guardrails/server/mcp"
)

// onStdio sends one message to a server that answers hooks. It returns the answer and the arguments that the hook
// received.
func onStdio(t *testing.T, message string) (answer called, seen []string) {
	t.Helper()
	root, env := project(t)
	s := mcp.New(mcp.Options{Service: serviceAt(root, env), Hook: func(arguments []byte) []byte {
		seen = append(seen, string(arguments))
		return []byte(`{"systemMessage":"<seen>"}`)
	}})
	var out bytes.Buffer
	check(t, s.Stdio(asAdmin(t.Context()), strings.NewReader(message+"\n"), &out))
	var r struct {
		Result called
		Error  *struct{ Message string }
	}
	check(t, json.Unmarshal(out.Bytes(), &r))
	if r.Error != nil {
		r.Result.IsError, r.Result.Content = true, []struct{ Type, Text string }{{"text", r.Error.Message}}
	}
	return r.Result, seen
}

const hookArguments = `{"hook_event_name":"PreToolUse","tool_input":"{\"a\":\"\\u003c\"}"}`

func TestAHookCallReturnsTheOutputOfTheHook(t *testing.T) {
	for _, message := range []string{
		`{"method":"tools/call","params":{"name":"guardrails_hook","arguments":` + hookArguments +
			`},"jsonrpc":"2.0","id":3}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"_meta":{"progressToken":3},"arguments":` + hookArguments +
			`,"name":"guardrails_hook"}}`,
	} {
		got, seen := onStdio(t, message)
		if got.IsError || len(got.Content) != 1 || got.Content[0].Text != `{"systemMessage":"<seen>"}` || len(seen) != 1 ||
			seen[0] != hookArguments {
			t.Errorf("%s: %+v, %q", message, got, seen)
		}
	}
}

// The client marks a model's call with the id of the tool use. This test also has messages that name the tool but do
// not call it.
func TestOnlyHookCallsRunTheHook(t *testing.T) {
	for message, want := range map[string]string{
		`{"method":"tools/call","params":{"name":"guardrails_hook","arguments":{},"_meta":{"claudecode/toolUseId":"t","progressToken":3}},"jsonrpc":"2.0","id":3}`: "nothing was done",
		`{"method":"tools/call","params":{"name":"guardrails_hook","arguments":{},"_meta":{"claudecode\u002ftoolUseId":"t"}},"jsonrpc":"2.0","id":3}`:              "nothing was done",
		`{"method":"tools/call","params":{"name":"guardrails_get","arguments":{"id":"guardrails_hook"}},"jsonrpc":"2.0","id":3}`:                                   "there is no guideline",
		`{"method":"tools/call","params":"guardrails_hook","jsonrpc":"2.0","id":3}`:                                                                                "",
		`{"method":"guardrails_hook","jsonrpc":"2.0","id":3}`:                                                                                                      "not found",
	} {
		got, seen := onStdio(t, message)
		if len(seen) != 0 || !got.IsError || len(got.Content) != 1 || !strings.Contains(got.Content[0].Text, want) {
			t.Errorf("%s: %+v, %q", message, got, seen)
		}
	}
}

func TestTheHookToolIsUnknownWithoutAHook(t *testing.T) {
	s := newServer(t)
	if list := string(ask(t, s, "tools/list", `{}`)); strings.Contains(list, mcp.HookTool) {
		t.Errorf("the hook tool is listed: %s", list)
	}
	w := post(s, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"guardrails_hook","arguments":{}}}`)
	if !strings.Contains(w.Body.String(), "not found") {
		t.Errorf("got %s", w.Body)
	}
}

func FuzzHookCall(f *testing.F) {
	f.Add([]byte(`{"method":"tools/call","params":{"name":"guardrails_hook","arguments":{"a":"b"}},"jsonrpc":"2.0","id":3}`))
	f.Add([]byte(`{"method":"tools/call","params":{"name":"guardrails_hook","_meta":{"claudecode/toolUseId":"t"}},"jsonrpc":"2.0","id":3}`))
	f.Add([]byte(`{"guardrails_hook":[`))
	s := mcp.New(mcp.Options{Hook: func([]byte) []byte { return []byte("{}") }})
	f.Fuzz(func(t *testing.T, message []byte) {
		answer, ok := s.AsHook(message)
		if !ok || !json.Valid(message) {
			return
		}
		if !json.Valid(answer) || modelMade(message) && !bytes.Contains(answer, []byte("isError")) {
			t.Errorf("%s: %s", message, answer)
		}
	})
}

// modelMade reports whether a message has the id of a model's tool use.
func modelMade(message []byte) bool {
	var outer, params, meta map[string]json.RawMessage
	if json.Unmarshal(message, &outer) != nil || json.Unmarshal(outer["params"], &params) != nil ||
		json.Unmarshal(params["_meta"], &meta) != nil {
		return false
	}
	_, is := meta["claudecode/toolUseId"]
	return is
}

package fakemodel_test

import (
	"encoding/json"
	"strings"
	"testing"

	"guardrails/setup/claude/fakemodel"
)

// The client reads a turn as a stream of events. The expected text has the format of the real API.
func TestTurnIsStreamedAsMessagesAPIEvents(t *testing.T) {
	model := fakemodel.New(fakemodel.Thread{func(*fakemodel.Request) fakemodel.Reply {
		return fakemodel.Reply{Text: "I look.", Calls: []fakemodel.Call{fakemodel.Bash("ls").Named("toolu_1")}}
	}})
	_, body := newTalk(t, model, "begin").post(true)
	var kinds []string
	for event := range strings.SplitSeq(strings.TrimSpace(body), "\n\n") {
		name, data, ok := strings.Cut(event, "\ndata: ")
		var content struct {
			Type  string `json:"type"`
			Delta struct {
				Text        string `json:"text"`
				PartialJSON string `json:"partial_json"`
				StopReason  string `json:"stop_reason"`
			} `json:"delta"`
		}
		if err := json.Unmarshal([]byte(data), &content); err != nil || !ok || name != "event: "+content.Type {
			t.Fatalf("not an event: %q (%v)", event, err)
		}
		kinds = append(kinds, strings.TrimSpace(content.Type+" "+content.Delta.Text+content.Delta.PartialJSON+content.Delta.StopReason))
	}
	want := []string{
		"message_start",
		"content_block_start", "content_block_delta I look.", "content_block_stop",
		"content_block_start", `content_block_delta {"command":"ls","description":"a step of the script"}`, "content_block_stop",
		"message_delta tool_use", "message_stop",
	}
	if got := strings.Join(kinds, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("the events are\n%s", got)
	}
}

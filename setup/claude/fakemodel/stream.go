package fakemodel

import (
	"encoding/json"
	"fmt"
	"net/http"
)

type object = map[string]any

// answer() writes a reply in the format of the Messages API. It writes a stream of events or one document, whichever
// the client asked for.
func answer(w http.ResponseWriter, r *Request, reply Reply) {
	message := messageOf(r, reply)
	if !r.Stream {
		w.Header().Set("Content-Type", "application/json")
		write(w, message)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events(message) {
		_, _ = fmt.Fprintf(w, "event: %s\ndata: ", e["type"])
		write(w, e)
		_, _ = fmt.Fprint(w, "\n")
	}
}

// write() sends a JSON document. It ignores encoding errors. If the connection is broken, the client notices this
// itself.
func write(w http.ResponseWriter, document object) { _ = json.NewEncoder(w).Encode(document) }

func messageOf(r *Request, reply Reply) object {
	return object{
		"id": fmt.Sprintf("msg_%s_%d", r.Thread, r.Turn), "type": "message", "role": roleAssistant, "model": r.model,
		"content": contentOf(reply), "stop_reason": stopReason(reply), "stop_sequence": nil,
		"usage": object{"input_tokens": 1, "output_tokens": 1},
	}
}

func contentOf(reply Reply) []object {
	content := []object{}
	if reply.Text != "" {
		content = append(content, object{"type": typeText, "text": reply.Text})
	}
	for _, call := range reply.Calls {
		content = append(content, object{"type": typeToolUse, "id": call.ID, "name": call.Name, "input": call.Input})
	}
	return content
}

func stopReason(reply Reply) string {
	if len(reply.Calls) > 0 {
		return "tool_use"
	}
	return "end_turn"
}

// events() splits a message into the events of a stream.
func events(message object) []object {
	blocks, _ := message["content"].([]object)
	start := object{}
	for key, value := range message {
		start[key] = value
	}
	start["content"], start["stop_reason"] = []object{}, nil
	list := []object{{"type": "message_start", "message": start}}
	for i, block := range blocks {
		list = append(list, blockEvents(i, block)...)
	}
	return append(list,
		object{
			"type":  "message_delta",
			"delta": object{"stop_reason": message["stop_reason"], "stop_sequence": nil},
			"usage": object{"output_tokens": 1},
		},
		object{"type": "message_stop"})
}

func blockEvents(index int, block object) []object {
	empty, delta := object{"type": typeText, "text": ""}, object{"type": "text_delta", "text": block["text"]}
	if block["type"] == typeToolUse {
		// Inputs consist of maps and strings, so encoding cannot fail.
		input, _ := json.Marshal(block["input"])
		empty = object{"type": typeToolUse, "id": block["id"], "name": block["name"], "input": object{}}
		delta = object{"type": "input_json_delta", "partial_json": string(input)}
	}
	return []object{
		{"type": "content_block_start", "index": index, "content_block": empty},
		{"type": "content_block_delta", "index": index, "delta": delta},
		{"type": "content_block_stop", "index": index},
	}
}

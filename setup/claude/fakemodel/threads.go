package fakemodel

import (
	"fmt"
	"slices"
	"strings"
)

const (
	// MainThread is the name of the conversation with the user.
	MainThread = "main"
	// SideThread has the requests that the client makes for itself, for example to get a title. Such requests offer no
	// tools.
	SideThread = "side"
)

// The type "threads" finds the thread of each request.
type threads struct {
	steps map[string]Thread
	// The map "prompts" has the prompt of each subagent as a key, and the subagent's thread as the value. In every
	// version of the client, the subagent's first message contains the prompt of the script.
	prompts map[string]string
}

func newThreads(main Thread) *threads {
	return &threads{steps: map[string]Thread{MainThread: main}, prompts: map[string]string{}}
}

// step() sets the request's thread and returns its next step.
func (t *threads) step(r *Request) (Step, error) {
	if len(r.Tools) == 0 {
		r.Thread = SideThread
		return Say("{}"), nil
	}
	r.Thread = t.thread(r)
	steps, known := t.steps[r.Thread]
	if !known {
		return Say(Idle), fmt.Errorf("a subagent that the script did not start sent a request: %.200q", r.opening())
	}
	if r.Turn >= len(steps) {
		return Say(Idle), nil
	}
	return steps[r.Turn], nil
}

func (t *threads) thread(r *Request) string {
	for _, text := range r.opening() {
		if name, ok := t.prompts[strings.TrimSpace(text)]; ok {
			return name
		}
	}
	if marked(r) {
		return ""
	}
	return MainThread
}

// marked() reports whether the client has marked a request as sent by a subagent. Not every version of the client marks
// such requests.
func marked(r *Request) bool {
	return slices.ContainsFunc(r.Said(), func(text string) bool {
		return strings.HasPrefix(text, "x-anthropic-billing-header:") && strings.Contains(text, "cc_is_subagent=true")
	})
}

// started() adds missing ids to the calls of a reply, and records the subagents that the calls start.
func (t *threads) started(r *Request, reply *Reply) error {
	reply.Calls = slices.Clone(reply.Calls)
	for i := range reply.Calls {
		call := &reply.Calls[i]
		if call.ID == "" {
			call.ID = fmt.Sprintf("toolu_%s_%d_%d", strings.TrimPrefix(r.Thread, "toolu_"), r.Turn, i)
		}
		if call.Subagent == nil {
			continue
		}
		if err := t.start(call); err != nil {
			return err
		}
	}
	return nil
}

func (t *threads) start(call *Call) error {
	prompt := strings.TrimSpace(promptOf(call))
	if other, taken := t.prompts[prompt]; taken && other != call.ID {
		return fmt.Errorf("the calls %s and %s start subagents with the same prompt %.80q; give each its own",
			other, call.ID, prompt)
	}
	t.prompts[prompt] = call.ID
	t.steps[call.ID] = call.Subagent
	return nil
}

func promptOf(call *Call) string {
	input, _ := call.Input.(map[string]any)
	prompt, _ := input["prompt"].(string)
	return prompt
}

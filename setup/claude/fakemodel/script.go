// Package fakemodel plays the model of a Claude Code client. It is a server on the loopback interface that answers with
// the steps of a script. It keeps every request, so that a test can check what the model received.
//
// The first function to read is Start. A script is a Thread of Steps for the main thread. A call made with Agent
// contains the subagent's own Thread.
package fakemodel

// Thread is one conversation of the model, with one Step per turn. After the last step, the model answers with the text
// in the constant Idle and ends its turn.
type Thread []Step

// Step is one turn of the model. It receives the request that it answers. If threads are concurrent, their steps run
// concurrently.
type Step func(*Request) Reply

// Reply is one turn: a text, followed by tool calls.
type Reply struct {
	Text  string
	Calls []Call
}

// Call is a tool call.
type Call struct {
	// ID identifies the call in requests, hooks and transcripts. If ID is empty, the model makes an id from the thread's
	// name, the turn and the position of the call, such as toolu_main_0_1.
	ID    string
	Name  string
	Input any
	// Subagent is the thread of the subagent that this call starts.
	Subagent Thread
}

// Idle is the text of the model after the last step of its script.
const Idle = "There is nothing more to do."

// Say returns a step that ends the turn with a text.
func Say(text string) Step {
	return func(*Request) Reply { return Reply{Text: text} }
}

// Use returns a step that makes all calls in one turn.
func Use(calls ...Call) Step {
	return func(*Request) Reply { return Reply{Calls: calls} }
}

// Bash returns a call that runs a command.
func Bash(command string) Call {
	return Call{Name: "Bash", Input: map[string]any{"command": command, "description": "a step of the script"}}
}

// Write returns a call that writes a file. The client requires an absolute path.
func Write(path, content string) Call {
	return Call{Name: "Write", Input: map[string]any{"file_path": path, "content": content}}
}

// Read returns a call that reads a file. The client requires an absolute path.
func Read(path string) Call {
	return Call{Name: "Read", Input: map[string]any{"file_path": path}}
}

// Edit returns a call that replaces text in a file. The client accepts the call only if the model has already read the
// file.
func Edit(path, old, replacement string) Call {
	return Call{Name: "Edit", Input: map[string]any{"file_path": path, "old_string": old, "new_string": replacement}}
}

// Agent returns a call that starts a subagent and waits for it. The prompt identifies the subagent's requests, so it
// must differ from the prompts of other subagents in the script.
func Agent(kind, prompt string, steps ...Step) Call {
	return agent(kind, prompt, false, steps)
}

// Background is like Agent, but the subagent runs at the same time as its parent.
func Background(kind, prompt string, steps ...Step) Call {
	return agent(kind, prompt, true, steps)
}

func agent(kind, prompt string, background bool, steps []Step) Call {
	// A subagent without steps answers with the text in the constant Idle.
	return Call{Name: "Agent", Subagent: append(Thread{}, steps...), Input: map[string]any{
		"description": "a step of the script", "prompt": prompt, "subagent_type": kind, "run_in_background": background,
	}}
}

// Named returns a copy of the call. The copy has the given id.
func (c Call) Named(id string) Call {
	c.ID = id
	return c
}

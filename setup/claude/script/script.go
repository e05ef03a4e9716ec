// Package script plays the model that a Claude Code client talks to: a server on loopback that answers with the steps of
// a script, and keeps every request, so that a test can check what the model received.
//
// Start with Start. A script is a Thread of Steps for the main thread; a call made with Agent contains the subagent's
// own Thread.
package script

// Thread is one conversation of the model, with one Step per turn. After the last step the model says Idle and ends its
// turn.
type Thread []Step

// Step is one turn of the model. It receives the request that it answers. Steps of concurrent threads run concurrently.
type Step func(*Request) Reply

// Reply is one turn: a text, followed by tool calls.
type Reply struct {
	Text  string
	Calls []Call
}

// Call is a tool call.
type Call struct {
	// ID identifies the call in requests, hooks and transcripts. Without one, it is made from the thread's name, the
	// turn and the position of the call, such as toolu_main_0_1.
	ID    string
	Name  string
	Input any
	// Subagent is the thread of the subagent that this call starts.
	Subagent Thread
}

// Idle is what the model says after the end of its script.
const Idle = "There is nothing more to do."

// Say ends the turn with a text.
func Say(text string) Step {
	return func(*Request) Reply { return Reply{Text: text} }
}

// Use calls tools, all in one turn.
func Use(calls ...Call) Step {
	return func(*Request) Reply { return Reply{Calls: calls} }
}

// Bash runs a command.
func Bash(command string) Call {
	return Call{Name: "Bash", Input: map[string]any{"command": command, "description": "a step of the script"}}
}

// Write writes a file. The client requires an absolute path.
func Write(path, content string) Call {
	return Call{Name: "Write", Input: map[string]any{"file_path": path, "content": content}}
}

// Read reads a file. The client requires an absolute path.
func Read(path string) Call {
	return Call{Name: "Read", Input: map[string]any{"file_path": path}}
}

// Edit replaces a text in a file that the model has read before.
func Edit(path, old, replacement string) Call {
	return Call{Name: "Edit", Input: map[string]any{"file_path": path, "old_string": old, "new_string": replacement}}
}

// Agent starts a subagent and waits for it. The prompt must differ from those of other subagents of the script, because
// it identifies the subagent's requests.
func Agent(kind, prompt string, steps ...Step) Call {
	return agent(kind, prompt, false, steps)
}

// Background starts a subagent that runs at the same time as its parent. See Agent.
func Background(kind, prompt string, steps ...Step) Call {
	return agent(kind, prompt, true, steps)
}

func agent(kind, prompt string, background bool, steps []Step) Call {
	// A subagent without steps says Idle.
	return Call{Name: "Agent", Subagent: append(Thread{}, steps...), Input: map[string]any{
		"description": "a step of the script", "prompt": prompt, "subagent_type": kind, "run_in_background": background,
	}}
}

// Named returns the call with an id.
func (c Call) Named(id string) Call {
	c.ID = id
	return c
}

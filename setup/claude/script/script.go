// Package script plays the model that a Claude Code client talks to: a server on loopback that answers with the steps of
// a script, and keeps every request, so that a test can say what the model was told.
//
// Start with Start. A script is a Thread of Steps for the main thread; a call made with Agent brings the subagent's own
// Thread with it.
package script

// Thread is what one conversation's model says, a Step for each of its turns. When the steps are used up the model says
// Idle and ends its turn.
type Thread []Step

// Step is one turn of the model. It sees the request that it answers. Steps of threads that run at the same time are
// called at the same time.
type Step func(*Request) Reply

// Reply is one turn: a text, and then tool calls.
type Reply struct {
	Text  string
	Calls []Call
}

// Call is a tool call.
type Call struct {
	// ID is how the call is found again in requests, hooks and transcripts; without one it is made from the thread's
	// name, the turn and the call's place in it, such as toolu_main_0_1.
	ID    string
	Name  string
	Input any
	// Subagent is the thread of the subagent that this call starts.
	Subagent Thread
}

// Idle is what the model says when its script is over.
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

// Write writes a file; the client wants an absolute path.
func Write(path, content string) Call {
	return Call{Name: "Write", Input: map[string]any{"file_path": path, "content": content}}
}

// Read reads a file; the client wants an absolute path.
func Read(path string) Call {
	return Call{Name: "Read", Input: map[string]any{"file_path": path}}
}

// Edit replaces a text in a file that was read before.
func Edit(path, old, replacement string) Call {
	return Call{Name: "Edit", Input: map[string]any{"file_path": path, "old_string": old, "new_string": replacement}}
}

// Agent starts a subagent and waits for it. The prompt must differ from those of other subagents of the script: it is
// how the subagent's requests are known.
func Agent(kind, prompt string, steps ...Step) Call {
	return agent(kind, prompt, false, steps)
}

// Background starts a subagent that runs beside its parent; see Agent.
func Background(kind, prompt string, steps ...Step) Call {
	return agent(kind, prompt, true, steps)
}

func agent(kind, prompt string, background bool, steps []Step) Call {
	// A subagent without steps is one all the same: it says Idle.
	return Call{Name: "Agent", Subagent: append(Thread{}, steps...), Input: map[string]any{
		"description": "a step of the script", "prompt": prompt, "subagent_type": kind, "run_in_background": background,
	}}
}

// Named gives a call its id.
func (c Call) Named(id string) Call {
	c.ID = id
	return c
}

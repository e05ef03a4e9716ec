// Package reach asks for guidelines. It asks the server on its Unix socket first (warm) and, where that does not answer,
// starts the command line, which does the same in a process of its own (cold).
//
// Start with Asker.Ask. The way to the server is warm.go (what is asked, in MCP), post.go and http*.go (a strict HTTP/1.1
// client) and warm_unix.go (the socket); the way to the command line is cold.go and child_unix.go. The package is linked
// by hooks whose whole life is a millisecond or two, so it uses neither net nor os/exec, builds no tree of an answer and
// starts no goroutine.
package reach

import "time"

// Where an answer came from.
const (
	ViaServer = "server"
	ViaCLI    = "cli"
)

// How long to wait where an Asker does not say.
const (
	defaultWarm = 500 * time.Millisecond
	defaultCold = 3 * time.Second
)

// maxAnswer is the size of the largest answer that is read. One of 10,000 guidelines, all of which may come to hold, has 11 MB.
const maxAnswer = 64 << 20

// Asker knows where the server and the command line are, and how long to wait for each.
type Asker struct {
	// Socket is the absolute path of the server's Unix socket.
	Socket string
	// Server is the absolute path of the program that must listen there; empty is any. Another program of the same user
	// could make guidelines up.
	Server string
	// CLI is the absolute path of the guardrails binary; FindCLI knows it.
	CLI string
	// Dir is the folder that the command line is started in; empty is the current one.
	Dir string
	// Now is the clock; nil is the system's.
	Now func() time.Time
	// WarmTimeout and ColdTimeout bound the two ways; zero is half a second and three seconds.
	WarmTimeout, ColdTimeout time.Duration
	// Passed is why the server was passed over in the last Ask; nil when it answered. It matters where the command line
	// answered after all: unless Absent says that there is no server, something is broken and should be shown.
	Passed error
}

// Ask puts a question, the arguments of guardrails_get_context as a JSON object, and returns the answer, one JSON object,
// and where it came from. The error is *Unanswered when both ways failed.
func (a *Asker) Ask(request []byte) (answer []byte, via string, err error) {
	a.Passed = nil
	if err := checkObject(request); err != nil {
		return nil, "", &Failure{StageAsk, "the question " + err.Error()}
	}
	answer, warm := a.askWarm(request)
	if warm == nil {
		return answer, ViaServer, nil
	}
	a.Passed = warm
	answer, cold := a.askCold(request)
	if cold == nil {
		return answer, ViaCLI, nil
	}
	return nil, "", &Unanswered{Server: warm, CLI: cold}
}

// timer starts a countdown: what it returns says how much of the time is left.
func (a *Asker) timer(timeout, otherwise time.Duration) countdown {
	now := a.Now
	if now == nil {
		now = time.Now
	}
	if timeout == 0 {
		timeout = otherwise
	}
	deadline := now().Add(timeout)
	return func() time.Duration { return deadline.Sub(now()) }
}

// countdown says how much time is left.
type countdown func() time.Duration

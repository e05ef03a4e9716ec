// Package reach requests guidelines. It asks the server on its Unix socket first (warm). When the server does not
// answer, it starts the command line, which answers in a new process (cold).
//
// Start with Asker.Ask. The way to the server is in warm.go (the MCP request), post.go and http.go (a strict HTTP/1.1
// client) and warm_unix.go (the socket). The way to the command line is in cold.go and child_unix.go. A hook lives for
// a millisecond or two, so the package uses neither net nor os/exec, builds no tree of an answer and starts no
// goroutine.
package reach

import "time"

// The sources of an answer.
const (
	ViaServer = "server"
	ViaCLI    = "cli"
)

// The default timeouts.
const (
	defaultWarm = 500 * time.Millisecond
	defaultCold = 3 * time.Second
)

// maxAnswer is the size of the largest answer that is read. An answer with 10,000 guidelines has 11 MB.
const maxAnswer = 64 << 20

// Asker requests guidelines from the server or the command line. It has their paths and the timeout for each.
type Asker struct {
	// Socket is the absolute path of the server's Unix socket.
	Socket string
	// Server is the absolute path of the program that must listen on the socket; empty means any. Another program of
	// the same user could invent guidelines.
	Server string
	// CLI is the absolute path of the guardrails program, which FindCLI returns.
	CLI string
	// Dir is the working directory of the command line; empty means the current one.
	Dir string
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// WarmTimeout limits the time for the server, and ColdTimeout the time for the command line. Zero means half a
	// second and three seconds, respectively.
	WarmTimeout, ColdTimeout time.Duration
	// Passed is the reason why the server did not answer the last question; nil if it did. If the command line answered
	// instead and Absent(Passed) is false, something is broken and the user should see it.
	Passed error
}

// Ask sends a question: the arguments of guardrails_get_context as a JSON object. It returns the answer, which is one
// JSON object, and its source. The error is an *Unanswered when both ways failed.
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

// timer starts a countdown.
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

// countdown returns how much time is left.
type countdown func() time.Duration

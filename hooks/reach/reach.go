// Package reach requests guidelines. It first asks the server on its Unix socket. This way is called warm. If the
// server does not answer, the package starts the guardrails program in a new process. This way is called cold.
//
// Start with Asker.Ask. The code for the server is in warm.go (the MCP request), post.go and http.go (a strict HTTP/1.1
// client) and warm_unix.go (the socket). The code that starts the guardrails program is in cold.go and child_unix.go. A
// hook runs for only a millisecond or two. So the code uses neither the package net nor os/exec, does not decode
// answers into Go values, and starts no goroutine.
package reach

import "time"

// The sources that Ask returns.
const (
	ViaServer = "server"
	ViaCLI    = "cli"
)

// The timeouts that are used if Asker has none.
const (
	defaultWarm = 500 * time.Millisecond
	defaultCold = 3 * time.Second
)

// maxAnswer is the largest answer that is read, in bytes. An answer with 10,000 guidelines is 11 MB long.
const maxAnswer = 64 << 20

// Asker requests guidelines from the server or from the guardrails program.
type Asker struct {
	// Socket is the absolute path of the server's Unix socket.
	Socket string
	// Server is the absolute path of the program that must listen on the socket. If it is empty, any program may
	// listen. Without this check, another program of the same user could send false guidelines.
	Server string
	// CLI is the absolute path of the guardrails program. FindCLI returns this path.
	CLI string
	// Dir is the working directory of the guardrails program. If it is empty, the current directory is used.
	Dir string
	// The function Now returns the current time. If Now is nil, time.Now is used.
	Now func() time.Time
	// WarmTimeout limits the time for the server. Zero means half a second. ColdTimeout limits the time for the
	// guardrails program. Zero means three seconds.
	WarmTimeout, ColdTimeout time.Duration
	// Deadline is the time at which Ask must have ended, even if a timeout has not passed yet. Zero means no
	// deadline.
	Deadline time.Time
	// The field "Passed" is the reason why the server did not answer the last request. It is nil if the server
	// answered. If the guardrails program answered instead and Absent(Passed) is false, something is broken and the
	// user should see the reason.
	Passed error
}

// Ask sends a request: the arguments of guardrails_get_context as a JSON object. It returns the answer, which is one
// JSON object, and the source of the answer. If neither the server nor the guardrails program answers, the error is an
// *Unanswered.
func (a *Asker) Ask(request []byte) (answer []byte, via string, err error) {
	a.Passed = nil
	if err := checkObject(request); err != nil {
		return nil, "", &Failure{StageAsk, "the request " + err.Error()}
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

// timer() starts a countdown with the given timeout. If the timeout is zero, it uses the default, which is the second
// parameter.
func (a *Asker) timer(timeout, otherwise time.Duration) countdown {
	now := a.Now
	if now == nil {
		now = time.Now
	}
	if timeout == 0 {
		timeout = otherwise
	}
	deadline := now().Add(timeout)
	if !a.Deadline.IsZero() && a.Deadline.Before(deadline) {
		deadline = a.Deadline
	}
	return func() time.Duration { return deadline.Sub(now()) }
}

type countdown func() time.Duration

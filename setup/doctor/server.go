package doctor

import (
	"cmp"
	"os"

	"guardrails/hooks/reach"
	"guardrails/internal/product"
)

const linkServer = "server"

// checkServer checks the server that the client starts with a session, and sends a request to the server's socket. It
// is not an error if no server listens, because each hook then starts the guardrails program.
func (x *Examination) checkServer() {
	starts := x.checkEntered()
	if starts != "" && x.direct() {
		x.checkConnection(starts)
		return
	}
	if x.askServer() || starts == "" {
		return
	}
	x.add(linkServer, OK, starts+"; no server listens now: the hooks start the guardrails program", "")
}

// askServer requests guidelines from the server as a hook does. It returns false if there is no socket.
func (x *Examination) askServer() bool {
	if x.sessions == nil {
		return false
	}
	socket := x.sessions.Path(product.SocketFile)
	if _, err := os.Lstat(socket); err != nil {
		return false
	}
	asker := &reach.Asker{Socket: socket, Server: x.believed(), Now: x.Now, WarmTimeout: warmTimeout}
	r, err := x.ask(asker)
	switch {
	case err == nil:
		if x.System == "linux" { // on other systems the listening program is not known
			r.by = asker.Server
		}
		x.answered(linkServer, r, warmTimeout)
	case reach.Absent(asker.Passed):
		x.add(linkServer, Warning, asker.Passed.Error()+"; each hook starts the guardrails program",
			"start the server again, or remove "+socket)
	default:
		x.add(linkServer, Broken, asker.Passed.Error()+"; each hook starts the guardrails program",
			"start the server again")
	}
	return true
}

// Hooks accept answers on the socket only from one server program. believed() returns the path of this program. If no
// hooks are installed, it looks for the program next to the running program.
func (x *Examination) believed() string {
	return cmp.Or(reach.FindServer(cmp.Or(x.enforcer(), x.Program)), product.Server+", which is missing")
}

package doctor

import (
	"cmp"
	"net"
	"strings"
	"time"

	"guardrails/config"
	"guardrails/internal/page"
	"guardrails/internal/product"
)

const linkPage = "page"

// checkPage adds a check that says where the page for people is. It is not an error if no server offers the page,
// because the command "guardrails ui" then starts a server.
func (x *Examination) checkPage() {
	settings := config.Read(config.PlacesOf(x.root, x.Env), x.Env).Combine(false)
	if settings.NoPage {
		x.add(linkPage, OK, "switched off (ui: off)", "")
		return
	}
	if x.sessions != nil {
		if at, found := page.Find(x.sessions); found {
			if at.Root != x.root {
				x.add(linkPage, OK, at.URL()+" is the page of the project "+at.Root+"; to start one for this project, run: guardrails ui", "")
				return
			}
			x.add(linkPage, OK, at.URL()+"; to open it, run: guardrails ui", "")
			return
		}
	}
	address := cmp.Or(x.Env(product.VariableAddress), page.DefaultAddress)
	if isTaken(address) {
		x.add(linkPage, Warning,
			"another program uses the address "+address+", so the servers that Claude Code starts cannot offer the page",
			"end the program at "+address+", or set "+product.VariableAddress+" to another address")
		return
	}
	x.add(linkPage, OK, "no server offers it now; to start one, run: guardrails ui", "")
}

// isTaken reports whether a program listens at an address of this computer.
func isTaken(address string) bool {
	if !page.IsLocal(address) || strings.HasSuffix(address, ":0") {
		return false
	}
	c, err := net.DialTimeout("tcp", address, time.Second)
	if err != nil {
		return false
	}
	_ = c.Close() // nothing was sent
	return true
}

package process

import (
	"fmt"
	"net"

	"guardrails/internal/browser"
	"guardrails/internal/private"
	"guardrails/server/access"
	"guardrails/server/web"
)

// pageAddress returns the address of the page, including a code with which the owner can begin a session.
func (w *System) pageAddress(state *private.Dir, on net.Addr) (string, error) {
	token, _, err := access.First(state)
	if err != nil {
		return "", err
	}
	return access.PageAddress(local(on), token, w.Now()), nil
}

// showPage opens the page in the browser, or prints its address with a code.
func (w *System) showPage(f *Flags, state *private.Dir, on net.Addr) error {
	if f.Open == "" {
		return nil
	}
	address, err := w.pageAddress(state, on)
	if err != nil {
		return err
	}
	text := "Open this address; it works once, within two minutes: " + address + "\n"
	if f.Open == openBrowser {
		if err := browser.Show(state, address, w.Browser); err != nil {
			text = "The browser cannot be started: " + err.Error() + ".\n" + text
		} else {
			text = "The page opens in your browser. If it does not, run guardrails ui --print in another terminal.\n"
		}
	}
	_, err = fmt.Fprint(w.Stdout, text)
	return err
}

// The values of Flags.Open.
const (
	openBrowser = "browser"
	openPrint   = "print"
)

// sessions() returns the sessions of browsers. It returns nil if the settings switch the page off.
func (w *System) sessions(keys *access.Keyring, on net.Addr, noPage bool) (*access.Sessions, error) {
	if noPage {
		return nil, nil
	}
	_, port, err := net.SplitHostPort(on.String())
	return access.NewSessions(keys, port, w.Now), err
}

// pageOf returns the address of the page without a code. It returns "" if there is no page.
func pageOf(base string, sessions *access.Sessions) string {
	if sessions == nil {
		return ""
	}
	return base + web.Path
}

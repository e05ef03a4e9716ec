package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/config"
	"guardrails/internal/browser"
	"guardrails/internal/document"
	"guardrails/internal/page"
	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/server/access"
)

func uiCommand(a *app.App) *cobra.Command {
	var address string
	var show bool
	c := &cobra.Command{
		Use:   "ui",
		Short: "Open the page on which you see, change and try guidelines",
		Long: `Ui opens the page of the server on this computer in your browser, and signs you in as its owner. While
a session of Claude Code runs, the server of the session offers the page. If no server of yours answers at the
address, or if your server there shows another project, the command starts a server that runs until Ctrl-C.

You are signed in by a code that works once, within two minutes. With --print, the command prints the
address with the code instead of opening the browser. Only a person may run this command. The setting "ui: off"
switches the page off.`,
		Example: `  guardrails ui
  guardrails ui --print`,
		Args: app.Args(0, 0, "it takes only flags"),
		RunE: func(c *cobra.Command, _ []string) error { return openUI(a, c, address, show) },
	}
	c.Flags().StringVar(&address, "addr", "",
		"use the server at this `HOST:PORT` of this computer (default: the address of the server that offers the page, GUARDRAILS_ADDR, or 127.0.0.1:7117)")
	c.Flags().BoolVar(&show, "print", false, "print the address with the code instead of opening the browser")
	return c
}

// anyPort is an address of this computer on which the system chooses a free port.
const anyPort = "127.0.0.1:0"

func openUI(a *app.App, c *cobra.Command, address string, show bool) error {
	if err := a.RequirePerson(c, "only a person may open the page, which has all rights of the owner"); err != nil {
		return err
	}
	settings, err := a.Config()
	if err != nil {
		return err
	}
	if settings.NoPage {
		return app.Failf("%s: the page is switched off; remove \"ui: off\" from the settings", c.CommandPath())
	}
	chosen, noted := a.Env(product.VariableAddress), pageOf(a, settings)
	v := visit{app: a, command: c, show: show, free: address == "" && (noted != "" || chosen == "")}
	given := cmp.Or(address, noted, chosen, page.DefaultAddress)
	if v.address, err = localAddress(given); err != nil {
		from := "--addr"
		if address == "" && noted == "" {
			from = product.VariableAddress
		}
		return app.Usagef("%s: %s %v", c.CommandPath(), from, err)
	}
	if v.state, err = openState(a); err == nil {
		v.token, _, err = access.First(v.state)
	}
	if err != nil {
		return app.Failf("%s: %v", c.CommandPath(), err)
	}
	return v.run()
}

// pageOf returns the address at which a running server offers the page. If the page of this server shows another
// project, store or tenant, pageOf returns an address for a new server. If no server offers the page, it returns "".
func pageOf(a *app.App, settings *config.Config) string {
	dir, err := private.Runtime(a.Env)
	if err != nil {
		return ""
	}
	at, found := page.Find(dir)
	shows := at.Shows(settings.StoreKey(), settings.Tenant) && at.Root == a.ProjectRoot(a.Cwd)
	if found && !shows {
		return anyPort
	}
	return at.Address
}

func openState(a *app.App) (*private.Dir, error) {
	path, err := private.StateDir(a.Env)
	if err != nil {
		return nil, err
	}
	return private.Open(path)
}

// localAddress returns the address at which this computer reaches a server. It returns an error for the address of
// another computer, because a code for the page is valid only on this computer.
func localAddress(given string) (string, error) {
	if _, _, err := net.SplitHostPort(given); err != nil {
		return "", errors.New(document.Excerpt(given) + ": is not HOST:PORT; write 127.0.0.1:7117, for example")
	}
	if at, ok := page.Reach(given); ok {
		return at, nil
	}
	return "", errors.New(document.Excerpt(given) + ": is the address of another computer; open its page in a browser, and sign in with a token")
}

// The type "visit" opens the page of one server.
type visit struct {
	app     *app.App
	command *cobra.Command
	state   *private.Dir
	address string
	token   string
	show    bool
	// The field "free" is set if the user has not chosen the address. The command is then allowed to start a server on
	// another port.
	free bool
}

func (v *visit) run() error {
	var own bool
	var err error
	if v.address != anyPort {
		own, err = v.isOwn()
	}
	if v.free && !isFree(err) && (err != nil || !own) {
		v.address = anyPort
	}
	switch {
	case v.address == anyPort, isFree(err):
		how := "-open=browser"
		if v.show {
			how = "-open=print"
		}
		return runServer(v.app, v.command, "serve", "-addr="+v.address, how)
	case err != nil:
		return app.Failf("%s: the server at %s does not answer: %v; end the server, or choose another port with --addr",
			v.command.CommandPath(), v.address, err)
	case !own:
		return app.Failf("%s: the program at %s is not your server, or its page is switched off; end the program, or choose "+
			"another port with --addr", v.command.CommandPath(), v.address)
	}
	return v.open()
}

// isFree reports whether err says that no program listens at an address. The parameter "err" is the error of a
// request to the address.
func isFree(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial" && !op.Timeout()
}

const (
	// askTime is how long the server may take to prove that it has the user's token.
	askTime   = 5 * time.Second
	maxAnswer = 4096
)

// isOwn reports whether the server at the address has the user's token. If the server does not have the token, another
// program may have taken the port to get the code for the page.
func (v *visit) isOwn() (bool, error) {
	nonce := access.NewNonce()
	body, err := json.Marshal(map[string]string{"nonce": nonce})
	if err != nil {
		return false, err
	}
	ctx, stop := context.WithTimeout(v.command.Context(), askTime)
	defer stop()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+v.address+"/api/session/proof", bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := (&http.Transport{}).RoundTrip(r) // without a proxy, and without following redirects
	if err != nil {
		return false, err
	}
	defer func() { _ = answer.Body.Close() }()
	var said struct{ Proof string }
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil || answer.StatusCode != http.StatusOK || json.Unmarshal(text, &said) != nil {
		return false, err
	}
	_, port, err := net.SplitHostPort(v.address)
	return access.IsProof(v.token, port, nonce, said.Proof), err
}

// uiReport is the output of "guardrails ui".
type uiReport struct {
	// Address is the address of the page. It has a code if Opened is false.
	Address string `json:"address"`
	Opened  bool   `json:"opened"`
}

func (v *visit) open() error {
	address := access.PageAddress(v.address, v.token, v.app.Clock()())
	if v.show {
		return v.app.Answer(uiReport{Address: address}, func(p *app.Printer) { p.Line("%s", address) })
	}
	if err := browser.Show(v.state, address, v.app.Browser); err != nil {
		return app.Failf("%s: the browser cannot be started: %v; to see the address, run: guardrails ui --print",
			v.command.CommandPath(), err)
	}
	plain := "http://" + v.address + "/ui/"
	return v.app.Answer(uiReport{plain, true}, func(p *app.Printer) {
		p.Line("%s opens in your browser. If it does not, run guardrails ui --print.", plain)
	})
}

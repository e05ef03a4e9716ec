package main

import (
	"github.com/spf13/cobra"
)

// serverProgram is the program that serves; it is no part of this one because it takes longer to start.
const serverProgram = "guardrails-server"

func (a *app) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Answer the client that starts this, as an MCP server on stdio",
		Long: `Mcp is what .mcp.json names: Claude Code starts it with each session and speaks MCP with it over stdin and stdout, until
stdin ends. guardrails init enters it.

Beside that it answers the hooks on the Unix socket in the runtime folder, so that they need not read the guidelines
themselves. One process has the socket; when it ends, the next one takes over. Words for people go to stderr.`,
		Example: `  guardrails mcp`,
		Args:    arguments(0, 0, "it takes none"),
		RunE:    func(c *cobra.Command, _ []string) error { return a.become(c, "mcp") },
	}
}

func (a *app) serveCommand() *cobra.Command {
	var address string
	var hosts []string
	c := &cobra.Command{
		Use:   "serve",
		Short: "Answer programs on a port of this computer, and hooks on a socket",
		Long: `Serve answers MCP over HTTP until it is told to end (SIGTERM, or Ctrl-C): what was asked before is still answered.
Callers send the token that lies in the state folder; it is made on the first start. Everybody else is refused, and so are
pages in a browser. The hooks of this user reach it over a socket that nobody else can open.

It listens on 127.0.0.1:7117, unless --addr or GUARDRAILS_ADDR say otherwise. Files are read again when they change;
SIGHUP makes it read everything anew.`,
		Example: `  guardrails serve
  guardrails serve --addr 127.0.0.1:8000 -o json`,
		Args: arguments(0, 0, "it takes flags only"),
		RunE: func(c *cobra.Command, _ []string) error {
			args := []string{"serve", "-addr=" + address}
			for _, host := range hosts {
				args = append(args, "-host="+host)
			}
			if a.format == asJSON {
				args = append(args, "-json")
			}
			return a.become(c, args...)
		},
	}
	c.Flags().StringVar(&address, "addr", "", "where to listen: `HOST:PORT`")
	c.Flags().StringArrayVar(&hosts, "host", nil, "another `NAME` by which the server may be asked, such as that of a proxy (repeatable)")
	return c
}

// become lets the server take the place of this program.
func (a *app) become(c *cobra.Command, args ...string) error {
	program, err := a.server()
	if err != nil {
		return failure("%s: %v", c.CommandPath(), err)
	}
	code, err := a.exec(program, args)
	if err != nil {
		return failure("%s: %s cannot be started: %v; install all programs of guardrails into one folder (make install)", c.CommandPath(), program, err)
	}
	if code != done {
		return &outcome{code: code}
	}
	return nil
}

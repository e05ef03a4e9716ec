package server

import (
	"github.com/spf13/cobra"

	"guardrails/cli/app"
)

func mcpCommand(a *app.App) *cobra.Command {
	var admin bool
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Answer the client that starts this, as an MCP server on stdio",
		Long: `Mcp is what .mcp.json names: Claude Code starts it with each session and speaks MCP with it over stdin and stdout, until
stdin ends. guardrails init enters it.

Beside that it answers the hooks on the Unix socket in the runtime folder, so that they need not read the guidelines
themselves. One process has the socket; when it ends, the next one takes over. Words for people go to stderr.`,
		Example: `  guardrails mcp`,
		Args:    app.Args(0, 0, "it takes flags only"),
		RunE: func(c *cobra.Command, _ []string) error {
			args := []string{"mcp"}
			if admin {
				args = append(args, "-admin")
			}
			return become(a, c, args...)
		},
	}
	c.Flags().BoolVar(&admin, "admin", false, adminHelp)
	return c
}

// adminHelp says what both servers have with the flag.
const adminHelp = "also offer the tools that change guidelines, to callers who may; whoever uses them can weaken the guard"

func serveCommand(a *app.App) *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve",
		Short: "Answer programs on a port of this computer, and hooks on a socket",
		Long: `Serve answers MCP and the REST API over HTTP until it is told to end (SIGTERM, or Ctrl-C): what was asked before is
still answered. Callers send a token: the first one lies in the state folder and is made on the first start, "guardrails
token" makes others. Everybody else is refused, and so are pages in a browser. The hooks of this user reach it over a
socket that nobody else can open.

It listens on 127.0.0.1:7117, unless --addr or GUARDRAILS_ADDR say otherwise. --store and --tenant are for callers on the
port and for the decisions that it takes into the audit; guidelines for hooks come from where their projects say. Files and tokens are read again when they change; SIGHUP makes it read
everything anew. /healthz says that it lives, /readyz that it can answer, /metrics what it does.`,
		Example: `  guardrails serve
  guardrails serve --addr 127.0.0.1:8000 -o json`,
		Args: app.Args(0, 0, "it takes flags only"),
		RunE: func(c *cobra.Command, _ []string) error {
			args := f.args()
			if a.Format == app.JSON {
				args = append(args, "-json")
			}
			return become(a, c, args...)
		},
	}
	c.Flags().StringVar(&f.address, "addr", "", "where to listen: `HOST:PORT`")
	c.Flags().StringArrayVar(&f.hosts, "host", nil, "another `NAME` by which the server may be asked, such as that of a proxy (repeatable)")
	c.Flags().StringVar(&f.store, "store", "", "where guidelines are kept: `STORE` is sqlite:PATH or elasticsearch:URL (default: what the settings say)")
	c.Flags().StringVar(&f.tenant, "tenant", "", "whose guidelines the first token sees: `TENANT` (default: the project's)")
	c.Flags().BoolVar(&f.admin, "admin", false, adminHelp)
	c.Flags().StringVar(&f.logFormat, "log-format", "", "how to write the log on stderr: `FORMAT` is text or json (default text)")
	app.CompleteFlag(c, "log-format", "text", "json")
	return c
}

// serveFlags are the flags that the server's program takes.
type serveFlags struct {
	address, store, tenant, logFormat string
	hosts                             []string
	admin                             bool
}

// args are the flags as the server's program takes them.
func (f *serveFlags) args() []string {
	args := []string{"serve", "-addr=" + f.address}
	for _, flag := range [][2]string{{"-store=", f.store}, {"-tenant=", f.tenant}, {"-log-format=", f.logFormat}} {
		if flag[1] != "" {
			args = append(args, flag[0]+flag[1])
		}
	}
	for _, host := range f.hosts {
		args = append(args, "-host="+host)
	}
	if f.admin {
		args = append(args, "-admin")
	}
	return args
}

// become lets the server take the place of this program.
func become(a *app.App, c *cobra.Command, args ...string) error {
	program, err := a.ServerProgram()
	if err != nil {
		return app.Failf("%s: %v", c.CommandPath(), err)
	}
	code, err := a.Exec(program, args)
	if err != nil {
		return app.Failf("%s: %s cannot be started: %v; install all programs of guardrails into one folder (make install)", c.CommandPath(), program, err)
	}
	if code != app.OK {
		return app.Exit(code)
	}
	return nil
}

package server

import (
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/config"
	"guardrails/internal/document"
	"guardrails/internal/product"
	"guardrails/service/policyfile"
)

const adminHelp = "also offer the tools that change guidelines; a caller who may use them can weaken the guard"

func mcpCommand(a *app.App) *cobra.Command {
	var admin bool
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Run the MCP server that Claude Code starts",
		Long: `Claude Code starts this command with each session because "guardrails init" enters it into .mcp.json.
It speaks MCP over stdin and stdout until stdin ends. Messages for people go to stderr.

It also answers the hooks on a Unix socket in the runtime folder, so that they do not have to read the
guidelines themselves. One process owns the socket; when that process ends, another one takes over.`,
		Example: `  guardrails mcp`,
		Args:    app.Args(0, 0, "it takes only flags"),
		RunE: func(c *cobra.Command, _ []string) error {
			args := []string{"mcp"}
			if admin {
				args = append(args, "-admin")
			}
			return runServer(a, c, args...)
		},
	}
	c.Flags().BoolVar(&admin, "admin", false, adminHelp)
	return c
}

func serveCommand(a *app.App) *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run the server for REST and MCP over HTTP, and for hooks",
		Long: `Serve answers MCP and the REST API over HTTP on 127.0.0.1:7117, or on --addr or GUARDRAILS_ADDR. It
also answers the hooks of this user on a socket that nobody else can open. It ends on SIGTERM or Ctrl-C, after
it has answered pending requests. People see, change and try guidelines on the server's page. To open the page,
run "guardrails ui".

Callers over HTTP send a token. The first start creates one and writes it to the state folder; "guardrails
token" creates more. Requests without a token are refused, and so are requests that other web pages send.

--store and --tenant apply to callers over HTTP and to the decisions that the server records. --policies applies
to callers over HTTP, whatever their tenant is. Hooks use the guidelines and the policies of their projects. The
server notices changed files and tokens by itself; SIGHUP makes it read everything again. /healthz says whether
the server runs, /readyz whether it can answer, and /metrics what it does.`,
		Example: `  guardrails serve
  guardrails serve --addr 127.0.0.1:8000 -o json`,
		Args: app.Args(0, 0, "it takes only flags"),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.checkStore(a, c); err != nil {
				return err
			}
			if err := f.checkNumbers(c); err != nil {
				return err
			}
			if err := f.checkPolicies(a, c); err != nil {
				return err
			}
			args := f.args()
			if a.Format == app.JSON {
				args = append(args, "-json")
			}
			return runServer(a, c, args...)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.address, "addr", "", "listen on this `HOST:PORT`")
	flags.StringArrayVar(&f.hosts, "host", nil,
		"accept requests for this host `NAME` too, such as the name of a proxy (repeatable)")
	flags.StringVar(&f.store, "store", "",
		"use this `STORE`: sqlite:PATH or elasticsearch:URL (default: the store of the settings)")
	flags.StringVar(&f.tenant, "tenant", "",
		"let the server's own token see the guidelines of this `TENANT` (default: the project's)")
	flags.StringVar(&f.policies, "policies", "",
		"use this policy `FILE` of the safety gate for all tenants (default: the project's policy file for the project's tenant, and none for other tenants)")
	flags.BoolVar(&f.admin, "admin", false, adminHelp)
	flags.StringVar(&f.logFormat, "log-format", "",
		"write the log on stderr in this `FORMAT`: text or json (default text)")
	app.CompleteFlag(c, "log-format", "text", "json")
	flags.StringVar(&f.memory, "memory", "",
		"keep at most this many `MB` of guidelines in memory: the guidelines of the tenants that sent "+
			"the latest requests (default 1024)")
	flags.StringVar(&f.changes, "changes", "",
		"let each token make at most this `NUMBER` of changes and logged decisions a second (default 2000)")
	return c
}

// serveFlags are the flags that are passed to the server program.
type serveFlags struct {
	address, store, tenant, policies, logFormat, memory, changes string
	hosts                                                        []string
	admin                                                        bool
}

// checkStore returns an error if the value of --store does not name a store. Without this check, the server program
// would only report that its settings are wrong.
func (f *serveFlags) checkStore(a *app.App, c *cobra.Command) error {
	if f.store == "" {
		return nil
	}
	env := func(name string) string {
		if name == product.VariableStore {
			return f.store
		}
		return a.Env(name)
	}
	problems := config.Read(config.PlacesOf(a.ProjectRoot(a.Cwd), env), env).Problems()
	for _, p := range problems {
		if p.File == product.VariableStore {
			return app.Usagef("%s: --store %s: %s; %s", c.CommandPath(), document.Excerpt(f.store), p.Message, p.Remedy)
		}
	}
	return nil
}

// checkPolicies returns an error if the file of --policies cannot be used. If the file gets a mistake later, a running
// server keeps the last good rules.
func (f *serveFlags) checkPolicies(a *app.App, c *cobra.Command) error {
	if f.policies == "" {
		return nil
	}
	shown := f.policies
	if !filepath.IsAbs(shown) {
		f.policies = filepath.Join(a.Cwd, shown)
	}
	text, err := document.ReadRegular(f.policies, document.MaxSize)
	if err != nil {
		return app.Usagef("%s: --policies %s: cannot be read: %v; name a policy file", c.CommandPath(), shown, err)
	}
	var report policyfile.Report
	report.Add(shown, text)
	if err := report.Problems.Err(); err != nil {
		return app.Usagef("%s: --policies: %v", c.CommandPath(), err)
	}
	return nil
}

// The largest values of --memory and --changes. The server program accepts the same values.
const (
	maxMemory  = 1 << 20
	maxChanges = 1_000_000
)

// checkNumbers returns an error if the value of --memory is not a number of megabytes, or if the value of --changes is
// not a number of changes.
func (f *serveFlags) checkNumbers(c *cobra.Command) error {
	for _, flag := range []struct {
		name, value, of string
		most, example   int
	}{
		{"memory", f.memory, "megabytes", maxMemory, 512},
		{"changes", f.changes, "changes", maxChanges, 500},
	} {
		if n, err := strconv.Atoi(flag.value); flag.value != "" && (err != nil || n < 1 || n > flag.most) {
			return app.Usagef("%s: --%s %s: it is not a number of %s from 1 to %d; write %d, for example",
				c.CommandPath(), flag.name, document.Excerpt(flag.value), flag.of, flag.most, flag.example)
		}
	}
	return nil
}

// args() returns the flags in the form that the server program expects.
func (f *serveFlags) args() []string {
	args := []string{"serve", "-addr=" + f.address}
	for _, flag := range [][2]string{
		{"-store=", f.store},
		{"-tenant=", f.tenant},
		{"-policies=", f.policies},
		{"-log-format=", f.logFormat},
		{"-memory=", f.memory},
		{"-changes=", f.changes},
	} {
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

// runServer replaces this program with the server's program.
func runServer(a *app.App, c *cobra.Command, args ...string) error {
	program, err := a.ServerProgram()
	if err != nil {
		return app.Failf("%s: %v", c.CommandPath(), err)
	}
	code, err := a.Exec(program, args)
	if err != nil {
		return app.Failf("%s: cannot start %s: %v; install all programs of guardrails into one folder (make install)",
			c.CommandPath(), program, err)
	}
	return app.Exit(code)
}

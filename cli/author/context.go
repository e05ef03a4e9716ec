package author

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/config"
	"guardrails/evaluator"
	"guardrails/guideline"
	"guardrails/host"
	"guardrails/internal/document"
	"guardrails/service"
)

type contextFlags struct {
	agent, domain, action string
	tenant                string
	meta                  []string
}

func (f *contextFlags) add(a *app.App, c *cobra.Command, sources *[]string) {
	flags := c.Flags()
	flags.StringVar(&f.agent, "agent", "",
		"who acts, such as backend (default: CLAUDE_INSTANCE_ID, or default_agent of the settings)")
	flags.StringVar(&f.domain, "domain", "", "what the task is about, such as frontend")
	flags.StringVar(&f.action, "action", "", "what the task does, such as implement")
	flags.StringVar(&f.tenant, "tenant", "", "use the guidelines of this tenant (default: the project's)")
	flags.StringArrayVar(&f.meta, "meta", nil,
		"metadata as `key=value` (repeatable); a value that is JSON counts both as text and as JSON")
	completeAgents(a, c, sources)
}

// set() copies the values of the given flags into a context.
func (f *contextFlags) set(c *cobra.Command, into *guideline.Context) error {
	set := func(flag, value string, field *string) {
		if c.Flags().Changed(flag) {
			*field = value
		}
	}
	set("agent", f.agent, &into.Agent)
	set("domain", f.domain, &into.Domain)
	set("action", f.action, &into.Action)
	set("tenant", f.tenant, &into.TenantID)
	given, err := parseMeta(c, f.meta)
	if err != nil || len(given) == 0 {
		return err
	}
	merged := maps.Clone(into.Metadata)
	if merged == nil {
		merged = map[string]any{}
	}
	maps.Copy(merged, given)
	into.Metadata = merged
	return nil
}

// complete() fills the empty fields of a context with values from the settings.
func (f *contextFlags) complete(a *app.App, c *cobra.Command, settings *config.Config, into *guideline.Context) {
	if !c.Flags().Changed("agent") {
		into.Agent = host.Agent(into.Agent, a.Env, settings.DefaultAgent)
	}
	if into.TenantID == "" && !c.Flags().Changed("tenant") {
		into.TenantID = settings.Tenant
	}
	into.Metadata = service.Metadata(settings, into.Metadata)
}

// parseMeta reads key=value flags. It keeps each value both as text and as parsed JSON, because the user does not say
// which of the two is meant.
func parseMeta(c *cobra.Command, list []string) (map[string]any, error) {
	out := map[string]any{}
	for _, item := range list {
		key, value, ok := strings.Cut(item, "=")
		if !ok || key == "" {
			return nil, app.Usagef("%s: --meta %s is not key=value; write it as --meta environment=container",
				c.CommandPath(), document.Excerpt(item))
		}
		values, _ := out[key].([]any)
		out[key] = append(values, meanings(value)...)
	}
	return out, nil
}

func meanings(value string) []any {
	out := []any{value}
	n, problems := document.ParseJSON("", []byte(value))
	if n == nil || len(problems) > 0 {
		return out
	}
	switch n.Kind {
	case document.List:
		for _, item := range n.Items {
			out = append(out, item.Value())
		}
	case document.String, document.Number, document.Bool:
		out = append(out, n.Value())
	}
	return out
}

// queryFlags are the flags that describe a context. Some of these flags say which fields of the context are unknown.
type queryFlags struct {
	contextFlags
	paths           []string
	event, gateType string
	unknown         []string
	file            string
}

func (f *queryFlags) add(a *app.App, c *cobra.Command, sources *[]string) {
	f.contextFlags.add(a, c, sources)
	flags := c.Flags()
	flags.StringArrayVar(&f.paths, "path", nil,
		"a path that the task touches, absolute or relative to the project (repeatable)")
	flags.StringVar(&f.event, "event", "", "what happens, such as commit (see guardrails events)")
	flags.StringVar(&f.gateType, "gate-type", "", "the kind of approval (gate) that the task asks for, such as devops")
	flags.StringSliceVar(&f.unknown, "unknown", nil,
		"`fields` that are not known yet, such as paths,event; guidelines that may still apply are listed too")
	flags.StringVar(&f.file, "context", "",
		"read the context as JSON from a `FILE`, or - for stdin; other flags override it")
	app.CompleteFlag(c, "event", app.Events()...)
	app.CompleteFlag(c, "unknown", guideline.FieldNames()...)
}

// query() returns the query that the flags describe. It does not use the settings.
func (f *queryFlags) query(a *app.App, c *cobra.Command) (*evaluator.Query, error) {
	q := &evaluator.Query{OpenFacts: true}
	if err := f.read(a, q); err != nil {
		return nil, err
	}
	if err := f.markUnknown(c, q); err != nil {
		return nil, err
	}
	if c.Flags().Changed("path") {
		q.Paths = f.paths
	}
	if c.Flags().Changed("event") {
		q.Event = f.event
	}
	if c.Flags().Changed("gate-type") {
		q.GateType = f.gateType
	}
	q.Paths = service.RelativePaths(a.ProjectRoot(a.Cwd), q.Paths)
	return q, f.set(c, &q.Context)
}

// read() reads the context from the file that was given with the flag --context.
func (f *queryFlags) read(a *app.App, q *evaluator.Query) error {
	if f.file == "" {
		return nil
	}
	raw, name, err := a.ReadInput(f.file)
	if err != nil {
		return err
	}
	n, problems := document.ParseJSON(name, raw)
	if n == nil {
		return problems
	}
	d := &document.Decoder{File: name, Problems: problems}
	q.Context, q.Unknown = guideline.DecodeContext(d, n, "")
	return d.Problems.Err()
}

func (f *queryFlags) markUnknown(c *cobra.Command, q *evaluator.Query) error {
	known := strings.Join(guideline.FieldNames(), ", ")
	set, bad := guideline.ParseFields(f.unknown)
	if bad != "" {
		return app.Usagef("%s: --unknown %s is not a field of a context; use %s", c.CommandPath(),
			document.Excerpt(bad), known)
	}
	for _, field := range set.Names() {
		if flag := flagOf(field); c.Flags().Changed(flag) {
			return app.Usagef("%s: --%s is given and also named by --unknown; remove one of the two", c.CommandPath(),
				flag)
		}
	}
	q.Unknown |= set
	return nil
}

func flagOf(field string) string {
	switch field {
	case "paths":
		return "path"
	case "gate_type":
		return "gate-type"
	case "metadata":
		return "meta"
	}
	return field
}

// completeAgents suggests the agents that occur in the guidelines.
func completeAgents(a *app.App, c *cobra.Command, sources *[]string) {
	app.Complete(c, "agent", func(string) ([]string, cobra.ShellCompDirective) {
		config, err := a.Config()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		loaded, err := readSources(a, config, *sources)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var agents []string
		for _, g := range loaded.Guidelines {
			agents = append(agents, g.Condition.Agents...)
		}
		slices.Sort(agents)
		return slices.Compact(agents), cobra.ShellCompDirectiveNoFileComp
	})
}

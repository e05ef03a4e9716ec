package author

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/detect"
	"guardrails/host"
	"guardrails/rules"
	"guardrails/service/inject"
)

func detectCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "detect PROMPT",
		Short: "Show the domain and the action that are found in a prompt",
		Long: `Detect finds the domain and the action of a task in a prompt, with the words that name them. A prompt
that names two domains or two actions is ambiguous. If PROMPT is -, detect reads the prompt from stdin.

The settings can define more domains. The agent never comes from the prompt: it is the name of the session, or
default_agent of the settings. If the prompt contains the name of an agent for which there are guidelines, the
prompt suggests the role of this agent: the model sees the guidelines of the role, but they are not enforced.`,
		Example: `  guardrails detect 'fix the failing login test'
  echo 'review the pull request' | guardrails detect - -o json`,
		Args: app.Args(1, 1, "give one prompt in quotes"),
		RunE: func(c *cobra.Command, args []string) error {
			return runDetect(a, c, args[0])
		},
	}
}

type detection struct {
	Agent string `json:"agent"`
	// SuggestedRoles lists the agents whose names the prompt contains, if there are guidelines for these agents.
	SuggestedRoles []string `json:"suggested_roles"`
	detect.Result
}

func runDetect(a *app.App, c *cobra.Command, prompt string) error {
	settings, err := a.Config()
	if err != nil {
		return err
	}
	if prompt == "-" {
		raw, _, err := a.ReadInput(prompt)
		if err != nil {
			return err
		}
		prompt = string(raw)
	}
	detector, err := detect.New(detect.Options{Domains: settings.Domains})
	if err != nil {
		return err
	}
	out := detection{Agent: host.Agent("", a.Env, settings.DefaultAgent), Result: detector.Detect(c.Context(), prompt)}
	out.SuggestedRoles = suggestedRoles(a, c, out.Agent, prompt)
	return a.Answer(out, func(p *app.Printer) { printDetection(p, &out) })
}

// suggestedRoles returns the roles that a hook would suggest for a prompt.
func suggestedRoles(a *app.App, c *cobra.Command, agent, prompt string) []string {
	s := a.Service()
	guidelines, _, err := s.Guidelines(c.Context(), a.ProjectRoot(a.Cwd))
	if err != nil {
		a.Note("the suggested roles are unknown because the guidelines cannot be read: " + err.Error())
	}
	if err := s.Close(); err != nil {
		a.Note(err.Error())
	}
	roles := inject.RolesOf(func(yield func(*rules.Source) bool) {
		for i := range guidelines {
			if !yield(&guidelines[i]) {
				return
			}
		}
	})
	return append([]string{}, roles.Suggested(agent, prompt)...)
}

func printDetection(p *app.Printer, r *detection) {
	or := func(s, none string) string {
		if s == "" {
			return none
		}
		return s
	}
	p.Field("agent", or(r.Agent, "(none)"))
	if len(r.SuggestedRoles) > 0 {
		p.Field("roles", app.Flat(strings.Join(r.SuggestedRoles, ", "))+" (suggested by the prompt; not enforced)")
	}
	p.Field("domain", or(r.Domain, "(not found)"))
	p.Field("action", or(r.Action, "(not found)"))
	if r.Ambiguous {
		p.Field("ambiguous", p.Paint(app.Yellow, "the prompt names more than one domain or action"))
	}
	var words []string
	for _, m := range r.Matches {
		words = append(words, app.Flat(m.Word)+" at "+strconv.Itoa(m.Offset)+": "+m.Field+" "+m.Value)
	}
	p.Field("words", strings.Join(words, "\n"))
}

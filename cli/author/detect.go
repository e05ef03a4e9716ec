package author

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/detect"
	"guardrails/host"
)

func detectCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "detect PROMPT",
		Short: "Show which context a prompt yields, and by which words",
		Long: `Detect reads from a prompt what the task is about: its domain and its action, with the words that say so. When a
prompt names two domains or two actions, it is ambiguous. A prompt of - is read from stdin.

The config's domains are looked for too. Who acts is never read from a prompt.`,
		Example: `  guardrails detect 'fix the failing login test'
  echo 'review the pull request' | guardrails detect - -o json`,
		Args: app.Args(1, 1, "give one prompt, in quotes"),
		RunE: func(c *cobra.Command, args []string) error {
			return runDetect(a, c, args[0])
		},
	}
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
	detector, err := detect.New(detect.Options{Agent: host.Agent("", a.Env, settings.DefaultAgent), Domains: settings.Domains})
	if err != nil {
		return err
	}
	result := detector.Detect(c.Context(), prompt)
	return a.Answer(result, func(p *app.Printer) { printDetection(p, &result) })
}

func printDetection(p *app.Printer, r *detect.Result) {
	none := func(s string) string {
		if s == "" {
			return "(nothing says)"
		}
		return s
	}
	p.Field("agent", r.Agent)
	p.Field("domain", none(r.Domain))
	p.Field("action", none(r.Action))
	if r.Ambiguous {
		p.Field("ambiguous", p.Paint(app.Yellow, "the words name more than one"))
	}
	var words []string
	for _, m := range r.Matches {
		words = append(words, app.Flat(m.Word)+" at "+strconv.Itoa(m.Offset)+": "+m.Field+" "+m.Value)
	}
	p.Field("words", strings.Join(words, "\n"))
}

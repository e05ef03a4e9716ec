package main

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/detect"
	"guardrails/service"
)

func (a *app) detectCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "detect PROMPT",
		Short: "Show which context a prompt yields, and by which words",
		Long: `Detect reads from a prompt what the task is about: its domain and its action, with the words that say so. When a
prompt names two domains or two actions, it is ambiguous. A prompt of - is read from stdin.

The config's domains are looked for too. Who acts is never read from a prompt.`,
		Example: `  guardrails detect 'fix the failing login test'
  echo 'review the pull request' | guardrails detect - -o json`,
		Args: arguments(1, 1, "give one prompt, in quotes"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.detect(c, args[0])
		},
	}
}

func (a *app) detect(c *cobra.Command, prompt string) error {
	settings, err := a.config()
	if err != nil {
		return err
	}
	if prompt == "-" {
		raw, _, err := a.readInput(prompt)
		if err != nil {
			return err
		}
		prompt = string(raw)
	}
	detector, err := detect.New(detect.Options{Agent: service.Agent(a.env, settings), Domains: settings.Domains})
	if err != nil {
		return err
	}
	result := detector.Detect(c.Context(), prompt)
	return a.answer(result, func(p *printer) { p.detection(&result) })
}

func (p *printer) detection(r *detect.Result) {
	none := func(s string) string {
		if s == "" {
			return "(nothing says)"
		}
		return s
	}
	p.field("agent", r.Agent)
	p.field("domain", none(r.Domain))
	p.field("action", none(r.Action))
	if r.Ambiguous {
		p.field("ambiguous", p.paint(yellow, "the words name more than one"))
	}
	var words []string
	for _, m := range r.Matches {
		words = append(words, flat(m.Word)+" at "+strconv.Itoa(m.Offset)+": "+m.Field+" "+m.Value)
	}
	p.field("words", strings.Join(words, "\n"))
}

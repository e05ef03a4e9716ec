package check

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/detect/advice"
	"guardrails/policy"
	"guardrails/service/screening"
	"guardrails/service/tools"
)

// gateCheck is a check of the safety gate.
type gateCheck struct{ name, tool, short, long, example string }

func gateChecks() []gateCheck {
	return []gateCheck{{
		"message", tools.CheckMessage, "Check whether a message may go to a model",
		`Message looks at what a person writes to a model: whether the person is in danger, or wants help to do harm.
The verdict is PROCEED, HOLD (a person should look at the message) or BLOCK. The input is a JSON object with the
field "message". Optional fields are "facts" (facts for policies), "user", "session_id" and "dry_run" (if it is
true, nothing is recorded).

The exit code is 3 if the verdict is BLOCK.`,
		`  echo '{"message": "killed it in the demo"}' | guardrails check message
  guardrails check message input.json -o json`,
	}, {
		"response", tools.CheckResponse, "Check whether an answer of a model may be delivered",
		`Response looks at what a model answers. Its gates find advice that only professionals should give, pressure on
the user, answers that do not help, promises that nobody can keep, and answers that make a user depend on the
model. Personal data is masked. If "user_message" shows a risk such as self-harm, and the settings name a model
or switch output_guard on, the output guard also checks whether the answer is safe for this person. The input is
a JSON object with the field "response". Optional fields are "user_message", "intents", "tools_used",
"message_id", "facts" (facts for policies), "user", "session_id" and "dry_run" (if it is true, nothing is
recorded).

The exit code is 3 if the verdict is BLOCK.`,
		`  echo '{"response": "I guarantee that this works. Mail anna@firma.de"}' | guardrails check response
  guardrails check response answer.json -o json`,
	}}
}

func (g gateCheck) command(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: g.name + " [FILE|-]", Short: g.short, Long: g.long, Example: g.example,
		Args: app.Args(0, 1, oneInput),
		RunE: func(c *cobra.Command, args []string) error { return g.run(c, a, args) },
	}
}

func (g gateCheck) run(c *cobra.Command, a *app.App, args []string) error {
	text, shown, err := input(a, args)
	if err != nil {
		return err
	}
	answer, err := tools.Call(c.Context(), a.Service(), g.tool, text)
	if problems, ok := errors.AsType[advice.Problems](err); ok {
		return inputProblems(shown, problems)
	}
	if err != nil {
		return app.Failf("%v", err)
	}
	action := ""
	show := func(*app.Printer) {}
	switch v := answer.(type) {
	case *screening.Answer:
		action, show = v.Safety.Action, func(p *app.Printer) { printVerdict(p, v) }
	case *screening.ResponseAnswer:
		action, show = v.Safety.Action, func(p *app.Printer) { printResponse(p, v) }
	}
	if err := a.Answer(answer, show); err != nil {
		return err
	}
	if action == policy.Block {
		return app.Exit(app.Refused)
	}
	return nil
}

func printVerdict(p *app.Printer, v *screening.Answer) {
	color := app.Green
	switch v.Safety.Action {
	case policy.Hold:
		color = app.Yellow
	case policy.Block:
		color = app.Red
	}
	p.Field("verdict", p.Paint(color, v.Safety.Action))
	p.Field("found", strings.Join(v.Safety.Flags, "\n"))
	p.Field("score", fmt.Sprintf("%.2f", v.Safety.RiskScore))
	var lines []string
	for _, m := range v.Analysis.Matched {
		lines = append(lines, fmt.Sprintf("%s  (%s, %s)", app.Flat(m.Phrase), m.Pattern, m.Strength))
	}
	p.Field("matched", strings.Join(lines, "\n"))
	if o := v.Analysis.Override; o != nil {
		p.Field("changed by", fmt.Sprintf("%s %s, from %s to %s", strings.ReplaceAll(o.Kind, "_", " "), o.Name, o.From, o.To))
	}
	p.Field("intents", strings.Join(v.Intents, "\n"))
	p.Field("policies", strings.Join(v.Policy.Matched, "\n"))
	p.Field("events", strings.Join(v.Policy.Events, "\n"))
	p.Field("referral", app.Flat(v.Referral))
	p.Field("notice", strings.Join(v.Notices, "\n"))
}

// printResponse prints the verdict about a response, and the text to deliver.
func printResponse(p *app.Printer, v *screening.ResponseAnswer) {
	printVerdict(p, &v.Answer)
	var lines []string
	for _, g := range v.Gates {
		lines = append(lines, fmt.Sprintf("%s: %s (%.2f)", g.Gate, g.Verdict, g.Score))
	}
	p.Field("gates", strings.Join(lines, "\n"))
	lines = nil
	for _, s := range v.PIIScrub {
		lines = append(lines, s.Category+" "+s.Marker)
	}
	p.Field("masked", strings.Join(lines, "\n"))
	if audit := &v.OutputAudit; audit.Run {
		p.Field("output guard", strings.ReplaceAll(audit.Result(), "_", " ")+" ("+strings.Join(audit.Risks, ", ")+")")
		p.Field("reason", app.Flat(audit.Reason))
	}
	p.Field("deliver", app.Flat(v.Response))
	if v.Dependence.Active {
		p.Field("wait", fmt.Sprintf("%d seconds, because of %s like this in the last hour", v.Dependence.DelaySeconds,
			app.Count(v.Dependence.RecentCount, "answer")))
	}
}

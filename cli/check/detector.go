package check

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/detect/advice"
	"guardrails/detect/contract"
	"guardrails/detect/loop"
	"guardrails/detect/talk"
	"guardrails/service/tools"
)

// The type "detector" is a command that reads JSON and gives the same answer as the server's tool.
type detector struct{ name, tool, short, long, example string }

func detectors() []detector {
	return []detector{
		{
			"rumination", contract.Rumination, "Check whether a prompt repeats earlier ones",
			`Rumination compares the words of a prompt with the words of earlier prompts. The input is a JSON object with
"current_prompt" and "history", a list of objects with "text" and "at", oldest first. Optional fields are
"window_minutes" (default 90), "threshold_count" (3), "similarity_threshold" (0.55) and "now".`,
			`  guardrails check rumination prompts.json
  echo '{"current_prompt": "is it done?", "history": []}' | guardrails check rumination - -o json`,
		},
		{
			"hyperfocus", contract.Hyperfocus, "Check whether a session has gone on for too long",
			`Hyperfocus compares the time since a session began with three thresholds: 60, 90 and 120 minutes. At these
times, the levels gentle, nudge and hard begin. After the time at which the user wanted to stop for the day,
gentle becomes nudge, and nudge becomes hard. The input is a JSON object with "chronometric_snapshot". This
field contains "now" and, if a session is open, "open_session". Optional fields of the input are "session_id",
"hyperfocus_break_minutes" (default 90), "end_of_day_local" and "escalation_thresholds".`,
			`  echo '{"chronometric_snapshot": {"now": "2026-05-16T15:00:00+01:00"}}' | guardrails check hyperfocus
  guardrails check hyperfocus session.json -o json`,
		},
		{
			"sycophancy", contract.Sycophancy, "Check whether an answer agrees or praises without a reason",
			`Sycophancy looks for four patterns: requests for reassurance, agreement without a trade-off, praise without
evidence, and a compliment at the end. The input is a JSON object with "candidate_response",
"recent_user_messages" or both. The field "decision_context" is optional.`,
			`  echo '{"candidate_response": "Perfect! Do it."}' | guardrails check sycophancy
  echo '{"candidate_response": "Yes, ship it."}' | guardrails check sycophancy - -o json`,
		},
		{
			"tool-loop", contract.ToolLoop, "Check whether an agent goes in circles",
			`Tool-loop looks at the latest tool calls of an agent: whether the last call failed with the same error as
earlier calls, whether it repeats earlier calls with the same result, or whether the agent alternates between two
calls. The input is a JSON object with "calls", a list of objects, oldest first. Each object has "tool", "input"
and "ok", and can have "error", "outcome", "at", "test" and "progress". Next to "calls", the input can have
"note_at" and "ask_at".`,
			`  guardrails check tool-loop calls.json
  guardrails check tool-loop calls.json -o json`,
		},
	}
}

func (d *detector) command(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: d.name + " [FILE|-]", Short: d.short, Long: d.long, Example: d.example, Args: app.Args(0, 1, oneInput),
		RunE: func(_ *cobra.Command, args []string) error { return d.run(a, args) },
	}
}

func (d *detector) run(a *app.App, args []string) error {
	text, shown, err := input(a, args)
	if err != nil {
		return err
	}
	s := a.Service()
	answer, err := tools.Call(context.Background(), s, d.tool, text)
	err = errors.Join(err, s.Close())
	if problems, ok := errors.AsType[advice.Problems](err); ok {
		return inputProblems(shown, problems)
	}
	if err != nil {
		return err
	}
	return a.Answer(answer, func(p *app.Printer) { show(p, answer) })
}

// inputProblems returns an error that lists all problems of an input.
func inputProblems(shown string, problems advice.Problems) error {
	lines := make([]string, len(problems))
	for i, p := range problems {
		lines[i] = shown + ": " + p.Error()
	}
	return app.Failf("%s", strings.Join(lines, "\n"))
}

// show() prints an answer for people.
func show(p *app.Printer, answer any) {
	switch r := answer.(type) {
	case *talk.RuminationAnswer:
		result(p, r.Detected, "repeated question", &r.Common)
		var lines []string
		for _, s := range r.SimilarPrompts {
			lines = append(lines, fmt.Sprintf("%s  %.2f  %s", s.At, s.Similarity, app.Flat(s.Text)))
		}
		p.Field("similar", strings.Join(lines, "\n"))
		dismissals(p, &r.Common)
	case *talk.HyperfocusAnswer:
		result(p, r.Level != talk.LevelNone, string(r.Level), &r.Common)
		p.Field("intent", app.Flat(r.PriorIntent))
		p.Field("suggestion", strings.ReplaceAll(string(r.SuggestedAction), "_", " "))
		dismissals(p, &r.Common)
	case *talk.SycophancyAnswer:
		result(p, r.Detected, strings.ReplaceAll(string(r.Pattern), "_", " "), &r.Common)
		var lines []string
		for _, s := range r.MatchedSpans {
			lines = append(lines, app.Flat(s.Text))
		}
		p.Field("matched", strings.Join(lines, "\n"))
		p.Field("ask for", r.CounterPrompt)
		dismissals(p, &r.Common)
	case *loop.Answer:
		result(p, r.Detected, strings.ReplaceAll(string(r.Pattern), "_", " ")+" ("+string(r.Level)+")", &r.Common)
		dismissals(p, &r.Common)
	}
}

// result() prints what was found and why.
func result(p *app.Printer, detected bool, what string, c *advice.Common) {
	if detected {
		p.Field("found", p.Paint(app.Yellow, what))
	} else {
		p.Field("found", "nothing")
	}
	p.Field("reason", app.Flat(c.Reason))
	p.Field("confidence", fmt.Sprintf("%.2f", c.Confidence))
}

// dismissals() prints the ways to dismiss a detection and to report a false alarm.
func dismissals(p *app.Printer, c *advice.Common) {
	var lines []string
	for _, o := range c.OverrideOptions {
		lines = append(lines, fmt.Sprintf("%-20s %s", o.Token, o.Description))
	}
	p.Field("dismiss with", strings.Join(lines, "\n"))
	if len(lines) > 0 && c.FeedbackPath != advice.NoFeedback {
		p.Field("false alarm", c.FeedbackPath)
	}
}

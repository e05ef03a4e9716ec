package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/hooks"
	"guardrails/internal/document"
	"guardrails/store"
	"guardrails/webhook"
	"guardrails/webhook/registry"
	"guardrails/webhook/send"
)

func webhooksCommand(a *app.App) *cobra.Command {
	const verbs = "use add, list, test, rotate, deliveries, replay, enable or remove"
	c := &cobra.Command{
		Use:   "webhooks add|list|test|rotate|deliveries|replay|enable|remove",
		Short: "Send events to other programs, for example to Slack",
		Long: `A webhook is a URL to which guardrails sends events, for example when the safety gate blocks or holds a message,
or when a policy fires an event. A running server sends the events ("guardrails serve", or "guardrails mcp", which
Claude Code starts).

Events say that something happened, not what was written: the field "preview" is null unless the settings have
"safety: {preview: masked}". See docs/webhooks.md for the events, and for example receivers that check the signatures.`,
		Example: `  guardrails webhooks add https://hooks.example.com/guardrails --event 'safety.*'
  guardrails webhooks list`,
		Args: app.Args(1, 1, verbs),
		RunE: func(c *cobra.Command, args []string) error {
			return app.Usagef("%s: there is no command %s; %s", c.CommandPath(), document.Excerpt(args[0]), verbs)
		},
	}
	c.AddCommand(webhooksAddCommand(a), webhooksListCommand(a), webhooksTestCommand(a), webhooksRotateCommand(a),
		webhooksDeliveriesCommand(a), webhooksReplayCommand(a), webhooksEnableCommand(a), webhooksRemoveCommand(a))
	return c
}

// withRegistry opens the registry with the webhooks of the project's tenant.
func withRegistry(a *app.App, c *cobra.Command, absent absence, work func(ctx context.Context, r *registry.Registry) error) error {
	return withStore(a, c, absent, func(ctx context.Context, s *projectStore) error {
		r := &registry.Registry{
			Store: s.Webhooks(), Sender: send.New(version(a), a.Clock(), hooks.Mask), Now: a.Clock(),
		}
		err := work(ctx, r)
		if problems, wrong := errors.AsType[document.Problems](err); wrong {
			return app.Failf("%s: %v", c.CommandPath(), problems)
		}
		if store.CodeOf(err) == store.NotFound {
			return app.Failf("%s: %v; to see all webhooks, run: guardrails webhooks list", c.CommandPath(), err)
		}
		return err
	})
}

// changeRegistry is like withRegistry, for a command that only a person may run.
func changeRegistry(a *app.App, c *cobra.Command, absent absence, work func(ctx context.Context, r *registry.Registry) error) error {
	if err := a.RequirePerson(c, "an agent must not change where events are sent"); err != nil {
		return err
	}
	return withRegistry(a, c, absent, work)
}

func version(a *app.App) string {
	if a.Release == "" {
		return "dev"
	}
	return a.Release
}

func webhooksAddCommand(a *app.App) *cobra.Command {
	var events []string
	var format, description string
	var private bool
	c := &cobra.Command{
		Use:   "add URL|-",
		Short: "Add a webhook",
		Long: `Add adds a webhook. The webhook gets the events that happen from now on. If URL is -, the command reads the URL from
stdin. Then the URL does not stay in the history of your shell: URLs of Slack and Discord are secrets.

The URL must begin with https://. The URL of a receiver on this computer can also begin with http://, followed by
localhost or a loopback address. Addresses in private networks are refused when guardrails connects, unless you
allow them with --allow-private.

Add shows the secret once. With the secret, receivers check that a request comes from guardrails. Slack and Discord
need no secret.`,
		Example: `  guardrails webhooks add https://hooks.example.com/guardrails
  guardrails webhooks add https://hooks.example.com/guardrails --event safety.blocked --event 'proactive.*'
  guardrails webhooks add - < slack-url.txt`,
		Args: app.Args(1, 1, "give one URL, or - to read it from stdin"),
		RunE: func(c *cobra.Command, args []string) error {
			address := args[0]
			if address == "-" {
				text, _, err := a.ReadInput("-")
				if err != nil {
					return err
				}
				address = strings.TrimSpace(string(text))
			}
			choice := registry.Choice{URL: &address, Events: events, AllowPrivate: &private, Description: &description}
			if format != "" {
				choice.Format = &format
			}
			return changeRegistry(a, c, create, func(ctx context.Context, r *registry.Registry) error {
				added, err := r.Add(ctx, choice)
				if err != nil {
					return err
				}
				return a.Answer(added, func(p *app.Printer) { printSecret(p, &added, "added") })
			})
		},
	}
	c.Flags().StringArrayVar(&events, "event", nil, "send this `EVENT`: *, a prefix such as safety.*, or a name (repeatable; default *)")
	c.Flags().StringVar(&format, "format", "", "write the body as `FORMAT`: "+strings.Join(webhook.Formats(), ", ")+" (default: the format that the host expects)")
	c.Flags().StringVar(&description, "description", "", "a short `TEXT` for people")
	c.Flags().BoolVar(&private, "allow-private", false, "allow addresses in private networks")
	app.CompleteFlag(c, "format", webhook.Formats()...)
	app.CompleteFlag(c, "event", "*", "safety.*", webhook.SafetyBlocked, webhook.SafetyHold, webhook.SafetyObserved,
		webhook.OutputIntervened, webhook.DecisionDenied, webhook.DecisionAsked, "detector.*")
	return c
}

func printSecret(p *app.Printer, s *registry.Secret, done string) {
	p.Line("%s %s", p.Paint(app.Bold, s.ID), done)
	p.Field("sends to", s.URL+" ("+s.Format+")")
	p.Field("events", strings.Join(s.Events, ", "))
	if s.Secret != "" {
		p.Field("secret", s.Secret)
		p.Line("The secret is shown only now. Receivers need it to check signatures.")
	}
	p.Line("Events contain no text that people or models wrote, unless the setting safety.preview is \"masked\".")
	p.Line("Try it: guardrails webhooks test %s", s.ID)
}

func webhooksListCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "Show all webhooks and their last try",
		Long:    "List shows each webhook with its events and the result of its last try. Parts of URLs that can be secrets are left out.",
		Example: "  guardrails webhooks list\n  guardrails webhooks list -o json",
		Args:    app.Args(0, 0, "it takes no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			return withRegistry(a, c, mustExist, func(ctx context.Context, r *registry.Registry) error {
				list, err := r.List(ctx)
				if err != nil {
					return err
				}
				answer := struct {
					Webhooks []registry.View `json:"webhooks"`
				}{list}
				return a.Answer(answer, func(p *app.Printer) { printWebhooks(p, list) })
			})
		},
	}
}

func printWebhooks(p *app.Printer, list []registry.View) {
	for i := range list {
		v := &list[i]
		state := p.Paint(app.Green, "on")
		if !v.Enabled {
			state = p.Paint(app.Red, "off") + " (" + app.Flat(v.DisabledReason) + ")"
		}
		p.Line("%s  %s  %s", p.Paint(app.Bold, v.ID), app.Flat(v.URL), state)
		p.Line("    %s: %s", v.Format, strings.Join(v.Events, ", "))
		if v.Description != "" {
			p.Line("    %s", app.Flat(v.Description))
		}
		if v.LastTry != nil {
			p.Line("    last try %s", tryText(v.LastTry))
		}
	}
	p.Line("%s", app.Count(len(list), "webhook"))
}

// tryText describes, in one line, an attempt to deliver an event.
func tryText(t *store.Try) string {
	answer := fmt.Sprintf("status %d", t.Status)
	if t.Error != "" {
		answer = app.Flat(t.Error)
	}
	text := fmt.Sprintf("%s: %s after %d ms", formatTime(t.At), answer, t.DurationMS)
	if !t.Next.IsZero() {
		text += ", next try " + formatTime(t.Next)
	}
	return text
}

func webhooksTestCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "test ID",
		Short:   "Send a test event now",
		Long:    "Test sends the event webhook.test to a webhook and shows the answer. It also works while the webhook is off. The exit code is 1 if the test was not delivered.",
		Example: "  guardrails webhooks test wh_2f0c6c1c0f6f5d7e8a90",
		Args:    app.Args(1, 1, "name one webhook"),
		RunE: func(c *cobra.Command, args []string) error {
			return changeRegistry(a, c, mustExist, func(ctx context.Context, r *registry.Registry) error {
				d, err := r.Test(ctx, args[0])
				return answerDelivery(a, &d, err)
			})
		},
	}
}

// answerDelivery shows what happened when an event was sent. If the event was not delivered, the command fails.
func answerDelivery(a *app.App, d *store.Delivery, err error) error {
	if err != nil {
		return err
	}
	if err := a.Answer(d, func(p *app.Printer) { printDelivery(p, d) }); err != nil || d.State == store.DeliveryDone {
		return err
	}
	return app.Exit(app.Failed)
}

func printDelivery(p *app.Printer, d *store.Delivery) {
	color := map[string]app.Color{store.DeliveryDone: app.Green, store.DeliveryPending: app.Yellow}[d.State]
	if color == "" {
		color = app.Red
	}
	of := ""
	if d.ReplayOf != "" {
		of = "  replay of " + d.ReplayOf
	}
	p.Line("%s  %s  %s  %s%s", formatTime(d.Created), d.ID, app.Flat(d.Event), p.Paint(color, d.State), of)
	for i := range d.Tries {
		p.Line("    try %d at %s", d.Tries[i].Attempt, tryText(&d.Tries[i]))
		if d.Tries[i].Answer != "" {
			p.Line("        %s", app.Flat(d.Tries[i].Answer))
		}
	}
}

func webhooksRotateCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "rotate ID",
		Short:   "Give a webhook a new secret",
		Long:    "Rotate makes a new secret and shows it once. For 24 hours, each request has two signatures: one with the new secret, and one with the old one.",
		Example: "  guardrails webhooks rotate wh_2f0c6c1c0f6f5d7e8a90",
		Args:    app.Args(1, 1, "name one webhook"),
		RunE: func(c *cobra.Command, args []string) error {
			return changeRegistry(a, c, mustExist, func(ctx context.Context, r *registry.Registry) error {
				rotated, err := r.Rotate(ctx, args[0])
				if err != nil {
					return err
				}
				return a.Answer(rotated, func(p *app.Printer) {
					p.Line("%s has a new secret; for 24 hours, requests are also signed with the old "+
						"secret", p.Paint(app.Bold, rotated.ID))
					p.Field("secret", rotated.Secret)
					p.Line("The secret is shown only now.")
				})
			})
		},
	}
}

func webhooksDeliveriesCommand(a *app.App) *cobra.Command {
	var paging store.Paging
	c := &cobra.Command{
		Use:   "deliveries ID",
		Short: "Show what was sent to a webhook, the newest first",
		Long: `Deliveries shows each event that was sent to a webhook, with all tries and the answers. Deliveries are kept for 30
days, and at most 10,000 of them. With -o json it also shows the bodies.`,
		Example: "  guardrails webhooks deliveries wh_2f0c6c1c0f6f5d7e8a90",
		Args:    app.Args(1, 1, "name one webhook"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkPaging(c, &paging); err != nil {
				return err
			}
			return withRegistry(a, c, mustExist, func(ctx context.Context, r *registry.Registry) error {
				page, err := r.Deliveries(ctx, args[0], paging)
				if err != nil {
					return err
				}
				answer := struct {
					Deliveries []store.Delivery `json:"deliveries"`
					pageNumbers
				}{page.Items, numbers(&page)}
				return a.Answer(answer, func(p *app.Printer) {
					for i := range page.Items {
						printDelivery(p, &page.Items[i])
					}
					printPages(p, answer.pageNumbers, "delivery")
				})
			})
		},
	}
	addPaging(c.Flags(), &paging, "deliveries")
	return c
}

func webhooksReplayCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "replay ID DELIVERY",
		Short: "Send a delivery again",
		Long: "Replay sends the same body again, as a new delivery with a new time in its signature. If the delivery " +
			"fails, a running server tries again later.",
		Example: "  guardrails webhooks replay wh_2f0c6c1c0f6f5d7e8a90 dlv_0d5b4c3e1f6a7b8c9d0e1f2a3b4c5d6e",
		Args:    app.Args(2, 2, "name one webhook and one of its deliveries"),
		RunE: func(c *cobra.Command, args []string) error {
			return changeRegistry(a, c, mustExist, func(ctx context.Context, r *registry.Registry) error {
				d, err := r.Replay(ctx, args[0], args[1])
				return answerDelivery(a, &d, err)
			})
		},
	}
}

func webhooksEnableCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "enable ID",
		Short: "Switch on a webhook that was disabled",
		Long: `Enable switches a webhook on. guardrails disables a webhook when its receiver answers 410 Gone, and when 20 tries
in a row have failed over more than a day. The webhook gets the events that happen from now on, and the deliveries
that were still waiting.`,
		Example: "  guardrails webhooks enable wh_2f0c6c1c0f6f5d7e8a90",
		Args:    app.Args(1, 1, "name one webhook"),
		RunE: func(c *cobra.Command, args []string) error {
			return changeRegistry(a, c, mustExist, func(ctx context.Context, r *registry.Registry) error {
				on := true
				v, err := r.Change(ctx, args[0], 0, registry.Choice{Enabled: &on})
				if err != nil {
					return err
				}
				return a.Answer(v, func(p *app.Printer) { p.Line("%s is on", p.Paint(app.Bold, v.ID)) })
			})
		},
	}
}

func webhooksRemoveCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "remove ID",
		Short: "Remove a webhook",
		Long: "Remove removes a webhook and its secret. Nothing more is sent to it. Its past deliveries can still " +
			"be shown until the store removes them.",
		Example: "  guardrails webhooks remove wh_2f0c6c1c0f6f5d7e8a90",
		Args:    app.Args(1, 1, "name one webhook"),
		RunE: func(c *cobra.Command, args []string) error {
			return changeRegistry(a, c, mustExist, func(ctx context.Context, r *registry.Registry) error {
				if err := r.Remove(ctx, args[0], 0); err != nil {
					return err
				}
				answer := struct {
					ID      string `json:"id"`
					Removed bool   `json:"removed"`
				}{args[0], true}
				return a.Answer(answer, func(p *app.Printer) { p.Line("%s is removed", p.Paint(app.Bold, args[0])) })
			})
		},
	}
}

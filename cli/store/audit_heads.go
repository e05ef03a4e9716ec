package store

import (
	"context"
	"encoding/base64"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/internal/private"
	"guardrails/store/notedheads"
)

func auditHeadsCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "heads",
		Short: "Show the newest entry of every chain of the audit",
		Long: `Heads shows the newest entry (the head) of every chain of the audit, as it is noted outside of the store. The
JSON answer contains the signature of the note and the keys that sign notes. Keep the answer on another computer:
verify --heads compares the audit with it.`,
		Example: `  guardrails audit heads
  guardrails audit heads -o json`,
		Args: app.Args(0, 0, "it takes only flags"),
		RunE: func(c *cobra.Command, _ []string) error {
			return withAudit(a, c, func(ctx context.Context, s *projectStore) error { return showHeads(ctx, a, s) })
		},
	}
}

func showHeads(ctx context.Context, a *app.App, s *projectStore) error {
	note, err := s.NoteHeads(ctx)
	keys, failed := s.Keys()
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	answer := notedheads.Answer(note, keys)
	return a.Answer(answer, func(p *app.Printer) {
		for _, h := range answer.Note.Heads {
			p.Line("%ss written by %s: entry %d  %s", h.Kind, app.Flat(h.Writer), h.Seq, h.Hash)
		}
		if answer.Note.Key != "" {
			p.Line("signed with the key %s", answer.Note.Key)
		}
	})
}

func auditKeyCommand(a *app.App) *cobra.Command {
	var rotate bool
	c := &cobra.Command{
		Use:   "key",
		Short: "Make the key that signs the record of the newest audit entries, or show it",
		Long: `Key makes a key (Ed25519) that signs the heads that are noted outside of the store. The private part is in the
state folder, in audit/signing-key, which only you can read. If there is a key, the command shows the public
keys. With --rotate, it replaces the key; the signatures of earlier keys stay valid.`,
		Example: `  guardrails audit key
  guardrails audit key --rotate`,
		Args: app.Args(0, 0, "it takes only flags"),
		RunE: func(c *cobra.Command, _ []string) error { return auditKey(a, c, rotate) },
	}
	c.Flags().BoolVar(&rotate, "rotate", false, "replace the key with a new one")
	return c
}

func auditKey(a *app.App, c *cobra.Command, rotate bool) error {
	state, err := private.StateDir(a.Env)
	if err != nil {
		return err
	}
	book := notedheads.Open(func() (string, error) { return state, nil }, "", a.Clock())
	keys, err := book.Keys()
	if err != nil {
		return app.Failf("%s: %v", c.CommandPath(), err)
	}
	if len(keys) == 0 || rotate {
		if err := a.RequirePerson(c, "an agent must not change the key that protects the records of its own calls"); err != nil {
			return err
		}
		if _, err := notedheads.MakeKey(state, a.Clock()(), rotate); err != nil {
			return app.Failf("%s: %v", c.CommandPath(), err)
		}
		if keys, err = book.Keys(); err != nil {
			return err
		}
	}
	return a.Answer(map[string]notedheads.Keys{"keys": keys}, func(p *app.Printer) {
		for _, k := range keys {
			until := "signs"
			if !k.Replaced.IsZero() {
				until = "replaced " + k.Replaced.Format(time.RFC3339)
			}
			p.Line("%s  %s  made %s  %s", k.ID, base64.StdEncoding.EncodeToString(k.Public),
				k.Created.Format(time.RFC3339), until)
		}
	})
}

func auditAcceptCommand(a *app.App) *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:   "accept",
		Short: "Accept the chains of the audit as they are now, for example after a restore",
		Long: `After accept, "audit verify" compares the audit only with the current heads (the newest entry of each chain) and
with later ones. It ignores heads that were noted earlier. Use accept after you have restored a copy of the store,
if verify reports only entries that the copy lacks. Your name and the time are kept with the heads.`,
		Example: `  guardrails audit accept --yes`,
		Args:    app.Args(0, 0, "it takes only flags"),
		RunE:    func(c *cobra.Command, _ []string) error { return auditAccept(a, c, yes) },
	}
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask for confirmation")
	return c
}

func auditAccept(a *app.App, c *cobra.Command, yes bool) error {
	return changeStore(a, c, mustExist, func(ctx context.Context, s *projectStore) error {
		switch {
		case yes:
		case !a.Interactive:
			return app.Usagef("%s: stdin is not a terminal; pass --yes to confirm", c.CommandPath())
		case !a.Confirm("From now on, verify ignores earlier notes, so it cannot find entries that are missing now. Continue?"):
			return app.Failf("%s: nothing was accepted", c.CommandPath())
		}
		note, err := s.AcceptHeads(ctx)
		if err != nil {
			return err
		}
		return a.Answer(note, func(p *app.Printer) {
			p.Line("accepted; from now on, guardrails audit verify compares with %s", app.Count(len(note.Heads), "head"))
		})
	})
}

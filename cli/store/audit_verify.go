package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/notedheads"
)

func auditVerifyCommand(a *app.App) *cobra.Command {
	var heads string
	var full bool
	c := &cobra.Command{
		Use:   "verify",
		Short: "Find entries of the audit that were altered, removed, reordered or cut off",
		Long: `Verify reads the audit of the project's tenant and compares the guidelines with their recorded changes. It names
each entry that was altered, removed, moved or cut off. If there is such an entry, the exit code is 3.

It reads all changes, the decisions since the last verification that found no damage, and a 30th of each chain,
but at least 10,000 entries. So 30 verifications read everything again. With --full, it reads every entry.

Someone who can write to the store can also rewrite a whole chain of entries. So a server notes the newest
entry (the head) of every chain outside of the store, and verify compares the audit with these notes. You can
also keep heads on another computer: save the JSON answer there, and pass the file with --heads the next time.

  guardrails audit verify --heads heads.json -o json > heads.new && mv heads.new heads.json`,
		Example: `  guardrails audit verify
  guardrails audit verify --full -o json`,
		Args: app.Args(0, 0, "it takes only flags"),
		RunE: func(c *cobra.Command, _ []string) error { return auditVerify(a, c, heads, full) },
	}
	c.Flags().StringVar(&heads, "heads", "",
		"also compare the audit with this `FILE`, an earlier JSON answer of \"audit verify\" or \"audit heads\"; - is stdin")
	c.Flags().BoolVar(&full, "full", false, "read every entry, including those that were verified before")
	return c
}

type verification struct {
	Intact bool `json:"intact"`
	// The field "Full" is the time of the last verification that read every entry.
	Full     time.Time       `json:"last_full,omitzero"`
	Verdicts []store.Verdict `json:"verdicts"`
}

func auditVerify(a *app.App, c *cobra.Command, file string, full bool) error {
	var heads []store.Head
	if file != "" {
		var err error
		if heads, err = readHeads(a, file); err != nil {
			return err
		}
	}
	return withAudit(a, c, func(ctx context.Context, s *projectStore) error {
		if i := slices.IndexFunc(heads, func(h store.Head) bool { return h.Tenant != s.tenant }); i >= 0 {
			return app.Failf("%s: %s is for the tenant %q, but the project's tenant is %q; give the file of this tenant",
				c.CommandPath(), file, heads[i].Tenant, s.tenant)
		}
		notes, _, err := s.Notes()
		if err != nil {
			return err
		}
		found, err := s.Verify(ctx, live.Verifying{Full: full, Heads: heads})
		if err != nil {
			return err
		}
		answer := verification{found.Intact(), found.Full, append([]store.Verdict{}, found.Verdicts...)}
		if err := a.Answer(answer, func(p *app.Printer) {
			printVerification(p, &answer, len(heads), len(notedheads.Heads(notes)))
		}); err != nil {
			return err
		}
		if !answer.Intact {
			return app.Exit(app.Refused)
		}
		return nil
	})
}

func isDamaged(v store.Verdict) bool { return v.Fault != nil }

// readHeads reads the heads (the newest entries) of the chains from a file. The file has an earlier output of "audit
// verify" or "audit heads".
func readHeads(a *app.App, name string) ([]store.Head, error) {
	text, shown, err := a.ReadInput(name)
	if err != nil {
		return nil, err
	}
	var answer notedheads.Heading
	if json.Unmarshal(text, &answer) == nil && len(answer.Note.Heads) > 0 {
		return answer.Note.Heads, nil
	}
	var earlier verification
	if err := json.Unmarshal(text, &earlier); err != nil || earlier.Verdicts == nil {
		return nil, app.Failf("%s: contains no heads; write them with: guardrails audit verify -o json > FILE", shown)
	}
	if !earlier.Intact || slices.ContainsFunc(earlier.Verdicts, isDamaged) {
		return nil, app.Failf("%s: was written when the audit was already damaged; give an earlier file", shown)
	}
	var heads []store.Head
	for i := range earlier.Verdicts {
		heads = append(heads, earlier.Verdicts[i].Head)
	}
	return heads, nil
}

func printVerification(p *app.Printer, v *verification, heads, notes int) {
	var total, skipped int64
	for i := range v.Verdicts {
		total += v.Verdicts[i].Entries
		skipped += v.Verdicts[i].Skipped
		printFault(p, &v.Verdicts[i])
	}
	compared := ""
	if heads > 0 {
		compared = fmt.Sprintf(", compared with %s", app.Count(heads, "earlier head"))
	}
	if notes > 0 {
		compared += fmt.Sprintf(", compared with %s", app.Count(notes, "noted head"))
	}
	if v.Intact {
		p.Line("%s: %s in %s%s", p.Paint(app.Green, "intact"), app.Count(int(total), "entry"),
			app.Count(len(v.Verdicts), "chain"), compared)
		switch {
		case skipped > 0 && v.Full.IsZero():
			p.Line("this verification did not read %s again; to read every entry at once, run: guardrails audit verify --full",
				app.Count(int(skipped), "entry"))
		case skipped > 0:
			p.Line("this verification did not read %s again; the last verification that read every entry was at %s",
				app.Count(int(skipped), "entry"), v.Full.Format(time.RFC3339))
		}
		return
	}
	p.Line("%s: entries of the audit were changed after they were written; keep a copy of the store and check who can write to it",
		p.Paint(app.Red, "damaged"))
}

// printFault prints the fault of a verdict. A verdict without a writer is about a guideline. The text of the fault says
// which guideline is meant.
func printFault(p *app.Printer, v *store.Verdict) {
	switch f := v.Fault; {
	case f == nil:
	case v.Writer == "":
		p.Line("%s  %s", p.Paint(app.Red, string(f.Damage)), app.Flat(f.Why))
	case f.Seq == 0:
		p.Line("%s  the %ss written by %s: %s",
			p.Paint(app.Red, string(f.Damage)), v.Kind, app.Flat(v.Writer), app.Flat(f.Why))
	default:
		p.Line("%s  entry %d of the %ss written by %s: %s",
			p.Paint(app.Red, string(f.Damage)), f.Seq, v.Kind, app.Flat(v.Writer), app.Flat(f.Why))
	}
}

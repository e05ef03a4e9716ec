package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"guardrails/cli/app"

	"github.com/spf13/cobra"

	"guardrails/store"
)

func auditVerifyCommand(a *app.App) *cobra.Command {
	var noted string
	c := &cobra.Command{
		Use:   "verify",
		Short: "Find entries of the audit that were altered, removed, reordered or cut off",
		Long: `Verify reads the whole audit of the project's tenant and compares the guidelines with the changes in it. It says which
entry was altered, removed, put elsewhere or cut off, and ends with 3 when there is one.

Whoever can write the store can also write a chain anew, up to its end. Only what was kept elsewhere shows that: the
answer as JSON holds the newest entry of every chain. Keep it in another place, and verify against it with --heads:

  guardrails audit verify --heads heads.json -o json > heads.new && mv heads.new heads.json`,
		Example: `  guardrails audit verify
  guardrails audit verify -o json`,
		Args: app.Args(0, 0, "it takes flags only"),
		RunE: func(c *cobra.Command, _ []string) error { return auditVerify(a, c, noted) },
	}
	c.Flags().StringVar(&noted, "heads", "", "what verify -o json said earlier: a `FILE`, or - for stdin")
	return c
}

// verification is the answer of verify.
type verification struct {
	Intact   bool            `json:"intact"`
	Verdicts []store.Verdict `json:"verdicts"`
}

func auditVerify(a *app.App, c *cobra.Command, noted string) error {
	var heads []store.Head
	if noted != "" {
		var err error
		if heads, err = readHeads(a, noted); err != nil {
			return err
		}
	}
	return atAudit(a, c, func(ctx context.Context, b *book) error {
		if of := slices.IndexFunc(heads, func(h store.Head) bool { return h.Tenant != b.tenant }); of >= 0 {
			return app.Failf("%s: the heads in %s are of the tenant %q, and this project's is %q; give those of the same", c.CommandPath(), noted, heads[of].Tenant, b.tenant)
		}
		verdicts, err := b.Verify(ctx, heads...)
		if err != nil {
			return err
		}
		answer := verification{!slices.ContainsFunc(verdicts, damaged), append([]store.Verdict{}, verdicts...)}
		if err := a.Answer(answer, func(p *app.Printer) { printVerification(p, &answer, len(heads)) }); err != nil {
			return err
		}
		if !answer.Intact {
			return app.Exit(app.Refused)
		}
		return nil
	})
}

func damaged(v store.Verdict) bool { return v.Fault != nil }

// readHeads reads what verify said earlier.
func readHeads(a *app.App, name string) ([]store.Head, error) {
	text, shown, err := a.ReadInput(name)
	if err != nil {
		return nil, err
	}
	var earlier verification
	if err := json.Unmarshal(text, &earlier); err != nil || earlier.Verdicts == nil {
		return nil, app.Failf("%s: holds no heads; write them by: guardrails audit verify -o json > FILE", shown)
	}
	if !earlier.Intact || slices.ContainsFunc(earlier.Verdicts, damaged) {
		return nil, app.Failf("%s: was written when the audit was damaged already; give an earlier one", shown)
	}
	var heads []store.Head
	for i := range earlier.Verdicts {
		heads = append(heads, earlier.Verdicts[i].Head)
	}
	return heads, nil
}

func printVerification(p *app.Printer, v *verification, noted int) {
	var total int64
	for i := range v.Verdicts {
		verdict := &v.Verdicts[i]
		total += verdict.Entries
		printFault(p, verdict)
	}
	against := ""
	if noted > 0 {
		against = fmt.Sprintf(", against %s noted earlier", app.Count(noted, "head"))
	}
	if v.Intact {
		p.Line("%s: %s in %s%s", p.Paint(app.Green, "intact"), entries(total), app.Count(len(v.Verdicts), "chain"), against)
		return
	}
	p.Line("%s: the audit is not what was written; keep a copy of the store, and look at who can write it", p.Paint(app.Red, "damaged"))
}

// fault says what was done to which entry. A guideline that no entry explains has none.
func printFault(p *app.Printer, v *store.Verdict) {
	switch f := v.Fault; {
	case f == nil:
	case v.Writer == "":
		p.Line("%s  %s", p.Paint(app.Red, string(f.Damage)), app.Flat(f.Why))
	default:
		p.Line("%s  entry %d of the %ss written by %s: %s", p.Paint(app.Red, string(f.Damage)), f.Seq, v.Kind, app.Flat(v.Writer), app.Flat(f.Why))
	}
}

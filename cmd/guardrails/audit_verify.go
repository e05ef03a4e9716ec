package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"guardrails/store"
)

func (a *app) auditVerifyCommand() *cobra.Command {
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
		Args: arguments(0, 0, "it takes flags only"),
		RunE: func(c *cobra.Command, _ []string) error { return a.auditVerify(c, noted) },
	}
	c.Flags().StringVar(&noted, "heads", "", "what verify -o json said earlier: a `FILE`, or - for stdin")
	return c
}

// verification is the answer of verify.
type verification struct {
	Intact   bool            `json:"intact"`
	Verdicts []store.Verdict `json:"verdicts"`
}

func (a *app) auditVerify(c *cobra.Command, noted string) error {
	var heads []store.Head
	if noted != "" {
		var err error
		if heads, err = a.readHeads(noted); err != nil {
			return err
		}
	}
	return a.atAudit(c, func(ctx context.Context, b *book) error {
		if of := slices.IndexFunc(heads, func(h store.Head) bool { return h.Tenant != b.tenant }); of >= 0 {
			return failure("%s: the heads in %s are of the tenant %q, and this project's is %q; give those of the same", c.CommandPath(), noted, heads[of].Tenant, b.tenant)
		}
		verdicts, err := b.Verify(ctx, heads...)
		if err != nil {
			return err
		}
		answer := verification{!slices.ContainsFunc(verdicts, damaged), append([]store.Verdict{}, verdicts...)}
		if err := a.answer(answer, func(p *printer) { p.verification(&answer, len(heads)) }); err != nil {
			return err
		}
		if !answer.Intact {
			return &outcome{code: refused}
		}
		return nil
	})
}

func damaged(v store.Verdict) bool { return v.Fault != nil }

// readHeads reads what verify said earlier.
func (a *app) readHeads(name string) ([]store.Head, error) {
	text, shown, err := a.readInput(name)
	if err != nil {
		return nil, err
	}
	var earlier verification
	if err := json.Unmarshal(text, &earlier); err != nil || earlier.Verdicts == nil {
		return nil, failure("%s: holds no heads; write them by: guardrails audit verify -o json > FILE", shown)
	}
	if !earlier.Intact || slices.ContainsFunc(earlier.Verdicts, damaged) {
		return nil, failure("%s: was written when the audit was damaged already; give an earlier one", shown)
	}
	var heads []store.Head
	for i := range earlier.Verdicts {
		heads = append(heads, earlier.Verdicts[i].Head)
	}
	return heads, nil
}

func (p *printer) verification(v *verification, noted int) {
	var total int64
	for i := range v.Verdicts {
		verdict := &v.Verdicts[i]
		total += verdict.Entries
		p.fault(verdict)
	}
	against := ""
	if noted > 0 {
		against = fmt.Sprintf(", against %s noted earlier", count(noted, "head"))
	}
	if v.Intact {
		p.line("%s: %s in %s%s", p.paint(green, "intact"), entries(total), count(len(v.Verdicts), "chain"), against)
		return
	}
	p.line("%s: the audit is not what was written; keep a copy of the store, and look at who can write it", p.paint(red, "damaged"))
}

// fault says what was done to which entry. A guideline that no entry explains has none.
func (p *printer) fault(v *store.Verdict) {
	switch f := v.Fault; {
	case f == nil:
	case v.Writer == "":
		p.line("%s  %s", p.paint(red, string(f.Damage)), flat(f.Why))
	default:
		p.line("%s  entry %d of the %ss written by %s: %s", p.paint(red, string(f.Damage)), f.Seq, v.Kind, flat(v.Writer), flat(f.Why))
	}
}

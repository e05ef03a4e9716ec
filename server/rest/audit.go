package rest

import (
	"net/http"
	"time"

	"guardrails/internal/document"
	"guardrails/server/access"
	"guardrails/service/remote"
	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/notedheads"
)

// auditFilter returns the filter for audit entries that the query parameters describe.
func (c *call) auditFilter() store.AuditFilter {
	f := store.AuditFilter{From: c.query.Time(store.AuditFrom), To: c.query.Time(store.AuditTo)}
	for _, field := range store.AuditFields() {
		if !field.IsTime {
			f.Set(field.Name, c.query.Text(field.Name))
		}
	}
	return f
}

func (c *call) audit() error {
	tenantStore, err := c.auditStore()
	if err != nil {
		return err
	}
	page, err := tenantStore.Audit(c.r.Context(), store.AuditQuery{AuditFilter: c.auditFilter(), Paging: c.paging()})
	if err != nil {
		return err
	}
	entries := page.Items
	if entries == nil {
		entries = []store.Entry{}
	}
	return c.say(http.StatusOK, struct {
		Entries []store.Entry `json:"entries"`
		counted
	}{entries, countedOf(&page)})
}

// addDecisions adds to the audit the decisions that hooks on another computer have made. Each decision counts as a
// change.
func (c *call) addDecisions() error {
	n, d, err := c.object()
	if err != nil {
		return err
	}
	sent := remote.ReadDecisions(d, n)
	if len(d.Problems) > 0 {
		return invalid(d.Problems)
	}
	if err := c.pace(max(1, len(sent))); err != nil {
		return err
	}
	to, err := c.tenantStore()
	if err != nil {
		return err
	}
	entries := make([]store.Entry, len(sent))
	different := map[string]bool{}
	for i := range sent {
		entries[i] = sent[i].Entry(c.caller.Name, c.caller.Tenant, c.h.o.Now())
		different[entries[i].ID] = true
	}
	if _, err := to.Append(c.r.Context(), entries...); err != nil {
		return err
	}
	return c.say(http.StatusOK, struct {
		Count int `json:"count"`
	}{len(different)})
}

// heads() answers with the newest entries (heads) of the audit's chains, and with the keys with which these heads are
// signed.
func (c *call) heads() error {
	tenantStore, err := c.tenantStore()
	if err != nil {
		return err
	}
	note, err := tenantStore.NoteHeads(c.r.Context())
	if err != nil {
		return err
	}
	keys, err := tenantStore.Keys()
	if err != nil {
		return err
	}
	return c.say(http.StatusOK, notedheads.Answer(note, keys))
}

// The type "verdict" is the result of checking one chain of the audit.
type verdict struct {
	store.Verdict
	Intact bool `json:"intact"`
}

// verify() verifies the audit. At any moment, the server answers at most one such request of a tenant, and at most
// maxVerifications such requests in total.
func (c *call) verify() error {
	tenant := access.Caller{Tenant: c.caller.Tenant}
	if !c.h.verifying.Enter(tenant) {
		return busy("the audit of your tenant is already being verified, or too many verifications run; try again later")
	}
	defer c.h.verifying.Leave(tenant)
	tenantStore, err := c.tenantStore()
	if err != nil {
		return err
	}
	full := c.query.Flag("full")
	found, err := tenantStore.Verify(c.r.Context(), live.Verifying{Full: full != nil && *full})
	if err != nil {
		return err
	}
	out := struct {
		Intact   bool      `json:"intact"`
		Full     time.Time `json:"last_full,omitzero"`
		Verdicts []verdict `json:"verdicts"`
	}{found.Intact(), found.Full, make([]verdict, len(found.Verdicts))}
	for i, v := range found.Verdicts {
		out.Verdicts[i] = verdict{v, v.Fault == nil}
	}
	return c.say(http.StatusOK, out)
}

// auditEntry answers with one entry of the audit.
func (c *call) auditEntry() error {
	tenantStore, err := c.auditStore()
	if err != nil {
		return err
	}
	found, err := tenantStore.Audit(c.r.Context(), store.AuditQuery{AuditFilter: store.AuditFilter{ID: c.id}, Paging: store.Paging{Page: 1, Size: 1}})
	if err != nil {
		return err
	}
	if len(found.Items) == 0 {
		return newProblem(http.StatusNotFound, string(store.NotFound), "the audit has no entry "+document.Excerpt(c.id)+
			"; it may belong to another tenant, or it was removed because of its age")
	}
	return c.say(http.StatusOK, found.Items[0])
}

package doctor

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"guardrails/internal/document"
	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/service"
	"guardrails/service/storefault"
	"guardrails/store"
	"guardrails/store/live"
)

const storeTime = 5 * time.Second

// checkStore reports where the project's guidelines are stored, whether the store answers, and how many records are not
// in the store's audit yet.
func (x *Examination) checkStore(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	s := service.New(service.Options{Env: x.Env, Now: x.Now, Kernel: x.Kernel, Dir: x.root, Open: x.Open})
	from, owner, err := s.Owner(ctx)
	lacking := s.CheckStore(ctx)
	switch {
	case lacking != nil:
		x.add("store", Broken, named(lacking), remedy(lacking))
	case errors.Is(err, live.ErrNoStore):
		kept := "until there is a store"
		if s.GivesUpRecords(ctx, x.root) {
			kept = "for 30 days, or " + kept
		}
		x.add("store", OK, "there is no store. The guidelines of packs and files apply, and records are kept "+kept+
			". To create one, run: guardrails init", "")
	case err != nil:
		x.add("store", Broken, named(err), untilFixed)
	default:
		x.askStore(ctx, s, from, owner)
	}
	if err == nil {
		x.checkOtherTenants(ctx, s)
	}
	x.checkSpool(s, lacking == nil && errors.Is(err, live.ErrNoStore))
	if err := s.Close(); err != nil {
		x.add("store", Warning, "it cannot be closed: "+err.Error(), "")
	}
}

// named() returns the text of an error. If the fault has a name of its own, the text begins with this name.
func named(err error) string {
	if fault := storefault.Named(err); fault != "" {
		return fault + ": " + err.Error()
	}
	return err.Error()
}

// remedy() returns a text that says which guidelines apply while a store lacks something, and what to do.
func remedy(lacking error) string {
	if _, complete := errors.AsType[*live.LostEntriesError](lacking); complete {
		return "fix the named problem; until then, the guidelines in the store apply, but nothing in the store can be changed"
	}
	return untilFixed
}

func (x *Examination) askStore(ctx context.Context, s *service.Service, from *live.Store, owner live.Caller) {
	page, err := from.For(owner).List(ctx, store.ListQuery{Paging: store.Paging{Size: 1}})
	if err != nil {
		x.add("store", Broken, from.Location()+": "+named(err), untilFixed)
		return
	}
	detail := from.Location() + ": " + count(page.Total, "guideline")
	if owner.Tenant != "" {
		detail += " of the tenant " + owner.Tenant
	}
	x.add("store", OK, detail+"; this project is "+owner.ProjectID, "")
	if err := s.CheckClock(ctx); err != nil {
		x.add("clock", Warning, err.Error(), "")
	}
	x.checkOff(ctx, from, owner)
	x.checkWebhooks(ctx, from, owner)
}

// checkOtherTenants reports the other tenants for which the store lacks something that it had before, and how many
// tenants were not checked.
func (x *Examination) checkOtherTenants(ctx context.Context, s *service.Service) {
	found, unchecked, err := s.CheckOtherTenants(ctx)
	if err != nil {
		x.add("tenants", Warning, "other tenants of the store were not checked: "+err.Error(), "")
	}
	if unchecked > 0 {
		x.add("tenants", Warning, "not checked, because this would take too long: "+count(unchecked, "other tenant"),
			"to check a tenant, run guardrails doctor in one of its projects")
	}
	for _, one := range found {
		x.add("tenant "+document.Excerpt(one.Tenant), Broken, named(one.Err), remedy(one.Err))
	}
}

const maxOff = 5

// checkOff lists the guidelines in the store that are turned off, for this project or for all projects.
func (x *Examination) checkOff(ctx context.Context, from *live.Store, owner live.Caller) {
	on, total := false, 0
	var names []string
	for _, projectID := range []string{owner.ProjectID, ""} {
		page, err := from.For(owner).List(ctx, store.ListQuery{
			Filter: store.Filter{Enabled: &on, ProjectID: &projectID}, Sort: store.ByUpdated, Paging: store.Paging{Size: maxOff},
		})
		if err != nil {
			return // checkStore reports a store that does not answer
		}
		total += page.Total
		for i := range page.Items {
			names = append(names, page.Items[i].ID)
		}
	}
	if total == 0 {
		return
	}
	names = names[:min(len(names), maxOff)]
	detail := strings.Join(names, ", ")
	if more := total - len(names); more > 0 {
		detail += fmt.Sprintf(" and %d more", more)
	}
	x.add(linkOff, Warning, detail, "to see who turned a guideline off, run: guardrails history ID; "+
		"to turn it on again, run: guardrails toggle ID")
}

// If the waiting records have more bytes than maxWaiting, or if records wait for longer than maxWait after the end of
// their day, the records probably do not reach the audit.
const (
	maxWaiting = 100 << 20
	maxWait    = 24 * time.Hour
)

// checkSpool reports how many records are not in the audit yet. It warns if these records will probably not reach the
// audit. The parameter "noStore" says that the records wait because there is no store.
func (x *Examination) checkSpool(s *service.Service, noStore bool) {
	waiting, err := s.Backlog()
	detail := fmt.Sprintf("%s not yet in the audit, the oldest from %s; ", count(waiting.Lines, "record"), waiting.Since)
	day, _ := time.Parse(time.DateOnly, waiting.Since) // the names of the files are valid days
	if waiting.Damaged > 0 {
		x.add("spool", Warning, count(waiting.Damaged, "record")+" could not be read and were set aside",
			"examine the files in "+x.aside())
	}
	switch {
	case err != nil:
		x.add("spool", Warning, err.Error(), "")
	case waiting.Lines == 0 && waiting.Damaged > 0:
	case waiting.Lines == 0:
		x.add("spool", OK, "all records are in the audit", "")
	case noStore:
		x.add("spool", OK, detail+"they wait for a store", "")
	case waiting.Bytes > maxWaiting, x.Now().Sub(day) > 24*time.Hour+maxWait:
		x.add("spool", Warning, fmt.Sprintf("%sthey have %d MB and stay there until the store accepts them", detail,
			(waiting.Bytes+1<<20-1)>>20), "to see why they wait, run: guardrails audit list")
	default:
		x.add("spool", OK, detail+"a server or the next prompt adds them; to add them now, run: guardrails audit list", "")
	}
}

// aside() returns the folder of damaged records.
func (x *Examination) aside() string {
	state, err := private.StateDir(x.Env)
	if err != nil {
		return "the folder \"damaged\" of the spool"
	}
	return filepath.Join(state, product.SpoolFolder, product.DamagedFolder)
}

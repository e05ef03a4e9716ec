package rest

import (
	"net/http"

	"guardrails/internal/document"
	"guardrails/rules"
	"guardrails/service/packcopies"
)

// The states of a pack's guideline in the caller's store.
const (
	isInstalled = "installed"
	isSame      = "same"
	isChanged   = "changed"
	isOff       = "off"
	isOutdated  = "outdated"
)

type packView struct {
	rules.PackInfo
	Guidelines []packGuideline `json:"guidelines"`
	// Withdrawn are copies of guidelines that the installed pack no longer has.
	Withdrawn []packcopies.Copy `json:"withdrawn"`
}

type packGuideline struct {
	Guideline view   `json:"guideline"`
	State     string `json:"state"`
	// Copies are the copies in the store that differ from the pack.
	Copies []packcopies.Copy `json:"copies"`
}

func (c *call) packs() error {
	tenantStore, err := c.tenantStore()
	if err != nil {
		return err
	}
	compare := packcopies.Compare
	if tenantStore.ProjectID() == "" {
		compare = packcopies.CompareEverywhere
	}
	copies, err := compare(c.r.Context(), tenantStore)
	if err != nil {
		return err
	}
	set, err := tenantStore.All(c.r.Context())
	if err != nil {
		return err
	}
	stored := map[string]bool{}
	for i := range set.Guidelines {
		stored[set.Guidelines[i].ID] = true
	}
	out := []packView{}
	for _, info := range rules.Packs() {
		loaded, err := rules.Pack(info.Name)
		if err != nil {
			return err
		}
		one := packView{PackInfo: info, Guidelines: []packGuideline{}, Withdrawn: withdrawn(copies, info.Name)}
		for i := range loaded.Guidelines {
			one.Guidelines = append(one.Guidelines, inStore(&loaded.Guidelines[i], copies, stored))
		}
		out = append(out, one)
	}
	return c.say(http.StatusOK, struct {
		Packs []packView `json:"packs"`
	}{out})
}

// inStore returns a pack's guideline with its state in the store.
func inStore(g *rules.Source, copies *packcopies.Copies, stored map[string]bool) packGuideline {
	out := packGuideline{Guideline: viewOf(&g.Guideline), State: isInstalled, Copies: []packcopies.Copy{}}
	if stored[g.ID] {
		out.State = isSame
	}
	for _, one := range copies.Outdated {
		if one.ID == g.ID {
			out.State, out.Copies = isOutdated, append(out.Copies, one)
		}
	}
	for _, one := range copies.Changed {
		if one.ID != g.ID {
			continue
		}
		out.State, out.Copies = isChanged, append(out.Copies, one)
		if one.Off {
			out.State = isOff
		}
	}
	return out
}

func withdrawn(copies *packcopies.Copies, pack string) []packcopies.Copy {
	out := []packcopies.Copy{}
	for _, list := range [][]packcopies.Copy{copies.Outdated, copies.Changed} {
		for _, one := range list {
			if one.Pack == pack && one.Withdrawn {
				out = append(out, one)
			}
		}
	}
	return out
}

func (c *call) updatePacks() error {
	n, d, err := c.object()
	if err != nil {
		return err
	}
	var take []string
	dry := false
	d.Object(n, "", []document.Spec{
		{Name: "take", Read: unlessNull(func(n *document.Node, at string) { take = namesIn(d, n, at) })},
		{Name: "dry_run", Read: unlessNull(func(n *document.Node, at string) { dry = d.Bool(n, at) })},
	})
	if len(d.Problems) > 0 {
		return invalid(d.Problems)
	}
	tenantStore, err := c.tenantStore()
	if err != nil {
		return err
	}
	done, err := packcopies.Update(c.r.Context(), tenantStore, take, dry)
	if err != nil {
		return err
	}
	return c.say(http.StatusOK, done)
}

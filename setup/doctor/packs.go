package doctor

import (
	"context"
	"strings"

	"guardrails/config"
	"guardrails/rules"
	"guardrails/service"
	"guardrails/service/guidelinefiles"
	"guardrails/service/packcopies"
)

// checkPacks reports which packs are used, and how the guidelines in the store differ from these packs.
func (x *Examination) checkPacks(ctx context.Context, s *service.Service, c *config.Config) {
	places := config.PlacesOf(x.root, x.Env)
	inForce := guidelinefiles.PacksInForce(x.root, c, &places)
	var used, unused []string
	for _, pack := range rules.Packs() {
		if inForce[pack.Name] != nil {
			used = append(used, pack.Name)
		} else {
			unused = append(unused, pack.Name)
		}
	}
	detail := "none is used"
	if used != nil {
		detail = strings.Join(used, ", ")
	}
	if used != nil && unused != nil {
		detail += "; not used: " + strings.Join(unused, ", ")
	}
	x.add("packs", OK, detail, "")
	if c.Server == nil {
		x.checkPackCopies(ctx, s)
	}
}

// checkPackCopies reports unchanged copies of older packs in the store. It also warns about each guideline of a pack
// that was changed twice: by somebody in the store, and by a newer version of the pack.
func (x *Examination) checkPackCopies(ctx context.Context, s *service.Service) {
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	from, owner, err := s.Owner(ctx)
	if err != nil {
		return // checkStore reports the error
	}
	copies, err := packcopies.Compare(ctx, from.For(owner))
	if err != nil {
		return // checkStore reports the error
	}
	if n := len(copies.Outdated); n > 0 {
		x.add("packs", OK, "the store has older copies of "+count(n, "guideline")+
			", and the current text of the pack applies instead; to replace these copies, run: guardrails packs update", "")
	}
	for i := range copies.Changed {
		if c := &copies.Changed[i]; c.Behind {
			flag := ""
			if c.ProjectID == "" {
				flag = " --all-projects"
			}
			x.add("packs", Warning, c.ID+" of "+c.Pack+": "+c.Text(),
				"to see the changes, run: guardrails packs diff; to take the pack's text, run: guardrails packs update --take ID"+flag)
		}
	}
}

package guidelinefiles

import (
	"guardrails/config"
	"guardrails/rules"
)

// Higher is a function that reads the guidelines that the administrator or the user keeps in files, and collects all
// mistakes in these files. If neither the administrator nor the user has packs or guidelines, and there is no server,
// the user's layer gets the core pack. The content of the project has no influence on this.
func Higher(c *config.Config, p *config.Places) map[string]*rules.Loaded {
	out := map[string]*rules.Loaded{}
	if !c.HasHigher() {
		return out
	}
	configured := c.Server != nil
	for i := range c.Layers {
		l := &c.Layers[i]
		if l.Name == config.Project {
			continue
		}
		loaded := ReadFolder(p.GuidelineFolder(l.Name), l.Packs)
		configured = configured || l.Packs != nil || len(loaded.Guidelines)+len(loaded.Problems) > 0
		out[l.Name] = loaded
	}
	if !configured {
		out[config.User], _ = Load(CorePack) // the core pack always exists
	}
	return out
}

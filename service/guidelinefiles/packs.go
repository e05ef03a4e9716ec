package guidelinefiles

import (
	"slices"
	"strings"

	"guardrails/config"
	"guardrails/rules"
)

// PacksInForce maps the name of each pack to the layers that use it.
func PacksInForce(root string, c *config.Config, places *config.Places) map[string][]string {
	out := map[string][]string{}
	add := func(layer, name string) {
		if !slices.Contains(out[name], layer) {
			out[name] = append(out[name], layer)
		}
	}
	higher := Higher(c, places)
	for _, layer := range []string{config.Managed, config.User} {
		if loaded := higher[layer]; loaded != nil {
			for i := range loaded.Guidelines {
				if g := &loaded.Guidelines[i]; IsFromPack(g) {
					add(layer, PackOf(g))
				}
			}
		}
	}
	sources, _ := Sources(root, c) // other commands report problems with files
	for _, source := range sources {
		if name, isPack := strings.CutPrefix(source, PackPrefix); isPack {
			add(config.Project, name)
		}
	}
	return out
}

// IsFromPack reports whether a guideline comes from a pack.
func IsFromPack(g *rules.Source) bool { return strings.HasPrefix(g.Origin.File, PackPrefix) }

// PackOf returns the name of the pack from which a guideline comes.
func PackOf(g *rules.Source) string {
	return strings.TrimSuffix(strings.TrimPrefix(g.Origin.File, PackPrefix), ".json")
}

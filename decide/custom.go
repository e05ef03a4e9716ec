package decide

import (
	"strings"

	"guardrails/guideline"
)

// In is a method that returns the given layers with facts about the call, such as the branch, in their contexts. Only
// layers whose guidelines use facts in condition.custom get these facts. If a context already has a fact, the value of
// this fact stays unchanged.
func (f *Facts) In(layers []Layer) []Layer {
	var out []Layer
	for i := range layers {
		if !layers[i].Set.NamesFact() {
			continue
		}
		if out == nil {
			out = append(out, layers...)
		}
		out[i].Context.Metadata = f.added(layers[i].Context.Metadata)
	}
	if out == nil {
		return layers
	}
	return out
}

func (f *Facts) added(metadata map[string]any) map[string]any {
	out := make(map[string]any, len(metadata)+7)
	if !f.Now.IsZero() {
		out[guideline.FactWeekday] = strings.ToLower(f.Now.Weekday().String())
		out[guideline.FactTime] = clock(f.Now.Clock())
	}
	if f.Branch != nil {
		out[guideline.FactBranch] = f.Branch()
	}
	if f.Headless != nil {
		out[guideline.FactHeadless] = *f.Headless
	}
	for _, fact := range [...]struct{ name, value string }{
		{guideline.FactProject, f.Project}, {guideline.FactOS, f.OS}, {guideline.FactPermissionMode, f.PermissionMode},
	} {
		if fact.value != "" {
			out[fact.name] = fact.value
		}
	}
	for name, value := range metadata {
		out[name] = value
	}
	return out
}

// clock returns a time of day such as 16:05.
func clock(hour, minute, _ int) string {
	digit := func(n int) byte { return '0' + byte(n%10) }
	return string([]byte{digit(hour / 10), digit(hour), ':', digit(minute / 10), digit(minute)})
}

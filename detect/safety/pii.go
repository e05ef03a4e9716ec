package safety

import (
	"slices"
	"strings"

	"guardrails/detect/pii"
)

// Treatment says what happens to personal data in an answer.
type Treatment string

// The treatments. Data of tier 1, such as the number of a card, blocks the answer if the treatment is Mask. But data
// that is also in the user's message never blocks the answer.
const (
	Mask Treatment = "mask"
	Note Treatment = "flag"
	Off  Treatment = "off"
)

// Treatments returns all treatments.
func Treatments() []Treatment { return []Treatment{Mask, Note, Off} }

// Scrub says that personal data was replaced by a marker.
type Scrub struct {
	Category string `json:"category"`
	Marker   string `json:"marker"`
}

// treatment() returns what happens to personal data of a category.
func (o *AnswerOptions) treatment(c pii.Category) Treatment {
	if t := o.PII[c.String()]; t != "" {
		return t
	}
	if pii.Default.Has(c) {
		return Mask
	}
	return Off
}

// findPersonal returns the personal data in an answer. It looks only for the categories that the options ask for, and
// leaves out data that the user's message contains.
func findPersonal(text string, o *AnswerOptions) []pii.Finding {
	var set pii.Set
	for _, c := range pii.Categories() {
		if o.treatment(c) != Off {
			set = set.With(c)
		}
	}
	return slices.DeleteFunc(pii.Find(text, set), func(f pii.Finding) bool {
		value := text[f.Start:f.End]
		return strings.Contains(o.UserMessage, value) || o.Turn != nil && o.Turn.Wrote != nil && o.Turn.Wrote(value)
	})
}

// personal() returns the categories of personal data in the answer.
func (r *reply) personal() []string {
	out := []string{}
	for _, f := range r.found {
		if name := f.Category.String(); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// thirdParty returns the personal data that blocks an answer. Only data of tier 1 can block an answer; see
// pii.Category.Tier.
func (r *reply) thirdParty() (out []Match) {
	for _, f := range r.found {
		if f.Category.Tier() == 1 && r.options.treatment(f.Category) == Mask {
			start := pointOf(r.text, f.Start)
			out = append(out, Match{
				Phrase: f.Category.Marker(), Category: ThirdPartyPII, Pattern: string(ThirdPartyPII) + "." + f.Category.String(),
				Strength: Strong, Start: start, End: start + pointOf(r.text[f.Start:], f.End-f.Start),
			})
		}
	}
	return out
}

// masked() returns the answer with markers for personal data.
func (r *reply) masked() (string, []Scrub) { return r.mask(r.text, r.found) }

// mask() returns a text in which markers replace the findings with the treatment Mask. Masking can bring together texts
// that form new personal data, so the search is repeated until it finds nothing.
func (r *reply) mask(text string, found []pii.Finding) (string, []Scrub) {
	scrubs := []Scrub{}
	for ; ; found = findPersonal(text, r.options) {
		found = slices.DeleteFunc(found, func(f pii.Finding) bool { return r.options.treatment(f.Category) != Mask })
		if len(found) == 0 {
			return text, scrubs
		}
		for _, f := range found {
			scrubs = append(scrubs, Scrub{f.Category.String(), f.Category.Marker()})
		}
		text = pii.Replace(text, found)
	}
}

// maskMatches puts markers for personal data into the phrases of matches.
func (r *reply) maskMatches(matched []Match) {
	for i := range matched {
		m := &matched[i]
		start := offset(r.text, m.Start)
		end := start + offset(r.text[start:], m.End-m.Start)
		var inside []pii.Finding
		for _, f := range r.found {
			if f.Start < end && start < f.End {
				f.Start, f.End = max(f.Start, start)-start, min(f.End, end)-start
				inside = append(inside, f)
			}
		}
		if len(inside) > 0 {
			m.Phrase, _ = r.mask(r.text[start:end], inside)
		}
	}
}

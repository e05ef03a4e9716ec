package detect

import "slices"

// readWords sets those fields of a result that the words of the prompt determine.
func (d *Detector) readWords(prompt string, r *Result) {
	s := scan{prompt: prompt, matches: r.Matches}
	for i := nextWord(prompt, 0); i < len(prompt); i = nextWord(prompt, runEnd(prompt, i)) {
		// The user's domains come first: a word that belongs to one of them does not count for a built-in domain.
		s.match(d.own, i)
		s.match(d.table, i)
	}
	action := s.decidingActions()
	r.Domain, r.Action = s.domain.decided(), action.decided()
	r.Ambiguous = s.domain.competing || action.competing
	r.Matches = s.matches
	if s.action.value != "" && !isEnglish(prompt) {
		r.Action, r.Ambiguous = "", s.domain.competing
		r.Matches = slices.DeleteFunc(r.Matches, func(m Match) bool { return m.Field == fieldAction })
	}
}

type scan struct {
	prompt string
	domain vote
	// The field "action" counts all words that name an action. The field "requests" counts only two kinds of these
	// words: words at the start of a clause, and words for "fix" and "refactor". The field "commanded" is set if one
	// of the words means "fix" or "refactor".
	action    vote
	requests  vote
	commanded bool
	matches   []Match
	// The field "claimed" is the end of the last phrase that named a domain. Words inside this phrase cannot name
	// another domain.
	claimed int
	// The field "triggers" is a buffer that is used again for every word.
	triggers []trigger
}

// match() counts the triggers that the trie finds at i. If a phrase names a domain, the words inside the phrase cannot
// name another domain.
func (s *scan) match(t *trie, i int) {
	var end int
	s.triggers, end = t.longest(s.prompt, i, s.triggers[:0])
	taken := i < s.claimed
	for _, hit := range s.triggers {
		switch {
		case hit.field == fieldAction && isNoun(s.prompt, i, end, hit.value):
			continue
		case hit.field == fieldAction:
			s.countAction(hit.value, i)
		case taken:
			continue
		default:
			s.domain.count(hit.value)
			s.claimed = end
		}
		s.record(Match{Field: hit.field, Value: hit.value, Word: s.prompt[i:end], Offset: i})
	}
}

func (s *scan) countAction(value string, i int) {
	s.action.count(value)
	if command(value) || startsClause(s.prompt, i) {
		s.requests.count(value)
	}
	s.commanded = s.commanded || command(value)
}

// decidingActions returns the vote that decides the action. If the prompt asks to fix or refactor something, other
// action words count only at the start of a clause. Elsewhere, they usually describe the thing to fix or refactor.
func (s *scan) decidingActions() vote {
	if s.commanded {
		return s.requests
	}
	return s.action
}

func (s *scan) record(m Match) {
	if len(s.matches) < MaxMatches {
		s.matches = append(s.matches, m)
	}
}

// vote collects the values of one field (domain or action) that the words in a prompt suggest.
type vote struct {
	value string
	// The field "competing" is set if the words suggest different values.
	competing bool
}

func (v *vote) count(value string) {
	if v.value == "" {
		v.value = value
	}
	v.competing = v.competing || v.value != value
}

func (v *vote) decided() string {
	if v.competing {
		return ""
	}
	return v.value
}

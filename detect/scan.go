package detect

// readWords fills in what the prompt's words decide.
func (d *Detector) readWords(prompt string, r *Result) {
	s := scan{prompt: prompt, matches: r.Matches}
	for i := nextWord(prompt, 0); i < len(prompt); i = nextWord(prompt, runEnd(prompt, i)) {
		// The user's words go first: what they claim is no domain of the table's.
		s.match(d.own, i)
		s.match(d.table, i)
	}
	r.Domain, r.Action = s.domain.decided(), s.action.decided()
	r.Ambiguous = s.domain.competing || s.action.competing
	r.Matches = s.matches
}

type scan struct {
	prompt  string
	domain  vote
	action  vote
	matches []Match
	// claimed is the end of the last phrase that named a domain: the words inside it name no other.
	claimed int
	// triggers is reused from word to word.
	triggers []trigger
}

// match counts what the trie finds at i and claims it.
func (s *scan) match(t *trie, i int) {
	var end int
	s.triggers, end = t.longest(s.prompt, i, s.triggers[:0])
	taken := i < s.claimed
	for _, hit := range s.triggers {
		switch {
		case hit.field == fieldAction:
			s.action.count(hit.value)
		case taken:
			continue
		default:
			s.domain.count(hit.value)
			s.claimed = end
		}
		s.record(Match{Field: hit.field, Value: hit.value, Word: s.prompt[i:end], Offset: i})
	}
}

func (s *scan) record(m Match) {
	if len(s.matches) < MaxMatches {
		s.matches = append(s.matches, m)
	}
}

// vote is what the words say of one field.
type vote struct {
	value     string
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

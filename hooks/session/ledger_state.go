package session

// State is what a session's ledger adds up to.
type State struct {
	// Files are the distinct files that were written since the last commit, in the order of their first writing. A file
	// whose writing is only planned counts.
	Files []string
	// TestedSinceWrite says that no source file was written since a test last ran, whether it passed or not. It is true
	// where none was written at all.
	TestedSinceWrite bool
	// Failures is how often in a row each test command failed.
	Failures map[string]int
	// Choice is the last answer to the fallback question.
	Choice string
	// Truncated says that the ledger is too large and its beginning was not read.
	Truncated bool
	// Unreadable is how many lines could not be read.
	Unreadable int

	written map[string]bool
	noticed map[string]bool
	counted map[call]bool
}

// call is one thing that one tool call did.
type call struct {
	kind        Kind
	id, command string
}

func newState() *State {
	return &State{
		TestedSinceWrite: true, Failures: map[string]int{},
		written: map[string]bool{}, noticed: map[string]bool{}, counted: map[call]bool{},
	}
}

// cutOff is what a state is that lacks the entries before it: nobody knows whether the tests ran.
func (s *State) cutOff() {
	s.Truncated = true
	s.TestedSinceWrite = false
}

// Wrote reports whether a path is among Files.
func (s *State) Wrote(path string) bool { return s.written[kept(path)] }

// Failed is how often in a row a test command failed.
func (s *State) Failed(command string) int { return s.Failures[kept(command)] }

// Noticed reports whether a notice was shown.
func (s *State) Noticed(name string) bool { return s.noticed[kept(name)] }

// add takes an entry into account, unless it was there before.
func (s *State) add(e Entry) {
	if s.twice(e) {
		return
	}
	switch e.Kind {
	case Wrote:
		s.write(e)
	case Committed:
		s.Files = nil
		clear(s.written)
	case Tested:
		s.test(e)
	case Chose:
		s.Choice = e.Choice
	case Noticed:
		s.noticed[e.Name] = true
	}
}

// twice reports whether the same call has already told the same. Only where it would matter: a file, a choice and a notice
// are the same whoever tells them.
func (s *State) twice(e Entry) bool {
	if e.ToolUseID == "" || e.Kind != Committed && e.Kind != Tested {
		return false
	}
	c := call{e.Kind, e.ToolUseID, e.Command}
	before := s.counted[c]
	s.counted[c] = true
	return before
}

func (s *State) write(e Entry) {
	if !s.written[e.Path] {
		s.written[e.Path] = true
		s.Files = append(s.Files, e.Path)
	}
	if e.Source {
		s.TestedSinceWrite = false
	}
}

func (s *State) test(e Entry) {
	s.TestedSinceWrite = true
	if e.Passed {
		delete(s.Failures, e.Command)
		return
	}
	s.Failures[e.Command] += max(e.times, 1)
}

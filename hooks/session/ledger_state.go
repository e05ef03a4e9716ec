package session

// State is the result of all entries of a ledger.
type State struct {
	// Files are the files written since the last commit, in the order of their first write. Planned writes count.
	Files []string
	// Untested are the source files written since the tests last passed.
	Untested []string
	// TestedSinceWrite is true if no source file was written after the tests last passed, or if no source file was
	// written at all.
	TestedSinceWrite bool
	// Passed are the listed tests that passed after the last write of a source file.
	Passed []string
	// Failures counts the consecutive failures of each test command.
	Failures map[string]int
	// Choice is the last answer to the fallback question.
	Choice string
	// Truncated is set if the ledger is so large that its beginning was not read.
	Truncated bool
	// Unreadable is the number of lines that could not be read.
	Unreadable int

	// planned is a commit that was announced but has not been confirmed yet.
	planned Entry
	// untested and written hold the same files as Untested and Files, for fast lookup.
	untested map[string]bool
	written  map[string]bool
	noticed  map[string]bool
	counted  map[call]bool
}

// call identifies a result of a tool call.
type call struct {
	kind        Kind
	id, command string
}

func newState() *State {
	return &State{
		TestedSinceWrite: true, Failures: map[string]int{},
		untested: map[string]bool{}, written: map[string]bool{}, noticed: map[string]bool{}, counted: map[call]bool{},
	}
}

// cutOff sets the state for a ledger whose beginning was not read. It is then unknown whether the tests ran.
func (s *State) cutOff() {
	s.Truncated = true
	s.TestedSinceWrite = false
}

// Wrote reports whether a path is in Files.
func (s *State) Wrote(path string) bool { return s.written[kept(path)] }

// Failed returns the number of consecutive failures of a test command.
func (s *State) Failed(command string) int { return s.Failures[kept(command)] }

// Noticed reports whether a notice was shown.
func (s *State) Noticed(name string) bool { return s.noticed[kept(name)] }

// add updates the state with an entry.
func (s *State) add(e Entry) {
	if s.twice(e) {
		return
	}
	switch e.Kind {
	case Wrote:
		s.write(e)
	case Committed:
		s.commit(e)
	case Tested:
		s.test(e)
	case Chose:
		s.Choice = e.Choice
	case Noticed:
		s.noticed[e.Name] = true
	}
}

// twice reports whether the same result of the same call was already counted. Other kinds of entries are not checked,
// because adding them twice changes nothing.
func (s *State) twice(e Entry) bool {
	if e.ToolUseID == "" || e.Planned || e.Kind != Committed && e.Kind != Tested {
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
		s.TestedSinceWrite, s.Passed = false, nil
		if !s.untested[e.Path] {
			s.untested[e.Path] = true
			s.Untested = append(s.Untested, e.Path)
		}
	}
}

// commit removes the written files from the state, unless the call made no commit or a commit without files.
func (s *State) commit(e Entry) {
	if e.Planned {
		s.planned = e
		return
	}
	before := s.planned
	s.planned = Entry{}
	if before.Planned && before.ToolUseID == e.ToolUseID &&
		(before.Name == Empty || before.Name != "" && before.Name == e.Name) {
		return
	}
	s.Files = nil
	clear(s.written)
}

func (s *State) test(e Entry) {
	if e.Passed && e.Name == Listed {
		s.Passed = append(s.Passed, e.Command)
		delete(s.Failures, e.Command)
		return
	}
	if e.Passed {
		s.TestedSinceWrite, s.Untested = true, nil
		clear(s.untested)
		delete(s.Failures, e.Command)
		return
	}
	s.Failures[e.Command] += max(e.times, 1)
}

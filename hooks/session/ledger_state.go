package session

// State is the state of a session after all entries of its ledger.
type State struct {
	// Files are the files written since the last commit, in the order of their first write. Files that a call is about
	// to write are included.
	Files []string
	// The field "Untested" has the source files written since the tests last passed.
	Untested []string
	// TestedSinceWrite is true if no source file was written after the tests last passed, or if no source file was
	// written at all.
	TestedSinceWrite bool
	// The field "Passed" has the listed tests that passed after the last write of a source file.
	Passed []string
	// Failures has the number of consecutive failures of each test command.
	Failures map[string]int
	// Choice is the user's last answer to the question of how to continue during an outage.
	Choice string
	// Truncated is set if the beginning of the ledger was not read, because the ledger is too large.
	Truncated bool
	// Unreadable is the number of lines without a valid signature.
	Unreadable int

	// The field "planned" is a commit that a call is about to make. It is set until the result of the call is known.
	planned Entry
	// The maps "untested" and "written" contain the same files as Untested and Files. With these maps, searches are
	// fast.
	untested map[string]bool
	written  map[string]bool
	noticed  map[string]bool
	counted  map[call]bool
}

// The type "call" identifies the result of a tool call, so that the result counts only once.
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

// cutOff records that the beginning of the ledger was not read. So it is unknown whether the tests ran.
func (s *State) cutOff() {
	s.Truncated = true
	s.TestedSinceWrite = false
}

// Failed returns the number of consecutive failures of a test command.
func (s *State) Failed(command string) int { return s.Failures[kept(command)] }

// Noticed reports whether the user has seen a notice.
func (s *State) Noticed(name string) bool { return s.noticed[kept(name)] }

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

// twice() reports whether this result of a commit or a test was counted before. If an entry of another kind is added
// twice, the state stays the same, so such entries are not checked.
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

// commit() updates the state after a commit. It empties the list of written files, unless the commit had no files or
// failed.
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

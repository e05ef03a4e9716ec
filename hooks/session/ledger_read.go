package session

import (
	"errors"
	"io/fs"
	"strings"

	"guardrails/internal/private"
)

// ends() returns the sizes of the parts that ReadLedger tries to read, the smallest size first. Each part is the end of
// a ledger. If a part does not contain everything after the last checkpoint, ReadLedger tries the next size.
func ends() [3]int64 { return [...]int64{64 << 10, 512 << 10, 4 << 20} }

// ReadLedger reads a session's ledger and returns the state after the last entry. It counts lines that it cannot read.
// A session without a ledger has an empty state.
func ReadLedger(d *private.Dir, session string) (*State, error) {
	l, err := readLog(d, session)
	if err != nil {
		return nil, err
	}
	s, from := l.begin()
	s.addLines(l.text[from:], l.check)
	return s, nil
}

// The type "log" holds the last part of a ledger.
type log struct {
	text string
	// The field "offset" is the position in the file at which the text begins.
	offset int64
	mark   mark
	// check() returns a line without its signature. It returns false if the signature is not valid.
	check func(line string) (string, bool)
}

// signedBy returns the function with which a log checks the signatures of its lines.
func signedBy(d *private.Dir, session string) func(line string) (string, bool) {
	key := d.KeyOf(LedgerName(session))
	return func(line string) (string, bool) {
		text, ok := key.Signed([]byte(line))
		return strings.TrimSuffix(string(text), " "), ok
	}
}

func readLog(d *private.Dir, session string) (log, error) {
	f, info, err := d.OpenFile(LedgerName(session))
	if errors.Is(err, fs.ErrNotExist) {
		return log{check: unsigned}, nil
	}
	if err != nil {
		return log{}, err
	}
	defer func() { _ = f.Close() }() // it was only read
	l := log{check: signedBy(d, session)}
	for _, limit := range ends() {
		l.offset = max(0, info.Size()-limit)
		data, err := d.ReadPart(f, LedgerName(session), l.offset, info.Size()-l.offset)
		if err != nil {
			return log{}, err
		}
		l.text = string(data)
		l.mark = l.lastMark()
		if l.mark.to >= l.offset {
			break
		}
	}
	return l, nil
}

// lastMark returns the last checkpoint in the text. If there is none, it returns the zero mark: the empty state at the
// beginning of the file.
func (l log) lastMark() mark {
	const begins = "\n" + `{"kind":"` + markKind + `"`
	for text := l.text; ; {
		i := strings.LastIndex(text, begins)
		if i < 0 {
			return mark{}
		}
		signed, _, whole := strings.Cut(l.text[i+1:], "\n")
		if line, ok := l.check(signed); ok && whole {
			if m, ok := parseMark(line); ok && m.to <= l.offset+int64(i) {
				return m
			}
		}
		text = text[:i]
	}
}

// begin() returns the state of the last checkpoint, and the index of the first line that must be added to this state.
// If the text does not contain all lines after the checkpoint, the state says that lines are missing.
func (l log) begin() (*State, int) {
	s := l.mark.begin()
	if l.mark.to >= l.offset {
		return s, int(min(l.mark.to-l.offset, int64(len(l.text))))
	}
	s.cutOff()
	return s, strings.IndexByte(l.text, '\n') + 1 // skip the rest of a line that was cut
}

// addLines adds the entries in the given lines to the state. It returns the index after the last complete line. A line
// without a line end is still being written. The function check() verifies the signature of a line.
func (s *State) addLines(text string, check func(string) (string, bool)) (end int) {
	for {
		signed, _, whole := strings.Cut(text[end:], "\n")
		if !whole {
			return end
		}
		end += len(signed) + 1
		if signed == "" {
			continue
		}
		line, ok := check(signed)
		if !ok {
			s.Unreadable++
		} else if e, readable := parseEntry(line); readable { // a newer version may have other lines
			s.add(e)
		}
	}
}

// unsigned() accepts every line. It is for the lines in a checkpoint, because the checkpoint itself has a signature.
func unsigned(line string) (string, bool) { return line, true }

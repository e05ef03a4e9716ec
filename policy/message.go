package policy

import "strings"

// The type "message" is the folded text of a message. It also records which groups of four bytes are in the text. If
// the message does not contain a text, this record nearly always shows that, and no search is needed.
type message struct {
	text   string
	groups [marks / 64]uint64
}

const (
	marks     = 1 << 16
	groupSize = 4
)

func newMessage(text string) *message {
	m := &message{text: fold(text)}
	for i := groupSize; i <= len(m.text); i++ {
		mark := markOf(m.text[i-groupSize : i])
		m.groups[mark/64] |= 1 << (mark % 64)
	}
	return m
}

// The bits of message.groups stand for groups of four bytes. markOf returns the number of the bit that stands for a
// group.
func markOf(group string) uint32 {
	n := uint32(group[0]) | uint32(group[1])<<8 | uint32(group[2])<<16 | uint32(group[3])<<24
	return n * 2654435761 >> 16 // the multiplier spreads the bits (Knuth)
}

func (m *message) contains(text string) bool {
	for i := groupSize; i <= len(text); i++ {
		if mark := markOf(text[i-groupSize : i]); m.groups[mark/64]&(1<<(mark%64)) == 0 {
			return false
		}
	}
	return strings.Contains(m.text, text)
}

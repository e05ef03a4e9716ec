package pii

import (
	"net/netip"
	"strings"
)

// ips() finds addresses of computers on the internet.
func (s *search) ips() {
	var hidden []netip.Prefix
	for _, known := range strings.Fields(notPublic) {
		hidden = append(hidden, netip.MustParsePrefix(known))
	}
	s.numbers(func(start, end int) {
		const longest = 3
		if end-start <= longest && s.byteAt(end) == '.' {
			s.ipAt(start, s.runEnd(start, "0123456789."), hidden)
		}
	})
	for i := 0; i < len(s.text); i++ {
		if s.text[i] != ':' {
			continue
		}
		const chars = "0123456789abcdefABCDEF:"
		start := i
		for start > 0 && strings.IndexByte(chars, s.text[start-1]) >= 0 {
			start--
		}
		end := s.runEnd(start, chars)
		s.ipAt(start, end, hidden)
		i = end
	}
}

func (s *search) runEnd(i int, chars string) int {
	for i < len(s.text) && strings.IndexByte(chars, s.text[i]) >= 0 {
		i++
	}
	return i
}

// ipAt adds a finding for the IP address in text[start:end], unless the address is in one of the ranges of the
// parameter "hidden". A dot or a colon at the end belongs to the sentence.
func (s *search) ipAt(start, end int, hidden []netip.Prefix) {
	const longest = 45
	for end > start && (s.text[end-1] == '.' || s.text[end-1] == ':' && s.byteAt(end-2) != ':') {
		end--
	}
	text := s.text[start:end]
	// Most candidates are times, or positions in files such as main.go:12:3. ParseAddr would allocate an error for each
	// such candidate. So a check of the colons and dots excludes these candidates first.
	if strings.Count(text, ":") != 7 && !strings.Contains(text, "::") && strings.Count(text, ".") != 3 {
		return
	}
	if len(text) > longest || s.byteAt(end) == '/' && isDigit(s.byteAt(end+1)) || !s.isAlone(start, end) ||
		s.isShielded(start, end) || s.isVersion(start) {
		return
	}
	if a, err := netip.ParseAddr(text); err == nil && isPublic(a, hidden) {
		s.add(IP, start, end)
	}
}

// isVersion reports whether the text before the index "start" says that a version or the number of a section follows.
func (s *search) isVersion(start int) bool {
	const numbered = " v version build release firmware assembly revision section chapter clause paragraph "
	before := strings.ToLower(strings.TrimRight(s.text[max(0, start-16):start], " :=\"'"))
	word := before[1+strings.LastIndexFunc(before, func(r rune) bool { return !isWord(r) }):]
	tail := s.text[:start]
	return strings.HasSuffix(tail, "==") || strings.HasSuffix(tail, "@") || strings.HasSuffix(tail, "§") ||
		strings.HasSuffix(tail, "§ ") || strings.HasSuffix(word, "version") || isListed(numbered, word)
}

// isPublic reports whether an address is a public address on the internet, and is in none of the ranges of the
// parameter "hidden".
func isPublic(a netip.Addr, hidden []netip.Prefix) bool {
	if !a.IsGlobalUnicast() || a.IsPrivate() {
		return false
	}
	for _, known := range hidden {
		if known.Contains(a) {
			return false
		}
	}
	return a.Is4() || netip.PrefixFrom(netip.AddrFrom16([16]byte{0x20}), 3).Contains(a)
}

// notPublic lists the ranges that are reserved for documentation, benchmarks, shared use and later use. It also lists
// the addresses of well-known name servers.
const notPublic = "0.0.0.0/8 100.64.0.0/10 192.0.0.0/24 192.0.2.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4 " +
	"1.1.1.1/32 1.0.0.1/32 8.8.8.8/32 8.8.4.4/32 9.9.9.9/32 2001:db8::/32 3fff::/20 2001:2::/48 2001::/32"

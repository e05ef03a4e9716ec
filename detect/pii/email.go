package pii

import "strings"

// emails() finds e-mail addresses of people.
func (s *search) emails() {
	for i := 0; s.hasAt; i++ {
		at := strings.IndexByte(s.text[i:], '@')
		if at < 0 {
			return
		}
		i += at
		s.emailAt(i)
	}
}

// emailAt adds a finding for the e-mail address whose @ is at the given index, if there is such an address.
func (s *search) emailAt(at int) {
	const longest = 64
	start := at
	for start > 0 && at-start <= longest && isLocalChar(s.text[start-1]) {
		start--
	}
	end := s.domainEnd(at + 1)
	local, domain := s.text[start:at], s.text[at+1:end]
	switch {
	case local == "" || len(local) > longest || local[0] == '.' || local[len(local)-1] == '.':
	case s.byteAt(start-1) == '/' || s.byteAt(start-1) == '@' || s.byteAt(end) == '_' || s.byteAt(end) == '@' || s.isPath(end):
	case !isDomain(domain) || isRole(local) || s.endsMarker(start):
	case s.followsMailto(start):
		s.add(Email, start, end)
	case s.byteAt(start-1) != ':' && !s.isShielded(start, end):
		s.add(Email, start, end)
	}
}

func isLocalChar(c byte) bool { return isLetter(c) || isDigit(c) || strings.IndexByte("._%+-", c) >= 0 }

// domainEnd returns the end of the domain that begins at the index "start". Dots and hyphens after a domain belong to
// the sentence.
func (s *search) domainEnd(start int) int {
	end := start
	for end < len(s.text) && (isLetter(s.text[end]) || isDigit(s.text[end]) || s.text[end] == '.' || s.text[end] == '-') {
		end++
	}
	for end > start && (s.text[end-1] == '.' || s.text[end-1] == '-') {
		end--
	}
	return end
}

// isPath reports whether a colon and a path follow an address, as in user@host:/path.
func (s *search) isPath(end int) bool {
	next := s.byteAt(end + 1)
	return s.byteAt(end) == ':' && (isLetter(next) || isDigit(next) || next != 0 && strings.IndexByte("/~.", next) >= 0)
}

func (s *search) followsMailto(start int) bool {
	const scheme = "mailto:"
	return start >= len(scheme) && strings.EqualFold(s.text[start-len(scheme):start], scheme)
}

// isRole reports whether the part before the @ stands for a service, such as "git" or "noreply", and not for a person.
func isRole(local string) bool {
	switch local = strings.ToLower(local); local {
	case "git", "hg", "svn", "noreply", "no-reply", "donotreply", "do-not-reply":
		return true
	}
	return strings.HasPrefix(local, "noreply+") || strings.HasPrefix(local, "no-reply+")
}

// isDomain reports whether a name can be the domain of a person's mail server.
func isDomain(domain string) bool {
	const longestTop = 24
	dot := strings.LastIndexByte(domain, '.')
	top := domain[dot+1:]
	if dot < 0 || len(top) < 2 || len(top) > longestTop || strings.IndexFunc(top, func(r rune) bool { return !isLetter(byte(r)) }) >= 0 {
		return false
	}
	if domain[0] == '.' || domain[0] == '-' || strings.Contains(domain, "..") || strings.Contains(domain, ".-") ||
		strings.Contains(domain, "-.") {
		return false
	}
	domain = strings.ToLower(domain)
	return !isListed(reservedTops, domain[dot+1:]) && !isListed(fileEndings, domain[dot+1:]) &&
		!isBelow(domain, "example.com") &&
		!isBelow(domain, "example.org") && !isBelow(domain, "example.net") && !isBelow(domain, "users.noreply.github.com")
}

func isBelow(domain, parent string) bool {
	return domain == parent || strings.HasSuffix(domain, "."+parent)
}

// reservedTops lists top-level domains that are not public. fileEndings lists endings of files and of systemd's units.
// fileEndings omits some endings that are also the top-level domain of a country, such as rs and pl. Otherwise, Find
// would miss addresses in the domains of these countries.
const (
	reservedTops = " test invalid local localhost localdomain internal lan example "
	fileEndings  = " png jpg jpeg gif svg webp ico bmp css scss less htm html xml json jsonl yaml yml toml ini conf cfg env log " +
		"lock txt md rst tex js jsx ts tsx mjs cjs vue go py pyc rb php java kt swift cpp hpp sh bash zsh bat sql db sqlite tar " +
		"gz tgz zip bz2 xz zst exe dll dylib bin jar war whl deb rpm dmg apk pdf doc docx xls xlsx ppt pptx csv tsv parquet bak " +
		"tmp orig patch diff map wasm proto service socket timer target mount automount path slice " +
		"scope device swap snapshot "
)

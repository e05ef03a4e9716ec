package trace

import "path"

// Linked is a method that records the target of a link that the call creates. Later actions on the link then count as
// actions on the target. If the parameter "target" is empty, the target is unknown.
func (t *Trace) Linked(link, target string) {
	if link == "" || link == target {
		return
	}
	if t.Links == nil {
		t.Links = map[string]string{}
	}
	if len(t.Links) < 256 {
		t.Links[link] = target
		t.LinkChanges++
	}
}

// maxLinks is the maximum number of links that are followed for one path.
const maxLinks = 16

// follow() looks for the longest part of a path that is a link, and replaces this part with the link's target. It
// repeats this with the new path. It knows only the links that the call has created. It returns false if the target of
// a link is unknown. If the parameter "keepLink" is set and the whole path is a link, the method does not replace the
// path.
func (t *Trace) follow(abs string, keepLink bool) (string, bool) {
	for range maxLinks {
		link, rest := t.longestLink(abs, keepLink)
		if link == "" {
			return abs, true
		}
		target := t.Links[link]
		if target == "" {
			return abs, false
		}
		abs = path.Clean(target + "/" + rest)
	}
	return abs, false
}

// longestLink returns the longest part of a path that is a link, and the rest of the path below it.
func (t *Trace) longestLink(abs string, keepLink bool) (link, rest string) {
	for candidate := range t.Links {
		tail, ok := Below(abs, candidate)
		if !ok || keepLink && tail == "." || len(candidate) <= len(link) {
			continue
		}
		link, rest = candidate, tail
	}
	return link, rest
}

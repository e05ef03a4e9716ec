package trace

import "path"

// Linked keeps where a link that the call makes leads to: what is then done to the link is done there. An empty target
// is not known.
func (t *Trace) Linked(link, target string) {
	if link == "" || link == target {
		return
	}
	if t.Links == nil {
		t.Links = map[string]string{}
	}
	if len(t.Links) < 256 {
		t.Links[link] = target
	}
}

// maxLinks bounds how many links are followed for one path, as systems do.
const maxLinks = 16

// follow replaces the longest part of a path that is a link made by the call with the link's target; false when that is
// not known. With own set a path that is itself a link stands for the link.
func (t *Trace) follow(abs string, own bool) (string, bool) {
	for range maxLinks {
		link, rest := t.longestLink(abs, own)
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

func (t *Trace) longestLink(abs string, own bool) (link, rest string) {
	for candidate := range t.Links {
		tail, ok := Below(abs, candidate)
		if !ok || own && tail == "." || len(candidate) <= len(link) {
			continue
		}
		link, rest = candidate, tail
	}
	return link, rest
}

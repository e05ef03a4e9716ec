package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"

	"guardrails/guideline"
)

// The constant "withdrawn" takes the place of the hash if a pack no longer has the guideline.
const withdrawn = "withdrawn"

// PackText identifies one text that a guideline of a pack has or had.
type PackText struct {
	Pack string
	// Version is the first version of the pack that has the text.
	Version int
	// The field "Current" is set for the newest entry of a guideline: the text in the installed pack or, if this pack
	// no longer has the guideline, the entry that marks it as withdrawn.
	Current bool

	hash string
}

// Withdrawn reports whether the pack no longer has the guideline.
func (t *PackText) Withdrawn() bool { return t.hash == withdrawn }

// PackTexts maps the id of each guideline in a pack to the older texts and the current text of the guideline. The
// oldest text comes first.
type PackTexts map[string][]PackText

// KnownPackTexts returns the texts from all versions of the built-in packs.
func KnownPackTexts() PackTexts {
	known := PackTexts{}
	known.read("core", coreVersions)
	known.read("roles", rolesVersions)
	return known
}

// read() adds the texts of a pack to the map. It reports no mistakes in the list of versions, because the list is a
// part of the program.
func (k PackTexts) read(pack, versions string) {
	_, lines, _ := strings.Cut(versions, "\n") // the first line has the newest version
	for line := range strings.Lines(lines) {
		fields := strings.Fields(line)
		for _, field := range fields[1:] {
			number, hash, _ := strings.Cut(field, ":")
			version, _ := strconv.Atoi(number)
			k[fields[0]] = append(k[fields[0]], PackText{Pack: pack, Version: version, hash: hash})
		}
		if texts := k[fields[0]]; len(texts) > 0 {
			texts[len(texts)-1].Current = true
		}
	}
}

// Find compares a guideline with the texts of packs, and returns the text that is equal. It returns false if no version
// of a pack has this text.
func (k PackTexts) Find(g *guideline.Guideline) (PackText, bool) {
	texts := k[g.ID]
	if texts == nil {
		return PackText{}, false
	}
	hash := packHash(g)
	for i := len(texts) - 1; i >= 0; i-- {
		if texts[i].hash == hash {
			return texts[i], true
		}
	}
	return PackText{}, false
}

// Current returns the newest text of a guideline. It returns false if the guideline was never in a pack.
func (k PackTexts) Current(id string) (PackText, bool) {
	texts := k[id]
	if texts == nil {
		return PackText{}, false
	}
	return texts[len(texts)-1], true
}

func packHash(g *guideline.Guideline) string {
	plain := *g
	plain.Version, plain.CreatedBy, plain.TenantID, plain.ProjectID = 0, "", "", ""
	plain.CreatedAt, plain.UpdatedAt = time.Time{}, time.Time{}
	text, err := guideline.Encode(&plain)
	if err != nil {
		return "" // no version of a pack has this text
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

func packVersion(versions string) int {
	first, _, _ := strings.Cut(versions, "\n")
	version, _ := strconv.Atoi(strings.TrimPrefix(first, "version "))
	return version
}

// FollowPacks returns the guidelines of a store in the form in which they apply. An unchanged copy of an older text
// of a pack gets the current text, or is left out if the installed pack no longer has the guideline. A guideline that
// somebody has edited stays the same.
func FollowPacks(stored []Source) []Source {
	known := KnownPackTexts()
	outdated := func(s Source) bool {
		text, found := known.Find(&s.Guideline)
		return found && !text.Current
	}
	if !slices.ContainsFunc(stored, outdated) {
		return stored
	}
	installed := InstalledGuidelines()
	out := make([]Source, 0, len(stored))
	for i := range stored {
		switch s := &stored[i]; {
		case !outdated(*s):
			out = append(out, *s)
		case installed[s.ID] != nil:
			out = append(out, installed[s.ID].inPlaceOf(s))
		}
	}
	return out
}

// inPlaceOf returns the guideline of the pack that replaces a stored copy. It keeps what the store knows about the
// copy, such as the version.
func (s *Source) inPlaceOf(stored *Source) Source {
	out := *s
	out.Version, out.TenantID, out.ProjectID = stored.Version, stored.TenantID, stored.ProjectID
	out.CreatedAt, out.UpdatedAt, out.CreatedBy = stored.CreatedAt, stored.UpdatedAt, stored.CreatedBy
	return out
}

// InstalledGuidelines returns the guidelines of all built-in packs. The keys of the result are the ids of the
// guidelines.
func InstalledGuidelines() map[string]*Source {
	out := map[string]*Source{}
	for _, info := range Packs() {
		loaded, err := Pack(info.Name)
		if err != nil {
			continue // a test makes sure that every pack can be read
		}
		for i := range loaded.Guidelines {
			out[loaded.Guidelines[i].ID] = &loaded.Guidelines[i]
		}
	}
	return out
}

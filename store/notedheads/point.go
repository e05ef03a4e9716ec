package notedheads

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"time"

	"guardrails/internal/private"
	"guardrails/store"
)

// Point says which decisions of a tenant were verified. It is stored in a file of its own, which is signed with the key
// of the state folder. A verification that finds no damage replaces the file. A long verification replaces it after each
// slice, so a verification that is interrupted continues later.
type Point struct {
	// The field "At" is the time when the last verification began. Full is the time when the last verification that read
	// every entry began.
	At     time.Time `json:"at"`
	Full   time.Time `json:"full"`
	Chains []Round   `json:"chains"`
}

// Round says how far the verified entries of a chain have been read again. Each verification reads a few of them, in
// order. The round ends when all entries that were verified at its beginning have been read again.
type Round struct {
	store.Chain
	Seq  int64  `json:"seq"`
	Hash string `json:"hash"`
	// The field "Next" is the first entry to read again. The field "Until" is the last entry to read again in this round.
	Next  int64 `json:"next"`
	Until int64 `json:"until"`
	// If the last verification was interrupted, the field "Last" is the last entry that this verification had to read
	// again.
	Last int64 `json:"last,omitempty"`
	// Done is set if the verification has further slices, but has read its part of this chain again.
	Done bool `json:"done,omitempty"`
}

// again() returns the entries that the next verification, or the next slice of this one, reads again.
func (r *Round) again() store.Span {
	if r.Done {
		return store.Span{First: r.Next, Last: r.Next - 1}
	}
	if r.Last >= r.Next {
		return store.Span{First: r.Next, Last: r.Last}
	}
	return store.Span{First: r.Next, Last: min(r.Until, r.Next-1+max(fewest, r.Until/parts))}
}

const (
	// The constant "parts" is the number of verifications in a round.
	parts = 30
	// A verification reads at least this many entries of a chain again. A small audit is therefore always read
	// completely.
	fewest = 10_000
	// maxPoint is the largest size of a file with a Point, in bytes.
	maxPoint = 1 << 20
)

func (b *Book) pointFile(tenant string) string {
	sum := sha256.Sum256([]byte(tenant))
	return "verified-" + b.place + "-" + hex.EncodeToString(sum[:6])
}

// Point is a method that returns the stored Point of a tenant. If nothing was verified, it returns the zero Point. If
// somebody has altered the file, the error wraps private.ErrUnsigned.
func (b *Book) Point(tenant string) (p Point, err error) {
	dir, err := b.signed()
	if err != nil {
		return p, err
	}
	text, err := dir.ReadSigned(b.pointFile(tenant), maxPoint)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(text, &p)
}

// SetPoint stores the Point of a tenant.
func (b *Book) SetPoint(tenant string, p Point) error {
	dir, err := b.signed()
	if err != nil {
		return err
	}
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	name := b.pointFile(tenant)
	return dir.Write(name, dir.KeyOf(name).Sign(text))
}

// forget() removes the Point of a tenant, so that the next verification reads everything.
func (b *Book) forget(dir *private.Dir, tenant string) error {
	_, err := dir.Remove(b.pointFile(tenant))
	return err
}

// signed() returns the folder of the notes. The key of the state folder signs the files in it.
func (b *Book) signed() (*private.Dir, error) {
	dir, err := b.dir()
	if err != nil {
		return nil, err
	}
	state, err := b.state()
	return dir.KeyIn(state), err
}

// Known is a method that returns the decisions that were verified before, and the part of these decisions that the next
// verification reads again.
func (p *Point) Known() (out store.Known) {
	for i := range p.Chains {
		r := &p.Chains[i]
		out = append(out, store.Verified{Chain: r.Chain, Seq: r.Seq, Hash: r.Hash, Again: r.again()})
	}
	return out
}

// Slice is a method like Known, but it limits a verification to about the given number of decisions. Decisions that
// were not verified before come first. The result "more" says that further slices are needed. The parameter "heads" has
// the current heads of the chains.
func (p *Point) Slice(heads []store.Head, most int64) (out store.Known, more bool) {
	out = p.Known()
	left := most
	for _, h := range heads {
		if h.Kind != store.KindDecision {
			continue
		}
		i := slices.IndexFunc(out, func(k store.Verified) bool { return k.Chain == h.Chain })
		from := h.Base
		if i >= 0 {
			from = max(from, out[i].Seq)
		}
		if h.Seq-from <= left {
			left -= max(0, h.Seq-from)
			continue
		}
		if i < 0 {
			i, out = len(out), append(out, store.Verified{Chain: h.Chain})
		}
		out[i].Limited, out[i].End = true, from+left
		left, more = 0, true
	}
	for i := range out {
		again := &out[i].Again
		if more && left == 0 { // these decisions are read again in a later slice
			again.Last = again.First - 1
		} else if size := again.Last - again.First + 1; size > left {
			again.Last, more = again.First-1+left, true
			left = 0
		} else {
			left -= max(0, size)
		}
	}
	for i := range out {
		out[i].More = more
	}
	return out, more
}

// Later is a method that returns the noted heads that the next verification must compare with the chains. It leaves out
// the heads that were already compared when the known part was verified.
func (p *Point) Later(notes []Note) (out []store.Head) {
	for i := range notes {
		for _, h := range notes[i].Heads {
			r := p.round(h.Chain)
			if r == nil || h.Seq > r.Seq || !notes[i].At.Before(p.At) {
				out = append(out, h)
			}
		}
	}
	slices.SortFunc(out, compareHeads)
	return slices.Compact(out)
}

func compareHeads(a, b store.Head) int {
	return cmp.Or(
		cmp.Compare(a.Writer, b.Writer), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Seq, b.Seq), cmp.Compare(a.Hash, b.Hash))
}

func (p *Point) round(c store.Chain) *Round {
	i := slices.IndexFunc(p.Chains, func(r Round) bool { return r.Chain == c })
	if i < 0 {
		return nil
	}
	return &p.Chains[i]
}

// After is a method that returns the new Point after a verification that found no damage. The parameter "at" is the
// time when the verification began. The parameter "known" has the decisions that were known to be intact at that time.
func (p *Point) After(at time.Time, known store.Known, verdicts []store.Verdict) Point {
	next := Point{At: at, Full: p.Full}
	if len(known) == 0 {
		next.Full = at
	}
	for i := range verdicts {
		v := &verdicts[i]
		if v.Kind != store.KindDecision || v.Until == 0 {
			continue
		}
		r := Round{Chain: v.Chain, Seq: v.Until, Hash: v.UntilHash, Next: 1, Until: v.Until}
		if before := p.round(v.Chain); before != nil && len(known) > 0 {
			r.goOn(before, known)
		}
		next.Chains = append(next.Chains, r)
	}
	return next
}

// goOn continues the round of an earlier Point, unless that round has ended.
func (r *Round) goOn(before *Round, known store.Known) {
	i := slices.IndexFunc(known, func(k store.Verified) bool { return k.Chain == r.Chain })
	if i < 0 {
		return
	}
	read, last := known[i].Again.Last, before.again().Last
	r.Done = known[i].More && read >= last
	if read >= before.Until {
		return
	}
	r.Next, r.Until = read+1, before.Until
	if read < last {
		r.Last = last
	}
}

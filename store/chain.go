package store

import (
	"crypto/sha256"
	"encoding/hex"
)

// Chain identifies one hash chain of the audit. Changes and decisions are in different chains, because old decisions
// may be pruned and changes are never deleted.
type Chain struct {
	Tenant string `json:"tenant_id,omitempty"`
	Writer string `json:"writer"`
	Kind   Kind   `json:"kind"`
}

// Head is the end of a chain. It shows whether the newest entries were cut off. Base is the number of the last pruned
// entry, or 0.
type Head struct {
	Chain
	Seq      int64  `json:"seq"`
	Hash     string `json:"hash"`
	Base     int64  `json:"base,omitempty"`
	BaseHash string `json:"base_hash,omitempty"`
}

// Seal makes e the next entry of the chain. It returns the new head of the chain and the text that was hashed, which is
// the canonical form of the entry without its hash.
func (h Head) Seal(e *Entry) (Head, []byte, error) {
	e.Tenant, e.Writer, e.Kind = h.Tenant, h.Writer, h.Kind
	e.Seq, e.Prev, e.Hash = h.Seq+1, h.Hash, ""
	text, err := EncodeEntry(e)
	if err != nil {
		return h, nil, err
	}
	e.Hash = hash(text)
	h.Seq, h.Hash = e.Seq, e.Hash
	return h, text, nil
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Chain returns the chain of the entry.
func (e *Entry) Chain() Chain { return Chain{e.Tenant, e.Writer, e.Kind} }

// Sealed returns the text that was hashed, as Seal returned it.
func (e *Entry) Sealed() ([]byte, error) {
	bare := *e
	bare.Hash = ""
	return EncodeEntry(&bare)
}

// genuine reports whether the entry has not changed since it was sealed.
func (e *Entry) genuine() bool {
	text, err := e.Sealed()
	return err == nil && hash(text) == e.Hash
}

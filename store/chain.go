package store

import (
	"crypto/sha256"
	"encoding/hex"
)

// Chain names one hash chain of the audit. Changes and decisions have chains of their own, because the old end of a
// chain of decisions may be pruned and changes are never forgotten.
type Chain struct {
	Tenant string `json:"tenant_id,omitempty"`
	Writer string `json:"writer"`
	Kind   Kind   `json:"kind"`
}

// Head is where a chain ends: without it nobody would miss entries that were cut off. Base is where it begins, which is
// not at 0 when its oldest entries were pruned.
type Head struct {
	Chain
	Seq      int64  `json:"seq"`
	Hash     string `json:"hash"`
	Base     int64  `json:"base,omitempty"`
	BaseHash string `json:"base_hash,omitempty"`
}

// Seal makes e the next entry of the chain. It returns the head that the chain has then and the text that was hashed,
// which is the entry's canonical form without its hash.
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

// Chain is the chain that the entry is in.
func (e *Entry) Chain() Chain { return Chain{e.Tenant, e.Writer, e.Kind} }

// Sealed is the text that was hashed, as Seal gave it.
func (e *Entry) Sealed() ([]byte, error) {
	bare := *e
	bare.Hash = ""
	return EncodeEntry(&bare)
}

// genuine tells whether the entry is as it was sealed.
func (e *Entry) genuine() bool {
	text, err := e.Sealed()
	return err == nil && hash(text) == e.Hash
}

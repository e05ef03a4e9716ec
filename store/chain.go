package store

import (
	"crypto/sha256"
	"encoding/hex"
)

// Chain identifies a hash chain of the audit. Changes and decisions have separate chains, because old decisions may
// be deleted but changes may not.
type Chain struct {
	Tenant string `json:"tenant_id,omitempty"`
	Writer string `json:"writer"`
	Kind   Kind   `json:"kind"`
}

// Head describes the newest entry of a chain. Verify uses it to notice that the newest entries are missing. Base is the
// number of the last deleted entry of the chain, or 0 if no entry was deleted.
type Head struct {
	Chain
	Seq      int64  `json:"seq"`
	Hash     string `json:"hash"`
	Base     int64  `json:"base,omitempty"`
	BaseHash string `json:"base_hash,omitempty"`
}

// Seal makes the entry e the next entry of the chain. It returns the new head, and the text from which the hash was
// computed: the canonical JSON of the entry without the hash.
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

// Sealed returns the canonical JSON of the entry without its hash. The hash was computed from this text.
func (e *Entry) Sealed() ([]byte, error) {
	bare := *e
	bare.Hash = ""
	return EncodeEntry(&bare)
}

// IsHash reports whether a hash is the hash of the text of a sealed entry.
func IsHash(text []byte, of string) bool { return hash(text) == of }

// IsGenuine reports whether the entry is the same as when it was sealed.
func (e *Entry) IsGenuine() bool {
	text, err := e.Sealed()
	return err == nil && hash(text) == e.Hash
}

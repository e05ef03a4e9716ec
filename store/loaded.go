package store

import "errors"

// LoadedChain is a chain of a dump: Want is its head, Had the one that it had in the store before.
type LoadedChain struct{ Had, Want Head }

// Follows says whether the dump goes on where the store had come to with a chain, which it has the head of.
func (c *LoadedChain) Follows(had Head) error {
	c.Had = had
	if c.Want.Base > had.Seq {
		return Errorf(Conflict, "the dump goes on at entry %d of the writer %s, and the store has %d of them; load an older dump first", c.Want.Base+1, c.Want.Writer, had.Seq)
	}
	return nil
}

// Grows tells whether the dump has entries that the store had not.
func (c *LoadedChain) Grows() bool { return c.Want.Seq > c.Had.Seq }

// Same says whether a revision of the dump is the one that the store has.
func (r *Revision) Same(had *Revision) error {
	one, err := had.Digest()
	if err != nil {
		return err
	}
	if other, err := r.Digest(); err != nil || one != other {
		return errors.Join(err, Clash("guideline", r.Guideline.ID))
	}
	return nil
}

// Clash is the error for something that the store has otherwise than a dump.
func Clash(what, id string) *Error {
	return Errorf(Conflict, "the store has another %s %s than the dump; load it into a store without the tenant", what, id)
}

package live

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"guardrails/store"
	"guardrails/store/notedheads"
)

// The constant "closing" is how long Close may take to note the heads of the tenants that this process wrote to.
const closing = time.Second

// olderThan returns a description of the damage if the generation of the store is lower than the generation in the
// parameter "seen", which was noted earlier. Otherwise, it returns "".
func (t *TenantStore) olderThan(ctx context.Context, seen int64) (string, error) {
	now, err := t.rawGeneration(ctx)
	if err != nil || now >= seen {
		return "", err
	}
	return fmt.Sprintf("the store counts %d changes of guidelines, but it had counted %d before, so it may be an older copy",
		now, seen), nil
}

// rawGeneration reads the generation that the store has for the tenant. If a backup was restored into the open store,
// the first attempt fails, and the second one opens the store again.
func (t *TenantStore) rawGeneration(ctx context.Context) (int64, error) {
	read := func(s store.Store) (int64, error) { return store.GenerationOf(ctx, s, t.caller.Tenant) }
	n, err := readStore(ctx, t, read)
	if errors.Is(err, store.ErrGone) {
		n, err = readStore(ctx, t, read)
	}
	return n, err
}

// damaged() returns a verdict about the tenant as a whole.
func (t *TenantStore) damaged(why string) store.Verdict {
	chain := store.Chain{Tenant: t.caller.Tenant, Kind: store.KindChange}
	return store.Verdict{Head: store.Head{Chain: chain}, Fault: &store.Fault{Damage: store.Altered, Why: why}}
}

// Notes returns the notes about the tenant that are kept outside of the store, and descriptions of what is wrong with
// these notes.
func (t *TenantStore) Notes() (notes []notedheads.Note, faults []string, err error) {
	if t.store.notes == nil {
		return nil, nil, nil
	}
	return t.store.notes.Notes(t.caller.Tenant)
}

// OtherNotedTenants returns tenants of the store about which there are notes: at most the given number, and not the
// tenant in the parameter "tenant". The result "left" says how many more there are.
func (s *Store) OtherNotedTenants(tenant string, most int) (out []string, left int, err error) {
	if s.notes == nil {
		return nil, 0, nil
	}
	return s.notes.OtherTenants(tenant, most)
}

// Keys returns the public keys that sign the notes, the oldest first.
func (t *TenantStore) Keys() (notedheads.Keys, error) {
	if t.store.notes == nil {
		return nil, nil
	}
	return t.store.notes.Keys()
}

// NoteHeads notes the heads of the tenant's chains outside of the store.
func (t *TenantStore) NoteHeads(ctx context.Context) (notedheads.Note, error) {
	return t.note(ctx, notedheads.Note{})
}

// AcceptHeads makes Verify accept the chains as they are now. Earlier notes are then ignored.
func (t *TenantStore) AcceptHeads(ctx context.Context) (notedheads.Note, error) {
	return t.note(ctx, notedheads.Note{AcceptedBy: t.caller.Actor})
}

// LostEntriesError reports that a store lacks entries of the audit that were noted outside of it.
type LostEntriesError struct {
	Place string
	Lost  []store.Head
}

func (e *LostEntriesError) Error() string {
	return e.What() + "; restore the newer store, or run \"guardrails init\" to accept this one"
}

// What is a method that returns a description of the problem. Unlike Error, it does not say how to solve the problem.
func (e *LostEntriesError) What() string {
	h := e.Lost[0]
	return fmt.Sprintf("the store %s is a different one or an older copy: its audit lacks entry %d of the %ss written by %s, "+
		"which was noted outside of the store", e.Place, h.Seq, h.Kind, h.Writer)
}

// CheckNoted returns a LostEntriesError if the last note has a head whose entry the store lacks. If the notes cannot be
// read, CheckNoted returns no error, because Verify reports this.
func (t *TenantStore) CheckNoted(ctx context.Context) error {
	if t.store.notes == nil {
		return nil
	}
	last, err := t.store.notes.Last(t.caller.Tenant)
	if err != nil || len(last.Heads) == 0 {
		return nil
	}
	lost, err := t.Holds(ctx, last.Heads...)
	if err == nil && len(lost) > 0 {
		err = &LostEntriesError{t.store.location, lost}
	}
	return err
}

// note() adds the current heads to a note and stores it. If the store has lost entries, a new note would hide the loss.
// In this case, the method returns an error that says what was lost.
func (t *TenantStore) note(ctx context.Context, n notedheads.Note) (notedheads.Note, error) {
	var err error
	n.Tenant = t.caller.Tenant
	if n.Generation, err = t.rawGeneration(ctx); err == nil {
		n.Heads, err = t.Heads(ctx)
	}
	if err == nil && n.AcceptedBy == "" {
		if err = t.CheckNoted(ctx); err != nil {
			err = store.Errorf(store.ReadOnly, "the heads of the audit are not noted: %w", err)
		}
	}
	if err != nil || t.store.notes == nil || len(n.Heads) == 0 && n.AcceptedBy == "" {
		return n, err
	}
	return t.store.notes.Add(n)
}

// touch() remembers that this process wrote to a tenant.
func (s *Store) touch(tenant string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.touched[tenant] = true
}

// NoteHeads notes the heads of each tenant to which this process has written since the last call. If this fails for a
// tenant, the next call tries again.
func (s *Store) NoteHeads(ctx context.Context) error {
	s.mu.Lock()
	tenants := slices.Sorted(maps.Keys(s.touched))
	s.touched = map[string]bool{}
	s.mu.Unlock()
	var problems []error
	for i, tenant := range tenants {
		_, err := s.For(Caller{Tenant: tenant}).NoteHeads(ctx)
		if err == nil {
			continue
		}
		s.touch(tenant)
		problems = append(problems, fmt.Errorf(
			"cannot save the heads of the audit (the newest entry of each chain) of the tenant %.140q: %w", tenant, err))
		if store.ConcernsAll(err) {
			for _, left := range tenants[i:] {
				s.touch(left)
			}
			break
		}
	}
	return errors.Join(problems...)
}

// noteLast notes the heads of the tenants that this process wrote to. If that fails, the next process notes these
// heads.
func (s *Store) noteLast() {
	if s.notes == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	_ = s.NoteHeads(ctx)
}

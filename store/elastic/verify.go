package elastic

import (
	"context"

	"guardrails/store"
)

// Heads returns the head of every chain of a tenant.
func (s *Store) Heads(ctx context.Context, tenant string) ([]store.Head, error) {
	return read(ctx, s, tenant, func(_ context.Context, j *journal) ([]store.Head, error) {
		return append([]store.Head{}, j.Heads...), nil
	})
}

// Verify reads the audit of a tenant. It ignores entries that are written while it reads.
func (s *Store) Verify(
	ctx context.Context, tenant string, known store.Known, noted ...store.Head,
) ([]store.Verdict, error) {
	return read(ctx, s, tenant, func(ctx context.Context, _ *journal) (verdicts []store.Verdict, err error) {
		err = s.withAudit(ctx, tenant, func(a *auditSnapshot) error {
			v := store.NewVerification(tenant, a.Heads, known, noted)
			if err := (&reading{s, a, v}).entries(ctx); err != nil {
				return err
			}
			c := v.Guidelines()
			err = s.compare(ctx, a.journal, c)
			if err == nil {
				err = s.compareWrites(ctx, a.journal, c)
			}
			verdicts = v.Verdicts()
			if err == nil {
				err = s.compareIndices(ctx, tenant, &verdicts)
			}
			return err
		})
		return verdicts, err
	})
}

// isLater reports whether an entry was written after the journal of the snapshot was read. Such an entry comes after
// the head of its chain in this journal, but not after the head that was read last.
func (a *auditSnapshot) isLater(e *store.Entry) bool {
	return e.Seq > lastSeq(a.Heads, e.Chain()) && e.Seq <= lastSeq(a.latest, e.Chain())
}

func lastSeq(heads []store.Head, c store.Chain) int64 {
	for _, h := range heads {
		if h.Chain == c {
			return h.Seq
		}
	}
	return 0
}

// compare() adds two things to c: every revision, and every version that readers see.
func (s *Store) compare(ctx context.Context, j *journal, c *store.Comparison) error {
	var last storedRevision
	return s.eachRevision(ctx, j, func(k storedRevision, indexed indexedRevision, err error) error {
		if err == nil {
			err = s.checkIndexed(&k, &last, &indexed)
		}
		if err != nil {
			c.Unreadable(indexed.Key, indexed.Version, err.Error())
			return nil
		}
		c.Revision(&k.Revision)
		if !k.Deleted && (k.superseded == 0 || k.superseded > j.Generation) {
			c.Listed(store.KeyOf(&k.Guideline), k.Guideline.Version)
		}
		last = k
		return nil
	})
}

// checkIndexed checks the fields by which readers find a revision. The revision must begin at the generation that
// superseded the previous version, and the fields for sorting and searching must match the guideline.
func (s *Store) checkIndexed(k, last *storedRevision, indexed *indexedRevision) error {
	if store.KeyOf(&last.Guideline) == store.KeyOf(&k.Guideline) && last.superseded != k.generation {
		return store.Errorf(store.Internal,
			"it does not begin at the generation at which the version before it ends, so some readers may not find it")
	}
	want, err := k.encode()
	if err != nil {
		return err
	}
	if same, err := sameJSON(want, indexed.source); err != nil || !same {
		return store.Errorf(store.Internal, "its fields for sorting and searching do not match the guideline")
	}
	return nil
}

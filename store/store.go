// Package store is the contract for keeping guidelines, their history and the audit log. It also contains the code that
// all drivers share: the domain types, the rules of optimistic locking (Planner) and the hash chains of the audit
// (Head, Verifier).
//
// Start with Store, which is written as a specification. MUST marks a requirement for every driver. A test in
// store/storetest is named after each requirement. MAY marks behaviour that callers must be prepared for.
package store

import (
	"context"
	"iter"
	"time"

	"guardrails/guideline"
)

// Store keeps the guidelines and the audit log of any number of tenants. These rules apply to every call:
//
//   - A call MUST read and change only the tenant that it names. The empty name is a tenant like any other.
//   - Guidelines are identified by their Key: two projects of a tenant MAY use the same id, and a project MAY use the
//     id of a guideline that belongs to all projects. A guideline without a project belongs to all projects.
//   - An acknowledged change MUST be durable: it survives the end of the process and a crash of the machine.
//   - A reader MUST see every change and every audit entry that was acknowledged before the call began, by this process
//     or by another process.
//   - A change, its revision and its audit entry MUST be stored together or not at all.
//   - Every error MUST be an *Error. Its code says what the caller can do.
//   - A cursor that is damaged, or that was made for another tenant, filter or order, MUST be Invalid.
//   - A Store MUST be safe for concurrent use, and for use by several processes at once.
//   - A call whose context ended MUST fail with Unavailable. The change MAY have been made. If it was made, repeating
//     the call with the same write id returns the first result.
//   - After Close, every call MUST fail with Unavailable.
type Store interface {
	Reader
	Editor
	Archive
	Importer
	Audit
	Mover
	Webhooks
	// Writable returns an error if a tenant cannot be changed now, for example because the disk of the store is full or
	// read-only, or because a part of the store was lost. It changes nothing that a reader sees.
	Writable(ctx context.Context, tenant string) error
	// Close waits for running writes and closes the store. Closing twice MUST NOT be an error.
	Close() error
}

// Clock is implemented by stores that run on other computers.
type Clock interface {
	// Time returns the time of the store's computers.
	Time(ctx context.Context) (time.Time, error)
}

// Reader reads guidelines.
type Reader interface {
	// Get returns one guideline. If it does not exist or was deleted, the error MUST be NotFound.
	Get(ctx context.Context, tenant, key string) (guideline.Guideline, error)
	// List returns one page of the guidelines that match the filter. The order and the total MUST be exact. Guidelines
	// with equal sort keys MUST be ordered by key. A page after the last one MUST be empty. If nobody changes a guideline
	// while all pages are read with cursors, the pages MUST contain this guideline exactly once.
	List(ctx context.Context, tenant string, q ListQuery) (Page[guideline.Guideline], error)
	// The method All returns every guideline ordered by key, including disabled ones. All guidelines in the set MUST be
	// read at the same moment.
	All(ctx context.Context, tenant string) (Set, error)
	// The method Changes returns what changed in the guidelines since an earlier moment. Applying the changes to the set
	// of that moment MUST give the set that the method All returns. If the store no longer has all changes up to that
	// moment, for example because it was replaced by an older copy, Changes MUST return every guideline.
	Changes(ctx context.Context, tenant string, since Moment) (Changes, error)
	// Generations returns a number for each of the tenants. The number MUST grow whenever a guideline of the tenant
	// changes, and MUST NOT change otherwise. Generations is cheap enough to be polled for many tenants at once.
	Generations(ctx context.Context, tenants ...string) ([]int64, error)
}

// Editor changes guidelines. These rules apply to every change:
//
//   - The caller passes the version that it saw. If the current version is different, the error MUST be a Conflict that
//     has the current version. Version 0 means that the caller passed no version. In this case, the error MUST be
//     Invalid. Create ignores the version.
//   - Every change, including a deletion, MUST increase the version by one. If a deleted guideline is created again,
//     its version numbers MUST continue where they ended, so that no number is used twice.
//   - Repeating a change with the same write id MUST return the first result and change nothing, even if other changes
//     were made since then. Using the write id for another change MUST be Invalid. The write id of a failed change MUST
//     stay unused.
//   - The guideline MUST be valid according to guideline.Parse. Its tenant MUST be the tenant of the write, or empty.
//   - The store MUST set the version, times, creator and tenant, and ignore what the caller set there. Times are UTC,
//     rounded down to milliseconds.
type Editor interface {
	// Create adds a guideline. If a guideline with the same key exists, the error MUST be a Conflict.
	Create(ctx context.Context, w Write, g guideline.Guideline) (guideline.Guideline, error)
	// Update replaces the guideline that has the key and version of g. The stored creation time and creator MUST NOT
	// change.
	Update(ctx context.Context, w Write, g guideline.Guideline) (guideline.Guideline, error)
	// Toggle enables a disabled guideline and disables an enabled one.
	Toggle(ctx context.Context, w Write, ref Ref) (guideline.Guideline, error)
	// Delete removes a guideline. Its history MUST stay.
	Delete(ctx context.Context, w Write, ref Ref) error
}

// Archive keeps every version of every guideline.
type Archive interface {
	// History returns one page of a guideline's revisions, newest first. Reading all pages with cursors MUST return each
	// revision exactly once, except for revisions that are added after the first page was read. History MUST also work for
	// deleted guidelines. If the key never existed, the error MUST be NotFound.
	History(ctx context.Context, tenant, key string, p Paging) (Page[Revision], error)
	// Restore makes the content of an earlier version the newest version. The parameter "ref" has the newest version,
	// which can be a deletion. If the earlier version never existed or was a deletion, the error MUST be NotFound.
	Restore(ctx context.Context, w Write, ref Ref, version int) (guideline.Guideline, error)
}

// Importer adds or updates many guidelines at once.
type Importer interface {
	// Import MUST import all items or none. The result MUST have an outcome for every item, in the order of the items.
	// This also applies to a dry run and to an import that fails. If any item is invalid, the error MUST be Invalid. If
	// items fail for other reasons, the error MUST be a Conflict. A dry run MUST return the result and the error that the
	// import would return. It MUST NOT change anything or use the write id.
	Import(ctx context.Context, w Write, items []guideline.Guideline, options ImportOptions) (ImportResult, error)
}

// Audit is the log of changes and decisions. It MUST have an entry for every change of a guideline.
type Audit interface {
	// Append adds all entries or none and returns them sealed, in order. Entries MUST be sealed into the chains of the
	// driver's writer. If an id exists already, the existing entry MUST NOT change.
	Append(ctx context.Context, tenant string, entries ...Entry) ([]Entry, error)
	// Query returns one page of the entries that match the filter, newest first. The total MUST be exact. Reading all
	// pages with cursors MUST return each entry exactly once, except for entries that are added or pruned after the first
	// page was read.
	Query(ctx context.Context, tenant string, q AuditQuery) (Page[Entry], error)
	// Export yields each matching entry once, oldest first. The memory that it needs does not depend on the number of
	// entries. It MAY leave out an entry that was appended after the export began. It ends after the first error.
	Export(ctx context.Context, tenant string, f AuditFilter) iter.Seq2[Entry, error]
	// Prune deletes the oldest decisions of every chain and returns the number of deleted decisions. Before it deletes
	// anything, an entry with a Pruning MUST be in the audit. The remaining entries MUST pass verification. An
	// interrupted pruning MAY have deleted only some of the decisions.
	Prune(ctx context.Context, w Write, r Retention) (int64, error)
	// Heads returns the head of every chain. A head that is kept outside the store can prove later that no entry before
	// it was altered.
	Heads(ctx context.Context, tenant string) ([]Head, error)
	// Holds checks whether the store has the entries of the given heads. It returns each head whose entry is missing or
	// differs from the stored entry. If the store was replaced by an older copy or by another store, some of the heads
	// that Heads returned earlier are missing. A head whose entry was pruned does not count as missing. Holds is fast
	// enough to be called after every change.
	Holds(ctx context.Context, tenant string, heads ...Head) (missing []Head, err error)
	// Verify reads every chain of the tenant. In each chain it MUST find the first entry that was altered, removed,
	// reordered or cut off, and it MUST also compare the chain with the heads that were noted earlier. It MUST find every
	// version of a guideline that differs from the audit, and every guideline whose newest version readers do not see. It
	// MUST read all entries that earlier verifications did not read. If an entry that an earlier verification read is
	// missing now, Verify MUST notice this.
	Verify(ctx context.Context, tenant string, known Known, noted ...Head) ([]Verdict, error)
}

// Segmented is a Store that can keep the audit in segments.
type Segmented interface {
	// Maintain begins a new segment if the newest one is large or old, and removes segments whose decisions were all
	// pruned. It changes nothing that a reader sees.
	Maintain(ctx context.Context) error
	// Split splits the audit into segments, and Join merges the segments again. Afterwards, the Store must be opened
	// again. Repeating an interrupted call MUST complete the work.
	Split(ctx context.Context) error
	Join(ctx context.Context) error
}

// Mover copies everything of a tenant from one store to another: guidelines, history, and the audit with its hashes.
// The results of write ids are not copied. If a change from before the move is repeated after the move, it MUST be
// refused.
type Mover interface {
	// Dump yields everything that a tenant has at one moment. The memory that it needs does not depend on the number of
	// records. It ends after the first error.
	Dump(ctx context.Context, tenant string) iter.Seq2[Record, error]
	// Load adds the records that Dump yielded. Existing records MUST NOT change. If an existing record differs from the
	// dump, the error MUST be a Conflict. A damaged dump and a dump of another tenant MUST be Invalid. If a load fails,
	// readers MUST see none of its guidelines. Loading the same dump again MUST complete the load.
	Load(ctx context.Context, tenant string, dump iter.Seq2[Record, error]) (Loaded, error)
}

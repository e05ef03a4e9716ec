// Package store is the contract for keeping guidelines, their history and the audit log, and what every driver of it
// shares: the domain types, the rules of locking (Planner) and the hash chains of the audit (Head, Verifier).
//
// Start with Store, which is written as a specification: MUST binds every driver and has a test in store/storetest of
// which it is the name; MAY says what a caller has to reckon with.
package store

import (
	"context"
	"iter"

	"guardrails/guideline"
)

// Store keeps the guidelines and the audit log of any number of tenants. For every call of it:
//
//   - A call MUST see and change nothing but the tenant that it names. The empty name is a tenant like any other.
//   - What a call acknowledged MUST be durable: it survives the end of the process and of the machine.
//   - A reader MUST see every change that was acknowledged before it began. Query and Export MAY show an entry of the
//     audit up to a second later.
//   - A change MUST happen as a whole or not at all, together with its revision and its audit entry.
//   - Every error MUST be an *Error; its code says what a caller can do.
//   - Calls MUST be safe for several goroutines at once, and drivers MUST agree with other processes on one store.
//   - A call MUST honour its context. A change whose context ended MAY have happened: repeated with the same write id it
//     gives its first result.
//   - After Close every call MUST fail with Unavailable.
type Store interface {
	Reader
	Editor
	Archive
	Importer
	Audit
	Mover
	// Close waits for what is being written and lets go of the store. Closing twice is no error.
	Close() error
}

// Reader reads guidelines.
type Reader interface {
	// Get gives one guideline. One that does not exist or was deleted MUST be NotFound.
	Get(ctx context.Context, tenant, id string) (guideline.Guideline, error)
	// List gives one page of the guidelines that pass the filter. Order and total MUST be exact, equal keys are ordered
	// by id, and a page beyond the last one is empty.
	List(ctx context.Context, tenant string, q ListQuery) (Page[guideline.Guideline], error)
	// All gives every guideline, disabled ones included, by id, and the generation that they are of; both MUST be of one
	// moment.
	All(ctx context.Context, tenant string) (Set, error)
	// Generation MUST be greater than every earlier one when any guideline of the tenant changed in between, and MUST NOT
	// change otherwise. It is cheap: readers poll it.
	Generation(ctx context.Context, tenant string) (int64, error)
}

// Set is every guideline of a tenant at one moment.
type Set struct {
	Guidelines []guideline.Guideline
	Generation int64
}

// Editor changes guidelines. For every change:
//
//   - The version that the caller saw MUST be the current one, else the change is a Conflict that carries the current
//     version. Version 0 is no version: it MUST be Invalid, except for Create, which ignores it.
//   - The version MUST grow by one with every change, deletion included, and goes on where it was when a deleted id is
//     created again, so that no version ever means two things.
//   - The same write id again MUST give the first result and change nothing, whatever happened since. The same write id
//     for another change MUST be Invalid. A change that failed leaves no trace of its write id.
//   - The guideline MUST be valid as guideline.Parse has it, and of the tenant of the write or of none.
//   - The store sets version, times, creator and tenant; what the caller wrote there is ignored. Times are UTC and kept to
//     the millisecond.
type Editor interface {
	// Create adds a guideline. An id that exists MUST be a Conflict.
	Create(ctx context.Context, w Write, g guideline.Guideline) (guideline.Guideline, error)
	// Update replaces the guideline whose id and version g has. Creation time and creator stay.
	Update(ctx context.Context, w Write, g guideline.Guideline) (guideline.Guideline, error)
	// Toggle switches a guideline on or off.
	Toggle(ctx context.Context, w Write, ref Ref) (guideline.Guideline, error)
	// Delete removes a guideline; its history stays.
	Delete(ctx context.Context, w Write, ref Ref) error
}

// Archive keeps every version of every guideline.
type Archive interface {
	// History gives a guideline's revisions, newest first, those of deleted guidelines too. An id that never was MUST be
	// NotFound.
	History(ctx context.Context, tenant, id string, p Paging) (Page[Revision], error)
	// Restore makes the content of an earlier version the newest one; ref has the newest version, which may be a deletion.
	// A version that never was, or was a deletion, MUST be NotFound.
	Restore(ctx context.Context, w Write, ref Ref, version int) (guideline.Guideline, error)
}

// Importer takes in many guidelines at once.
type Importer interface {
	// Import MUST take in all items or none. The result MUST have an outcome for every item in their order, also when
	// the import fails and in a dry run. When items failed, the error is Invalid if any of them is invalid, else Conflict.
	// A dry run MUST give the result and the error that the import would give, change nothing and not use the write id.
	Import(ctx context.Context, w Write, items []guideline.Guideline, how ImportOptions) (ImportResult, error)
}

// Audit is the log of changes and decisions. Every change of a guideline MUST have its entry there.
type Audit interface {
	// Append adds entries: all of them or none. Entries MUST be sealed into the chains of the driver's writer, and an entry
	// whose id is there already MUST be left as it is. The sealed entries come back in order.
	Append(ctx context.Context, tenant string, entries ...Entry) ([]Entry, error)
	// Query gives one page of the entries that pass the filter, newest first. The total MUST be exact.
	Query(ctx context.Context, tenant string, q AuditQuery) (Page[Entry], error)
	// Export gives every entry that passes the filter, oldest first and each once, in constant memory. An entry that was
	// appended after the export began MAY be missing. An error is the last thing it gives.
	Export(ctx context.Context, tenant string, f AuditFilter) iter.Seq2[Entry, error]
	// Prune gives up the oldest decisions of every chain, and says how many. Before anything is gone, an entry with a Pruning
	// MUST be in the audit; what is left MUST verify. An interrupted pruning MAY have come halfway.
	Prune(ctx context.Context, w Write, r Retention) (int64, error)
	// Heads gives the newest entry of every chain. Kept outside of the store, a head proves later that nothing before it
	// was touched.
	Heads(ctx context.Context, tenant string) ([]Head, error)
	// Verify reads every chain of the tenant and MUST find the first entry of each that was altered, removed, reordered or
	// cut off, also against heads that were noted earlier. It MUST also find every version of a guideline that is not what
	// the audit says, and every guideline of which readers do not see the newest version.
	Verify(ctx context.Context, tenant string, noted ...Head) ([]Verdict, error)
}

// Mover takes everything of a tenant from one store to another: guidelines, history and audit, with its hashes. Write ids
// stay behind: what was repeated after a move is a Conflict.
type Mover interface {
	// Dump gives everything of a tenant, of one moment, in constant memory. An error is the last thing it gives.
	Dump(ctx context.Context, tenant string) iter.Seq2[Record, error]
	// Load takes a dump in. What is there already MUST be left as it is; what is there otherwise MUST be a Conflict. A dump
	// that is damaged, or of another tenant, MUST be Invalid. When a load fails, readers MUST see none of its guidelines, and
	// loading again MUST finish it.
	Load(ctx context.Context, tenant string, dump iter.Seq2[Record, error]) (Loaded, error)
}

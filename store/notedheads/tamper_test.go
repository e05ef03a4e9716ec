package notedheads_test

import (
	"os"
	"strings"
	"testing"

	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/notedheads"
)

const (
	lastDecisions = `DELETE FROM entry WHERE seq > 7 AND chain = (SELECT id FROM chain WHERE kind = 'decision');
		UPDATE chain SET seq = 7, hash = (SELECT hash FROM entry e WHERE e.chain = chain.id AND e.seq = 7) WHERE kind = 'decision'`
	fakedPruning = `UPDATE chain SET base = 3, base_hash = (SELECT hash FROM entry e WHERE e.chain = chain.id AND e.seq = 3) WHERE kind = 'decision';
		DELETE FROM entry WHERE seq <= 3 AND chain = (SELECT id FROM chain WHERE kind = 'decision')`
	madeUp = `; INSERT INTO name (text) VALUES ('audit_pruned'); UPDATE entry SET guideline = 0, event = last_insert_rowid()
		WHERE seq = 4 AND chain = (SELECT id FROM chain WHERE kind = 'change')`
	lastChange = `DELETE FROM entry WHERE seq > 3 AND chain = (SELECT id FROM chain WHERE kind = 'change');
		UPDATE chain SET seq = 3, hash = (SELECT hash FROM entry e WHERE e.chain = chain.id AND e.seq = 3) WHERE kind = 'change';
		DELETE FROM written WHERE id = (SELECT write_id FROM revision WHERE id = 'two' AND version = 2);
		DELETE FROM revision WHERE id = 'two' AND version = 2; UPDATE generation SET number = number - 1;
		DELETE FROM label; DELETE FROM guideline WHERE id = 'two';
		INSERT INTO guideline (tenant, id, revision, priority, category, enabled, updated, name, search)
		SELECT tenant, id, row, 0, 'custom', 0, at, 'two', 'two' || char(10) FROM revision WHERE id = 'two'`
)

// Each row is a way to alter the database. Before the alteration, a process has written twice and has noted the heads
// each time. No person has saved the heads in a separate file.
func TestVerifyNoticesEveryAlterationOfTheDatabase(t *testing.T) {
	const decision4, one = ` WHERE chain = (SELECT id FROM chain WHERE kind = 'decision') AND seq = 4`, ` WHERE id = 'one'`
	const mismatch, listed = "its hash does not match its content", "so guardrails list may show it incorrectly"
	const notHashed = "its text in the database is not the text that was hashed"
	const miscounted = "stored counts of entries are wrong"
	for name, c := range map[string]struct {
		tamper func(f *fixture)
		want   string
	}{
		// Entries.
		"the result of a decision":     {sqlOf(`UPDATE entry SET body = replace(body, 'deny', 'allow')` + decision4), mismatch},
		"the reason of a decision":     {sqlOf(`UPDATE entry SET body = replace(body, '"no"', '"yes"')` + decision4), mismatch},
		"the time of a decision":       {sqlOf(`UPDATE entry SET body = replace(body, '"timestamp":"2', '"timestamp":"3')` + decision4), mismatch},
		"the text of a change":         {sqlOf(`UPDATE entry SET body = replace(body, 'Another', 'Other') WHERE chain = (SELECT id FROM chain WHERE kind = 'change')`), mismatch},
		"a decision that is not JSON":  {sqlOf(`UPDATE entry SET body = 'x'` + decision4), "cannot read an audit entry"},
		"a field added to a decision":  {sqlOf(`UPDATE entry SET body = replace(body, '{"id"', '{"more":1,"id"')` + decision4), notHashed},
		"a decision beside the other":  {sqlOf(`UPDATE entry SET body = replace(body, '"decision":', '"Decision":{"result":"allow"},"decision":')` + decision4), notHashed},
		"text after a decision":        {sqlOf(`UPDATE entry SET body = body || ' {"result":"allow"}'` + decision4), notHashed},
		"a space in a change":          {sqlOf(`UPDATE entry SET body = replace(body, '{"id"', '{ "id"') WHERE chain = (SELECT id FROM chain WHERE kind = 'change')`), notHashed},
		"a removed decision":           {sqlOf(`DELETE FROM entry` + decision4 + recount), "entry 5 follows entry 3"},
		"the removed first decisions":  {sqlOf(`DELETE FROM entry WHERE seq <= 2 AND chain = (SELECT id FROM chain WHERE kind = 'decision')` + recount), "entry 3 follows entry 0"},
		"a removed change":             {sqlOf(`DELETE FROM entry WHERE seq = 2 AND chain = (SELECT id FROM chain WHERE kind = 'change')` + recount), "entry 3 follows entry 1"},
		"the removed newest decision":  {sqlOf(`DELETE FROM entry WHERE seq = 10` + recount), "has 10 entries, but the chain ends at entry 9"},
		"a decision that nobody wrote": {sqlOf(`INSERT INTO entry SELECT 999, tenant, time, event, guideline, session, actor, chain, 11, 'made-up', hash, body, result, project, agent, mode FROM entry` + decision4 + recount), "in the index differs from the entry"},
		"two decisions in the wrong order": {
			sqlOf(`UPDATE entry SET row = 900` + decision4), "it comes after later entries",
		},
		// Hashes and numbers.
		"the hash of a decision":     {sqlOf(`UPDATE entry SET hash = hex(randomblob(32))` + decision4), mismatch},
		"the hash before a decision": {sqlOf(`UPDATE entry SET body = replace(body, '"prev":"', '"prev":"0')` + decision4), mismatch},
		"the hash of a decision, resealed": {func(f *fixture) {
			f.resealPart(store.KindDecision, 4, 4, func(e *store.Entry) { e.Decision.Reason = "yes" })
		}, "entry 5 does not have the hash of the entry before it"},
		"the number of a decision": {sqlOf(`UPDATE entry SET seq = 99` + decision4), "its number in the index differs from the entry"},
		"the number of the head":   {sqlOf(`UPDATE chain SET seq = seq + 1 WHERE kind = 'decision'`), "has 11 entries, but the chain ends at entry 10"},
		"the hash of the head":     {sqlOf(`UPDATE chain SET hash = hex(randomblob(32)) WHERE kind = 'decision'`), "its hash differs from the head of the chain"},
		"a removed head":           {sqlOf(`DELETE FROM chain WHERE kind = 'decision'`), "the head of the chain is entry 0"},
		// Columns and tenants.
		"the time in the index":          {sqlOf(`UPDATE entry SET time = time + 60000` + decision4 + recount), "its time in the index differs"},
		"the guideline in the index":     {sqlOf(`UPDATE entry SET guideline = 0` + decision4 + recount), "its guideline in the index differs"},
		"a name that many entries share": {sqlOf(`UPDATE name SET text = 'other' WHERE text = 'backend'`), "its actor in the index differs"},
		"the tenant of a decision":       {sqlOf(`UPDATE entry SET tenant = 99` + decision4 + recount), "entry 5 follows entry 3"},
		"the tenant of a guideline":      {sqlOf(`UPDATE guideline SET tenant = 99` + one), "the store does not list the guideline one"},
		"the tenant of a version":        {sqlOf(`UPDATE revision SET tenant = 99` + one + ` AND version = 1`), "version 1 of the guideline one is missing"},
		"the tenant of everything":       {sqlOf(`UPDATE name SET text = 'other' WHERE text = 'a'`), "but earlier it reached entry 10"},
		// Guidelines, versions and lists.
		"a guideline":                      {sqlOf(`UPDATE revision SET body = replace(body, 'Another', 'Other')` + one), "version 2 of the guideline one was altered"},
		"an old version":                   {sqlOf(`UPDATE revision SET actor = 'bob'` + one + ` AND version = 1`), "version 1 of the guideline one was altered"},
		"a removed version":                {sqlOf(`DELETE FROM revision` + one + ` AND version = 1`), "version 1 of the guideline one is missing"},
		"a version that nobody wrote":      {sqlOf(`INSERT INTO revision SELECT 999, tenant, id, 9, event, deleted, actor, at, write_id, replace(body, '"version":1', '"version":9') FROM revision` + one + ` AND version = 1`), "no audit entry explains version 9"},
		"an old version in lists":          {sqlOf(`UPDATE guideline SET revision = (SELECT row FROM revision` + one + ` AND version = 1)` + one), "the store lists version 1 of the guideline one, but its newest version is 2"},
		"a guideline hidden from lists":    {sqlOf(`DELETE FROM guideline` + one), "the store does not list the guideline one, whose newest version is 2"},
		"a guideline that lists show on":   {sqlOf(`UPDATE guideline SET enabled = NOT enabled` + one), listed},
		"the order of guidelines in lists": {sqlOf(`UPDATE guideline SET priority = 999` + one), listed},
		"the words of a guideline":         {sqlOf(`UPDATE guideline SET search = 'nothing'` + one), listed},
		"the counts of entries":            {sqlOf(`UPDATE tally SET entries = 2 * entries`), miscounted},
		"removed counts":                   {sqlOf(`DELETE FROM tally`), miscounted},
		// Prunings.
		"a pruning that nobody recorded": {sqlOf(fakedPruning + recount), "no audit entry says that it was pruned"},
		"a pruning that somebody made up": {func(f *fixture) {
			f.exec(fakedPruning + madeUp + recount)
			f.reseal(store.KindChange, 4, func(e *store.Entry) {
				e.Event, e.Digest, e.Guideline = store.Pruned, "", ""
				e.Pruning = &store.Pruning{Writer: e.Writer, Seq: 3, Hash: f.text("SELECT base_hash FROM chain WHERE kind = 'decision'")}
			})
		}, "its hash differs from the noted one"},
		// Alterations of whole chains. Each altered chain is still consistent, so only the noted heads show the
		// alteration.
		"a rewritten chain of decisions": {func(f *fixture) {
			f.reseal(store.KindDecision, 4, func(e *store.Entry) { e.Decision.Reason = "yes" })
		}, "its hash differs from the noted one"},
		"a rewritten last decision": {func(f *fixture) {
			f.reseal(store.KindDecision, 10, func(e *store.Entry) { e.Decision.Reason = "yes" })
		}, "its hash differs from the noted one"},
		"a rewritten last decision that is noted again": {func(f *fixture) {
			f.reseal(store.KindDecision, 10, func(e *store.Entry) { e.Decision.Reason = "yes" })
			f.withStore(func(s *live.TenantStore) {
				if _, err := s.NoteHeads(f.Context()); store.CodeOf(err) != store.ReadOnly {
					f.Errorf("the heads were noted: %v", err)
				}
				heads, err := s.Heads(f.Context())
				f.must(err)
				_, err = f.book().Add(notedheads.Note{Tenant: "a", Heads: heads})
				f.must(err)
			})
		}, "its hash differs from the noted one"},
		"a rewritten chain of changes": {func(f *fixture) {
			f.reseal(store.KindChange, 3, func(e *store.Entry) { e.Session = "" })
			f.reseal(store.KindChange, 1, func(e *store.Entry) { e.Changes = nil })
		}, "its hash differs from the noted one"},
		"a cut tail with its head moved":             {sqlOf(lastDecisions + recount), "but earlier it reached entry 10"},
		"a cut change, with everything that it made": {sqlOf(lastChange + recount), "but earlier it reached entry 4"},
		"a removed chain": {
			sqlOf(`DELETE FROM entry WHERE chain = (SELECT id FROM chain WHERE kind = 'decision'); DELETE FROM chain WHERE kind = 'decision'` + recount),
			"but earlier it reached entry 10",
		},
		"a renamed chain": {
			sqlOf(`UPDATE chain SET writer = 'other' WHERE kind = 'decision'`), "its hash does not match its content",
		},
		"an emptied store": {
			sqlOf(`DELETE FROM entry; DELETE FROM chain; DELETE FROM revision; DELETE FROM label; DELETE FROM guideline; DELETE FROM written; DELETE FROM generation; DELETE FROM tally`),
			"but earlier it reached entry 10",
		},
		"a rollback to an older copy": {rollback, "but earlier it reached entry"},
		"a rollback that other work hides": {func(f *fixture) {
			rollback(f)
			f.must(os.Rename(f.state(), f.state()+".away")) // like another computer, which does not have these notes
			f.work("three")
			f.work("four")
			f.must(os.RemoveAll(f.state()))
			f.must(os.Rename(f.state()+".away", f.state()))
		}, "its hash differs from the noted one"},
		"a new store in place of the old one": {func(f *fixture) {
			f.must(os.Remove(f.file))
			f.work("one")
		}, "but earlier it reached entry"},
		"the removed result of a write": {sqlOf(`DELETE FROM written WHERE id = (SELECT min(id) FROM written)`), "so repeating the write would make the change again"},
		"the removed results of writes": {sqlOf(`DELETE FROM written`), "so repeating the write would make the change again"},
		"the result of a renamed write": {sqlOf(`UPDATE written SET id = id || 'x'`), "so repeating the write would make the change again"},
		"a result with another version": {sqlOf(`UPDATE written SET result = replace(result, '"version":1', '"version":2')`), "differs from its changes"},
		"a result of another guideline": {sqlOf(`UPDATE written SET result = replace(result, '"id":"two"', '"id":"one"')`), "differs from its changes"},
		"a result that is not JSON":     {sqlOf(`UPDATE written SET result = 'x' WHERE id = (SELECT min(id) FROM written)`), "differs from its changes"},
		"a fingerprint":                 {sqlOf(`UPDATE written SET fingerprint = 'x' || fingerprint`), "differs from its changes"},
		"a removed fingerprint":         {sqlOf(`UPDATE written SET fingerprint = ''`), "differs from its changes"},
		"a result that nobody stored":   {sqlOf(`INSERT INTO written SELECT tenant, 'made-up1', fingerprint, result FROM written LIMIT 1`), "no audit entry explains the stored result of the write made-up1"},
		"an empty result of no write":   {sqlOf(`INSERT INTO written SELECT tenant, 'made-up1', '', '' FROM written LIMIT 1`), "no audit entry explains the stored result of the write made-up1"},
		"a trigger":                     {sqlOf(`CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM entry WHERE row = NEW.row; END`), "created or changed the trigger t"},
		"a trigger on guidelines":       {sqlOf(`CREATE TRIGGER g AFTER UPDATE ON guideline BEGIN SELECT 1; END`), "created or changed the trigger g"},
		"a view":                        {sqlOf(`CREATE VIEW v AS SELECT 1`), "created or changed the view v"},
		"a removed index":               {sqlOf(`DROP INDEX label_guideline`), "the index label_guideline of the database is missing"},
		"a changed table":               {sqlOf(`ALTER TABLE written ADD COLUMN more TEXT`), "created or changed the table written"},
		"a lowered generation":          {sqlOf(`UPDATE generation SET number = number - 1`), "the store counts 3 changes of guidelines"},
		"a removed generation":          {sqlOf(`DELETE FROM generation`), "the store counts 0 changes of guidelines"},
		"a lowered generation, and results": {
			sqlOf(`UPDATE generation SET number = 1; DELETE FROM written`), "but it had counted 4 before",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.work("one")
			f.copyTo(f.file + ".old")
			f.work("two")
			if got := f.faults(); len(got) != 0 {
				t.Fatalf("before: %q", got)
			}
			c.tamper(f)
			if got := strings.Join(f.faults(), "\n"); !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %s", got, c.want)
			}
		})
	}
}

func sqlOf(statements string) func(f *fixture) { return func(f *fixture) { f.exec(statements) } }

// rollback() puts an older copy in place of the database.
func rollback(f *fixture) {
	f.Helper()
	for _, file := range []string{f.file + "-wal", f.file + "-shm"} {
		_ = os.Remove(file) // the file may not exist
	}
	f.must(os.Rename(f.file+".old", f.file))
}

func TestOrdinaryWorkVerifiesAgainstTheNotedHeads(t *testing.T) {
	for name, more := range map[string]func(f *fixture){
		"nothing":   func(*fixture) {},
		"more work": func(f *fixture) { f.work("two"); f.work("three") },
		"a pruning": func(f *fixture) {
			f.withStore(func(s *live.TenantStore) {
				_, err := s.Prune(f.Context(), store.Retention{Keep: 2})
				f.must(err)
			})
		},
		"an accepted rollback": func(f *fixture) {
			f.copyTo(f.file + ".old")
			f.work("two")
			rollback(f)
			f.withStore(func(s *live.TenantStore) {
				_, err := s.AcceptHeads(f.Context())
				f.must(err)
			})
			f.work("again")
		},
		"a vacuum, and statistics": sqlOf("VACUUM; ANALYZE"),
		"a key that was made later": func(f *fixture) {
			f.key(false)
			f.work("two")
			f.key(true)
			f.work("three")
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.work("one")
			more(f)
			if got := f.faults(); len(got) != 0 {
				t.Errorf("%q", got)
			}
			if notes, faults, err := f.book().Notes("a"); err != nil || len(notes) == 0 || len(faults) != 0 {
				t.Errorf("%d notes, %q, %v", len(notes), faults, err)
			}
		})
	}
}

func (f *fixture) key(replace bool) notedheads.Key {
	f.Helper()
	k, err := notedheads.MakeKey(f.state(), now(), replace)
	f.must(err)
	return k
}

package notedheads_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"guardrails/store"
	"guardrails/store/live"
	"guardrails/store/notedheads"
	"guardrails/store/sqlite"
)

func decisions() store.Chain {
	return store.Chain{Tenant: "a", Writer: "w", Kind: store.KindDecision}
}

// verdict() returns the verdict about an intact chain of decisions.
func verdict(entries int64) []store.Verdict {
	hash := fmt.Sprint("hash", entries)
	return []store.Verdict{{
		Head: store.Head{Chain: decisions(), Seq: entries, Hash: hash}, Until: entries, UntilHash: hash,
	}}
}

func TestEveryDecisionIsReadAgainWithinTwoRounds(t *testing.T) {
	for name, c := range map[string]struct{ entries, growth int64 }{
		"no new decisions":      {1_000_000, 0},
		"few new decisions":     {1_000_000, 1000},
		"many new decisions":    {1_000_000, 500_000},
		"a small audit":         {5000, 10},
		"a number with a rest":  {300_017, 7},
		"one more than a round": {10_001, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var p notedheads.Point
			p = p.After(time.Now(), p.Known(), verdict(c.entries))
			seen, total := []store.Span{}, c.entries
			for range 62 {
				known := p.Known()
				if k := known[0]; k.Seq != total || k.Again.Last > total || k.Again.First > k.Again.Last {
					t.Fatalf("%+v at %d", k, total)
				}
				seen = append(seen, known[0].Again)
				total += c.growth
				p = p.After(time.Now(), known, verdict(total))
			}
			for _, entry := range []int64{1, 2, c.entries / 30, c.entries/30 + 1, c.entries / 2, c.entries - 1, c.entries} {
				if !slices.ContainsFunc(seen, func(s store.Span) bool { return entry >= s.First && entry <= s.Last }) {
					t.Errorf("entry %d was not read again: %v", entry, seen)
				}
			}
			for i := range seen[1:] {
				if next := seen[i+1].First; next != 1 && next != seen[i].Last+1 {
					t.Errorf("%v follows %v", seen[i+1], seen[i])
				}
			}
		})
	}
}

func TestAFullVerificationBeginsANewRound(t *testing.T) {
	var p notedheads.Point
	first, later := time.UnixMilli(1000).UTC(), time.UnixMilli(2000).UTC()
	p = p.After(first, p.Known(), verdict(1_000_000))
	p = p.After(later, p.Known(), verdict(1_000_000))
	if p.Full != first || p.At != later || p.Chains[0].Next == 1 {
		t.Fatalf("%+v", p)
	}
	if p = p.After(later, nil, verdict(1_000_000)); p.Full != later || p.Chains[0].Next != 1 {
		t.Errorf("%+v", p)
	}
}

func TestOnlyNotesThatWereNotComparedYetAreCompared(t *testing.T) {
	point := notedheads.Point{At: time.UnixMilli(2000), Chains: []notedheads.Round{{Chain: decisions(), Seq: 100}}}
	changes := store.Chain{Tenant: "a", Writer: "w", Kind: store.KindChange}
	head := func(c store.Chain, seq int64) store.Head { return store.Head{Chain: c, Seq: seq} }
	got := point.Later([]notedheads.Note{
		{At: time.UnixMilli(1000), Heads: []store.Head{head(changes, 1), head(decisions(), 50)}},
		{At: time.UnixMilli(1500), Heads: []store.Head{head(changes, 1), head(decisions(), 120)}},
		{At: time.UnixMilli(3000), Heads: []store.Head{head(changes, 2), head(decisions(), 70)}},
	})
	want := []store.Head{head(changes, 1), head(changes, 2), head(decisions(), 70), head(decisions(), 120)}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}

// points() returns the paths of the files that say which decisions were verified.
func (f *fixture) points() []string {
	f.Helper()
	files, err := filepath.Glob(filepath.Join(f.state(), "audit", "verified-*"))
	f.must(err)
	return files
}

func (f *fixture) verify(full bool) (out live.Verified) {
	f.Helper()
	f.withStore(func(s *live.TenantStore) {
		var err error
		out, err = s.Verify(f.Context(), live.Verifying{Full: full})
		f.must(err)
	})
	return out
}

// decide() appends the given number of decisions.
func (f *fixture) decide(round string, count int) {
	f.Helper()
	f.withStore(func(s *live.TenantStore) {
		for batch := range slices.Chunk(make([]store.Entry, count), 5000) {
			for i := range batch {
				batch[i] = store.Entry{
					ID: fmt.Sprint(round, i), Kind: store.KindDecision, Event: "decision",
					Decision: &store.Decision{Result: "deny"},
				}
			}
			round += "x"
			_, err := s.Append(f.Context(), batch...)
			f.must(err)
		}
	})
}

func TestAVerificationContinuesWhereTheLastOneEnded(t *testing.T) {
	f := newFixture(t)
	f.decide("first", 25_000)
	if got := f.verify(false); !got.Intact() || got.Verdicts[0].Entries != 25_000 || got.Full.IsZero() {
		t.Fatalf("%+v", got)
	}
	f.decide("second", 10)
	again := f.verify(false)
	if v := again.Verdicts[0]; !again.Intact() || v.Entries != 10_011 || v.Skipped != 14_999 {
		t.Errorf("%+v", again)
	}
	if full := f.verify(true); full.Verdicts[0].Entries != 25_010 || !full.Full.After(again.Full) {
		t.Errorf("%+v", full)
	}
	// An old entry is altered. The next verification does not read this entry again, but the second verification does. The
	// second verification finds the damage and stores no new Point, so the third verification reads the entry too.
	f.exec(`UPDATE entry SET body = replace(body, 'deny', 'warn') WHERE seq = 15000`)
	if got := f.verify(false); !got.Intact() {
		t.Errorf("%+v", got)
	}
	for range 2 {
		if got := f.verify(false); got.Intact() || got.Verdicts[0].Fault.Seq != 15_000 {
			t.Errorf("%+v", got)
		}
	}
	if got := f.verify(true); got.Intact() || got.Verdicts[0].Fault.Seq != 15_000 {
		t.Errorf("%+v", got)
	}
}

// impatient is a store whose caller gives up during the given call of Verify.
type impatient struct {
	store.Store
	left   *int
	giveUp context.CancelFunc
}

func (s impatient) Verify(ctx context.Context, tenant string, known store.Known, noted ...store.Head) ([]store.Verdict, error) {
	if *s.left--; *s.left == 0 {
		s.giveUp()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.Store.Verify(ctx, tenant, known, noted...)
}

// verifySlices verifies in slices, and gives up in the slice with the given number.
func (f *fixture) verifySlices(size int64, last int) (out live.Verified, err error) {
	f.Helper()
	ctx, cancel := context.WithCancel(f.Context())
	defer cancel()
	opened := live.New(live.Options{Now: time.Now, Notes: f.book(), Open: func(ctx context.Context) (store.Store, error) {
		s, err := sqlite.Open(ctx, sqlite.Options{Path: f.file})
		return impatient{s, &last, cancel}, err
	}})
	out, err = opened.For(live.Caller{Tenant: "a", Actor: "ann"}).Verify(ctx, live.Verifying{Slice: size})
	f.must(opened.Close())
	return out, err
}

func TestAVerificationThatIsInterruptedContinues(t *testing.T) {
	f := newFixture(t)
	f.work("changes")
	f.decide("first", 20_000)
	reached := func() int64 {
		p, err := f.book().Point("a")
		f.must(err)
		if len(p.Chains) == 0 {
			return 0
		}
		return p.Chains[0].Seq
	}
	for i, want := range []int64{8000, 16_000, 20_000} {
		_, err := f.verifySlices(4000, 3)
		if got := reached(); got < want || i == 0 && got > 8000 {
			t.Errorf("the point is at %d, want %d", got, want)
		}
		if i < 2 && (store.CodeOf(err) != store.Unavailable || !strings.Contains(err.Error(), "continues")) {
			t.Errorf("got %v", err)
		}
	}
	out, err := f.verifySlices(4000, 100)
	f.must(err)
	if !out.Intact() {
		t.Errorf("%+v", out.Verdicts)
	}
}

func TestSlicesCountNoEntryTwice(t *testing.T) {
	f := newFixture(t)
	f.decide("first", 20_000)
	out, err := f.verifySlices(4000, 100)
	f.must(err)
	if v := out.Verdicts[0]; v.Kind != store.KindDecision || v.Entries != 20_000 || v.Skipped != 0 {
		t.Errorf("%+v", v)
	}
}

// The damage is in a slice that the first request does not reach.
func TestDamageIsFoundInEverySlice(t *testing.T) {
	for _, seq := range []int{1, 3999, 4000, 4001, 11_000, 19_999, 20_000} {
		for name, alter := range map[string]string{
			"altered": `UPDATE entry SET body = replace(body, 'deny', 'warn') WHERE event != 0 AND seq = %d AND body LIKE '%%"decision"%%'`,
			"removed": `DELETE FROM entry WHERE seq = %d AND body LIKE '%%"decision"%%'`,
		} {
			t.Run(fmt.Sprint(name, " ", seq), func(t *testing.T) {
				t.Parallel()
				f := newFixture(t)
				f.decide("first", 20_000)
				f.exec(fmt.Sprintf(alter, seq))
				_, _ = f.verifySlices(4000, 2)
				for range 2 {
					if out, err := f.verifySlices(4000, 100); err != nil || out.Intact() {
						t.Errorf("%v %+v", err, out.Verdicts)
					}
				}
			})
		}
	}
}

func TestSlicesAreSmallAndReadEverything(t *testing.T) {
	var p notedheads.Point
	const total, most = 2_000_000, 10_000
	heads := []store.Head{{Chain: decisions(), Seq: total}}
	end := int64(0)
	verify := func() (read int64, more bool) {
		known, more := p.Slice(heads, most)
		if k := known[0]; k.Limited {
			read, end = k.End-k.Seq, k.End
		} else {
			read, end = total-k.Seq, total
		}
		read += max(0, known[0].Again.Last-known[0].Again.First+1)
		p = p.After(time.Now(), known, verdict(end))
		return read, more
	}
	steps, again := 0, int64(0)
	for more := true; more; steps++ {
		var read int64
		if read, more = verify(); read > most {
			t.Fatalf("slice %d reads %d entries", steps, read)
		}
		again += read
	}
	if end != total || steps > total/most+5 || again < total {
		t.Errorf("%d slices read %d of %d entries up to %d", steps, again, total, end)
	}
	// The next verification reads its part again in slices, too, and then ends.
	portion := int64(0)
	for more := true; more; {
		var read int64
		read, more = verify()
		portion += read
	}
	if portion < total/30 || portion > total/30+most {
		t.Errorf("%d entries were read again", portion)
	}
}

// A chain whose part was read again must not get another part before the other chains have theirs.
func TestSlicesOfSeveralChainsEnd(t *testing.T) {
	const total, part = 3_000_000, 100_000
	names := []string{"a", "b", "c"}
	var heads []store.Head
	var verdicts []store.Verdict
	for _, name := range names {
		c := store.Chain{Tenant: "a", Writer: name, Kind: store.KindDecision}
		heads = append(heads, store.Head{Chain: c, Seq: total, Hash: "hash"})
		verdicts = append(verdicts, store.Verdict{Head: heads[len(heads)-1], Until: total, UntilHash: "hash"})
	}
	for _, most := range []int64{part, part / 2, 70_000} {
		var p notedheads.Point
		p = p.After(time.Now(), nil, verdicts)
		for round := range int64(31) { // the last round begins at the start of the chains again
			read := map[string]int64{}
			steps, more := 0, true
			for ; more && steps < 100; steps++ {
				var known store.Known
				known, more = p.Slice(heads, most)
				for _, k := range known {
					if size := k.Again.Last - k.Again.First + 1; size > 0 {
						if want := round%30*part + read[k.Writer] + 1; k.Again.First != want {
							t.Fatalf("%d: round %d reads from entry %d again, want %d", most, round, k.Again.First, want)
						}
						read[k.Writer] += size
					}
				}
				p = p.After(time.Now(), known, verdicts)
			}
			if more || int64(steps) > 3*part/most+1 {
				t.Fatalf("%d: round %d has %d slices", most, round, steps)
			}
			for _, name := range names {
				if read[name] != part {
					t.Errorf("%d: round %d read %d entries of chain %s again", most, round, read[name], name)
				}
			}
		}
	}
}

func TestAPointThatSomebodyAlteredDoesNotCount(t *testing.T) {
	for name, alter := range map[string]func(f *fixture, text string) string{
		"another number": func(_ *fixture, text string) string { return strings.Replace(text, `"seq":`, `"seq":9`, 1) },
		"no signature":   func(_ *fixture, text string) string { return text[:strings.LastIndex(text, "}")+1] },
		"nothing":        func(*fixture, string) string { return "" },
		"another tenant's": func(f *fixture, _ string) string {
			f.must(f.book().SetPoint("b", notedheads.Point{Chains: []notedheads.Round{{Chain: decisions(), Seq: 9}}}))
			files := f.points()
			text, err := os.ReadFile(files[len(files)-1])
			f.must(err)
			if len(files) != 2 || !strings.Contains(string(text), `"seq":9`) {
				text, err = os.ReadFile(files[0])
				f.must(err)
			}
			return string(text)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.work("one")
			if got := f.faults(); len(got) > 0 || len(f.points()) != 1 {
				t.Fatalf("%q", got)
			}
			file := f.points()[0]
			text, err := os.ReadFile(file)
			f.must(err)
			f.must(os.WriteFile(file, []byte(alter(f, string(text))), 0o600))
			if got := strings.Join(f.faults(), "\n"); !strings.Contains(got, "no valid signature of guardrails; remove it") {
				t.Errorf("%q", got)
			}
			f.must(os.Remove(file))
			if got := f.faults(); len(got) > 0 {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestAfterAnAcceptanceEverythingIsReadAgain(t *testing.T) {
	f := newFixture(t)
	f.work("one")
	f.verify(false)
	f.withStore(func(s *live.TenantStore) {
		_, err := s.AcceptHeads(f.Context())
		f.must(err)
	})
	if files := f.points(); len(files) != 0 {
		t.Errorf("%q", files)
	}
}

package storetest

import (
	"fmt"

	"guardrails/guideline"
	"guardrails/store"
)

func chains() []test {
	return []test{
		{"entries MUST be in chains that pass verification outside of the store", sealsEntries},
		{"Heads() MUST return the head of every chain", returnsHeads},
		{"Holds() MUST return exactly the heads whose entries are missing or differ", holdsHeads},
		{"an undamaged audit MUST pass verification, also with noted heads", verifiesUndamaged},
		{"Verify() MUST find a noted head that is not in the chain", comparesNotedHeads},
		{"Verify() MUST read all entries that are not known from earlier verifications", continuesVerification},
		{"Verify() MUST read a limited part of the new entries if the caller wants this", limitsVerification},
		{"Verify() MUST find a wrong noted head, even for an entry that it does not read again", comparesNotedHeadsWithTheKnownPart},
	}
}

func sealsEntries(b *bench) {
	b.create("a", simple("one"))
	for i := range 20 {
		_, err := b.Append(b.ctx(), "a", decision(fmt.Sprint("d", i)))
		b.must(err)
	}
	heads, err := b.Heads(b.ctx(), "a")
	b.must(err)
	verification := store.NewVerification("a", heads, nil, nil)
	for e, err := range b.Export(b.ctx(), "a", store.AuditFilter{}) {
		b.must(err)
		verification.Next(e.Chain(), &e)
	}
	entries := int64(0)
	for _, v := range verification.Verdicts() {
		entries += v.Entries
		if v.Fault != nil {
			b.Errorf("the chain %+v: %+v", v.Chain, *v.Fault)
		}
	}
	if len(heads) != 2 || entries != 21 {
		b.Errorf("%d chains with %d entries", len(heads), entries)
	}
}

func holdsHeads(b *bench) {
	b.create("a", simple("one"))
	_, err := b.Append(b.ctx(), "a", decision("d"))
	b.must(err)
	early, err := b.Heads(b.ctx(), "a")
	b.must(err)
	b.create("a", simple("two"))
	late, err := b.Heads(b.ctx(), "a")
	b.must(err)
	missing, err := b.Holds(b.ctx(), "a", append(early, late...)...)
	b.must(err)
	if len(missing) != 0 {
		b.Errorf("got %+v", missing)
	}
	future, other, foreign := late[0], late[0], late[0]
	future.Seq += 100
	other.Hash = "another one"
	foreign.Writer = "nobody"
	for _, wanted := range []store.Head{future, other, foreign} {
		missing, err := b.Holds(b.ctx(), "a", append(early, wanted)...)
		b.must(err)
		if len(missing) != 1 || missing[0] != wanted {
			b.Errorf("got %+v, want %+v", missing, wanted)
		}
	}
	missing, err = b.Holds(b.ctx(), "b", late...)
	b.must(err)
	if len(missing) != len(late) {
		b.Errorf("the heads of another tenant: got %+v, want all %d", missing, len(late))
	}
}

func returnsHeads(b *bench) {
	sealed, err := b.Append(b.ctx(), "a", decision("one"), decision("two"))
	b.must(err)
	heads, err := b.Heads(b.ctx(), "a")
	b.must(err)
	last := sealed[1]
	if len(heads) != 1 || heads[0].Chain != last.Chain() || heads[0].Seq != last.Seq || heads[0].Hash != last.Hash {
		b.Errorf("got %+v, the last entry is %+v", heads, last)
	}
	none, err := b.Heads(b.ctx(), "b")
	b.must(err)
	if len(none) != 0 {
		b.Errorf("got %+v", none)
	}
}

func verifiesUndamaged(b *bench) {
	b.create("a", simple("one"))
	noted, err := b.Heads(b.ctx(), "a")
	b.must(err)
	_, err = b.Import(b.ctx(), w("a"), []guideline.Guideline{simple("two"), simple("three")}, store.ImportOptions{})
	b.must(err)
	_, err = b.Append(b.ctx(), "a", decision("one"))
	b.must(err)
	verdicts := b.checkVerifies("a", noted...)
	if len(verdicts) != 2 || verdicts[0].Entries != 3 || verdicts[1].Entries != 1 {
		b.Errorf("got %+v", verdicts)
	}
}

func comparesNotedHeads(b *bench) {
	sealed, err := b.Append(b.ctx(), "a", decision("one"), decision("two"))
	b.must(err)
	chain := sealed[0].Chain()
	gone := chain
	gone.Writer = "gone"
	for want, noted := range map[store.Fault]store.Head{
		{Seq: 1, Damage: store.Altered}:   {Chain: chain, Seq: 1, Hash: sealed[1].Hash},
		{Seq: 3, Damage: store.Truncated}: {Chain: chain, Seq: 3, Hash: sealed[1].Hash},
		{Seq: 1, Damage: store.Truncated}: {Chain: gone, Seq: 7, Hash: sealed[1].Hash},
	} {
		verdicts, err := b.Verify(b.ctx(), "a", nil, noted)
		b.must(err)
		b.found(verdicts, noted.Chain, want)
	}
}

func (b *bench) found(verdicts []store.Verdict, chain store.Chain, want store.Fault) {
	b.Helper()
	for _, v := range verdicts {
		if v.Chain == chain && v.Fault != nil && v.Fault.Seq == want.Seq && v.Fault.Damage == want.Damage &&
			v.Fault.Why != "" {
			return
		}
	}
	b.Errorf("want %+v in %+v, got %+v", want, chain, verdicts)
}

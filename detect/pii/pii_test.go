package pii_test

import (
	"slices"
	"strings"
	"testing"

	"guardrails/detect/pii"
	"guardrails/internal/fortests/detectorcases"
)

func everything() pii.Set { return pii.Default.With(pii.IP) }

// described() returns the findings of a text as category and text.
func described(text string, found []pii.Finding) []string {
	out := []string{}
	for _, f := range found {
		out = append(out, f.Category.String()+" "+text[f.Start:f.End])
	}
	return out
}

func TestPersonalDataIsFoundAndMasked(t *testing.T) {
	for _, file := range []string{"../testdata/detectors.json", "testdata/cases.json"} {
		for _, c := range detectorcases.Load(t, file).PII {
			t.Run(c.ID+" "+c.About, func(t *testing.T) {
				set := pii.Default
				if slices.Contains(c.Options, "ip") {
					set = everything()
				}
				want := []string{}
				for _, e := range c.Expect {
					want = append(want, e.Category+" "+e.Text)
				}
				if got := described(c.Text, pii.Find(c.Text, set)); !slices.Equal(got, want) {
					t.Errorf("%q has %q, want %q", c.Text, got, want)
				}
				if c.Masked != "" && pii.Mask(c.Text, set) != c.Masked {
					t.Errorf("%q is masked as %q, want %q", c.Text, pii.Mask(c.Text, set), c.Masked)
				}
				checkMask(t, c.Text, set)
			})
		}
	}
}

// checkMask fails unless masking keeps the text outside of findings, and masking again changes nothing.
func checkMask(t *testing.T, text string, set pii.Set) {
	t.Helper()
	masked := pii.Mask(text, set)
	if again := pii.Mask(masked, set); again != masked {
		t.Errorf("%q is masked as %q, and that as %q", text, masked, again)
	}
	at, end := 0, 0
	for _, f := range pii.Find(text, set) {
		if f.Start < end || f.End <= f.Start {
			t.Errorf("%q: the findings overlap: %v", text, pii.Find(text, set))
		}
		kept := text[end:f.Start]
		if i := strings.Index(masked[at:], f.Category.Marker()); i < 0 {
			t.Fatalf("%q is masked as %q, which lacks %s", text, masked, f.Category.Marker())
		} else if i == len(kept) && masked[at:at+i] != kept && !strings.Contains(masked[at:at+i], "[REDACTED-") {
			t.Errorf("%q is masked as %q, which changes %q", text, masked, kept)
		} else {
			at += i + len(f.Category.Marker())
		}
		end = f.End
	}
}

func TestSamplesHaveValidChecksumsAndAreNotFound(t *testing.T) {
	for _, account := range strings.Fields(pii.SampleIBANs) {
		if !pii.IsIBAN(account) {
			t.Errorf("%s has another length or checksum", account)
		}
		var groups []string
		for part := range slices.Chunk([]byte(account), 4) {
			groups = append(groups, string(part))
		}
		for _, text := range []string{account, strings.Join(groups, " "), "IBAN: " + account + "."} {
			if found := pii.Find(text, everything()); len(found) > 0 {
				t.Errorf("%q has %q", text, described(text, found))
			}
		}
	}
	for _, card := range strings.Fields(pii.SampleCards) {
		if found := pii.Find("card "+card, everything()); len(found) > 0 {
			t.Errorf("%q has %q", card, described("card "+card, found))
		}
	}
}

func BenchmarkPII(b *testing.B) {
	const text = "At 12:30 the job 4f3a2b1 on port 8080 called main.go:120:7 of v1.2.3, as mary said; her phone is in the wiki. "
	for name, size := range map[string]int{"2 KiB": 2 << 10, "100 KiB": 100 << 10} {
		for kind, part := range map[string]string{"prose": text, "digits": "12 345 6789 ", "cues": "card phone 1234567890 "} {
			long := strings.Repeat(part, size/len(part)+1)[:size]
			b.Run(kind+" "+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					pii.Find(long, everything())
				}
			})
		}
	}
}

func TestWordsThatDoNotMatchAreNotAllocated(t *testing.T) {
	text := strings.Repeat("The job 17 of jobQueueNumber ran v1.2.3 at 12:30 for a@b and 415-82-1. ", 1500)
	const most = 32
	if got := testing.AllocsPerRun(5, func() { pii.Find(text, everything()) }); got > most {
		t.Errorf("%v allocations", got)
	}
}

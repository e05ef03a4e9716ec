package pii_test

import (
	"math/rand/v2"
	"testing"

	"guardrails/detect/pii"
)

func FuzzFind(f *testing.F) {
	for _, seed := range []string{
		"card 4539 9836 9006 0263, SSN 536-22-8145, mary@acme.io, +44 20 7946 0958, GB64 BARC 1633 9735 9296 03",
		"born 4 March 1985, passport C01234567, driver's license D1234567, 742 Evergreen Terrace, Springfield, OR 97403 from 93.184.216.34",
		"[REDACTED-CARD] 4485622461416274372", "https://x.io 2026-03-02T13:00:00Z 550e8400-e29b-41d4-a716-446655440000",
		"GB64BARC16339735929603=ab=4539983690060263", "415-823-9921/4539983690060263",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkMask(t, text, everything())
		checkMask(t, text, pii.Default)
	})
}

func FuzzRecognisers(f *testing.F) {
	rules := plainRules()
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		for _, c := range pii.Categories() {
			comparePlain(t, rules, c, made(r, c))
		}
	})
}

package rules_test

import (
	"os"
	"testing"

	"guardrails/internal/fortests/golden"
	"guardrails/rules"
)

func TestThePacksJSONAndVersionsAreCurrent(t *testing.T) {
	for _, pack := range rules.Packs() {
		t.Run(pack.Name, func(t *testing.T) {
			source, err := rules.PackSource(pack.Name)
			if err != nil {
				t.Fatal(err)
			}
			file, problems := rules.Parse("packs/"+pack.Name+".yaml", source)
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			want, err := rules.EncodePack((&rules.Loaded{Guidelines: file.Guidelines}).Plain())
			if err != nil {
				t.Fatal(err)
			}
			golden.Check(t, *update, "packs/"+pack.Name+".json", string(want))
			versions, err := os.ReadFile("packs/" + pack.Name + ".versions")
			if err != nil {
				t.Fatal(err)
			}
			listed := rules.AddPackVersion(string(versions), (&rules.Loaded{Guidelines: file.Guidelines}).Plain())
			golden.Check(t, *update, "packs/"+pack.Name+".versions", listed)
		})
	}
}

func TestUnknownPackErrorListsThePacks(t *testing.T) {
	_, err := rules.Pack("nope")
	if err == nil || err.Error() != `there is no pack "nope"; the packs are core, roles` {
		t.Fatal(err)
	}
}

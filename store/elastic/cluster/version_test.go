package cluster

import "testing"

func TestVersionsAreComparedByNumber(t *testing.T) {
	for version, want := range map[string]bool{
		"8.0.0": true, "8.19.8": true, "10.1.0": true, "7.17.9": false, "8": false, "": false, "x.y": false,
	} {
		if got := atLeast(version, "8.0"); got != want {
			t.Errorf("%q: got %v", version, got)
		}
	}
}

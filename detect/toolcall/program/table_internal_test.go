package program

import "testing"

// For the hook programs, scripts/lean packs the rows of the tables. See scripts/lean/pack.go.
func TestPackedRowsAreUnpacked(t *testing.T) {
	const pairs = "ab\x80\x80\x81 "
	for packed, want := range map[string]string{
		"\trm destroys\n":       "\trm destroys\n",
		"\t\x80 c\n":            "\tab c\n",
		"\t\x82\x82\x81\n\ta\n": "\tabab abab abab\n\ta\n",
	} {
		if got := unpack(packed, pairs); got != want {
			t.Errorf("%q: got %q, want %q", packed, got, want)
		}
	}
	if got := unpack("\trm destroys\n", ""); got != "\trm destroys\n" {
		t.Errorf("without pairs: got %q", got)
	}
}

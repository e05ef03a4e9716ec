package words

import "testing"

func TestQuotesKnowWhereATextEnds(t *testing.T) {
	for text, want := range map[string]Quotes{
		`echo 'a "b`: {Single: true}, `echo "it's`: {Double: true}, `echo \'`: {}, `echo 'a\'`: {}, "": {},
		"# it's\necho '": {Single: true}, "echo a#'": {Single: true}, `x '"a"' "`: {Double: true}, "# it's": {},
	} {
		var q Quotes
		q.Read(text)
		if q != want {
			t.Errorf("%q: got %+v, want %+v", text, q, want)
		}
	}
}

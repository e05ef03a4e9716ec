package web

import (
	"regexp"
	"testing"
)

// mostAtFirst is the largest number of compressed bytes that a browser may have to load before it shows the first
// screen.
const mostAtFirst = 200_000

func TestTheFirstScreenNeedsFewBytes(t *testing.T) {
	page, err := New()
	check(t, err)
	size := len(page.files[index].plain.text)
	named := regexp.MustCompile(`"/ui/([^"]+)"`).FindAllStringSubmatch(string(page.files[index].plain.text), -1)
	for _, m := range named {
		f := page.files[m[1]]
		if f == nil {
			t.Fatalf("the page names the file %s, which is missing", m[1])
		}
		if f.small.text != nil {
			size += len(f.small.text)
		} else {
			size += len(f.plain.text)
		}
	}
	if len(named) < 5 || size > mostAtFirst {
		t.Errorf("the first screen needs %d bytes in %d files, more than %d bytes", size, len(named), mostAtFirst)
	}
	t.Logf("%d bytes in %d files", size, len(named))
}

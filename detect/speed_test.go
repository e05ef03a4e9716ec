package detect_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"guardrails/detect"
)

const paragraph = "Please implement the worker pool for P01: it takes jobs from the queue, runs them with a limit and reports what failed. " +
	"The latest contest of the storefront showed that planets are not plans, so check the specific numbers before you go on. "

func prompt(size int) string {
	return strings.Repeat(paragraph, size/len(paragraph)+1)[:size]
}

// hostile returns pieces of text. Each piece, when repeated, causes the most work for one kind of pattern.
func hostile() map[string]string {
	return map[string]string{
		"prose": paragraph, "one word": "b", "underscores": "a_", "white space": " ", "beginnings of phrases": "a b c ",
		"gaps": "order \n \n \n \n \n \n \n ", "prefixes": "bill ", "letters beyond ASCII": "é", "marks": "\u0301", "invalid": "\xff", "triggers": "test ui worker ",
	}
}

// TestTimeIsLinearInTheLengthOfThePrompt compares one long prompt with the same text in n short prompts, so that a busy
// machine slows down both. If the time were quadratic, all short prompts together would be n times as fast as the long
// prompt.
func TestTimeIsLinearInTheLengthOfThePrompt(t *testing.T) {
	const parts, partSize, tolerated = 64, 16 << 10, 24
	d := build(t, detect.Options{Domains: ownDomains()})
	for name, piece := range hostile() {
		t.Run(name, func(t *testing.T) {
			part := strings.Repeat(piece, partSize/len(piece))
			whole := strings.Repeat(part, parts)
			short := shortest(func() {
				for range parts {
					d.Detect(t.Context(), part)
				}
			})
			long := shortest(func() { d.Detect(t.Context(), whole) })
			if long > tolerated*short {
				t.Errorf("%d short prompts take %v, one as long as all of them %v", parts, short, long)
			}
		})
	}
}

// shortest() returns the time of the fastest of several runs.
func shortest(run func()) time.Duration {
	best := time.Duration(math.MaxInt64)
	for range 5 {
		start := time.Now()
		run()
		best = min(best, time.Since(start))
	}
	return best
}

func TestOtherWordsDoNotAllocate(t *testing.T) {
	d := build(t, detect.Options{Domains: ownDomains()})
	text := strings.Repeat("The latest contest of the storefront: planets, orderly or not; é and bord_er front. ", 20)
	if n := testing.AllocsPerRun(100, func() { d.Detect(t.Context(), text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkDetect2KB(b *testing.B) { benchmark(b, detect.Options{}, 2<<10) }

func BenchmarkDetect1MB(b *testing.B) { benchmark(b, detect.Options{}, 1<<20) }

func BenchmarkDetect2KBOwnDomains(b *testing.B) {
	benchmark(b, detect.Options{Domains: ownDomains()}, 2<<10)
}

func benchmark(b *testing.B, o detect.Options, size int) {
	d, text := build(b, o), prompt(size)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		d.Detect(b.Context(), text)
	}
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		build(b, detect.Options{})
	}
}

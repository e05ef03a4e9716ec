package corpus

import (
	"fmt"
	"math"
)

// The type "counts" has the numbers of right and wrong answers of a detector. If there was something to find, an
// answer is a hit or a miss. If there was nothing to find, an answer counts as false (the detector still found
// something) or as silent (the detector found nothing).
type counts struct{ hits, misses, falses, silent int }

func (c counts) plus(d counts) counts {
	return counts{c.hits + d.hits, c.misses + d.misses, c.falses + d.falses, c.silent + d.silent}
}

func (c *counts) add(wanted, found bool) {
	switch {
	case wanted && found:
		c.hits++
	case wanted:
		c.misses++
	case found:
		c.falses++
	default:
		c.silent++
	}
}

func (c counts) precision() share   { return share{c.hits, c.hits + c.falses} }
func (c counts) recall() share      { return share{c.hits, c.hits + c.misses} }
func (c counts) falseAlarms() share { return share{c.falses, c.falses + c.silent} }

// The type "share" is a fraction. The field "part" is the numerator, and the field "all" is the denominator.
type share struct{ part, all int }

func (s share) value() float64 { return float64(s.part) / float64(s.all) }

// interval() returns the 95 % Wilson interval of the share.
func (s share) interval() (low, high float64) {
	const z = 1.959964
	n, p := float64(s.all), s.value()
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, middle-half), min(1, middle+half)
}

func (s share) String() string {
	if s.all == 0 {
		return "-"
	}
	low, high := s.interval()
	return fmt.Sprintf("%.3f (%.3f to %.3f)", s.value(), low, high)
}

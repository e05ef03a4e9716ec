package proof

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// deaths() returns faults that kill servers. Before every third kill, the other server is stopped. The other server
// continues after the kill.
func (x *chaos) deaths(count int) (faults []fault) {
	for i := range count {
		m, other := x.machines[i%2], x.machines[1-i%2]
		f := fault{name: "a server is killed", begin: m.kill, over: m.start}
		if i%3 == 2 {
			f.name = "a server is killed while the other one is stopped"
			f.begin = func() { other.stop(); m.kill() }
			f.over = func() { time.Sleep(rand.N(200 * time.Millisecond)); other.goOn(); m.start() }
		}
		faults = append(faults, f)
	}
	return faults
}

// wrongClocks returns faults in which the clock of a server jumps, and jumps back later. In half of these faults, the
// server is killed while its clock is wrong.
func (x *chaos) wrongClocks() (faults []fault) {
	for i, ahead := range []time.Duration{time.Hour, -time.Hour, 400 * 24 * time.Hour, -400 * 24 * time.Hour} {
		m := x.machines[i%2]
		jump := func() { m.setClock(ahead); x.acknowledged(20) }
		over := func() { m.setClock(0); x.acknowledged(20) }
		die := func() { jump(); m.kill(); m.start(); x.acknowledged(20) }
		faults = append(faults,
			fault{fmt.Sprint("a clock is ahead by ", ahead), jump, over},
			fault{fmt.Sprint("a clock is ahead by ", ahead, " when a server starts"), die, over})
	}
	return faults
}

// fullDisks returns faults in which the disk of the store is full until some changes were refused. In half of these
// faults, a server is killed while the disk is full.
func (x *chaos) fullDisks(fill, free func(), count int) (faults []fault) {
	for i := range count {
		m := x.machines[i%2]
		full := func() { x.load.full.Store(true); fill(); x.refused(5) }
		over := func() { free(); x.acknowledged(20); x.load.full.Store(false) }
		die := func() { full(); m.kill(); m.start(); x.refused(5) }
		faults = append(faults,
			fault{"the disk is full", full, over}, fault{"the disk is full when a server starts", die, over})
	}
	return faults
}

func TestNothingIsLostWhenClocksAreWrong(t *testing.T) {
	if testing.Short() {
		t.Skip("not in short mode: it takes some seconds")
	}
	x := newChaos(t, onSQLite(t))
	x.suffer(x.wrongClocks()...)
	x.end()
}

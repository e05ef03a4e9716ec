package service

import (
	"sync"

	"guardrails/service/memory"
)

// savedAtOnce is the largest number of guidelines that are saved before the answer. If there are more, saving them
// would take longer than a caller should wait, so they are saved later.
const savedAtOnce = 2000

// A saver saves large rulebooks in the background, one after the other. If a rulebook changes before it was saved, only
// its newest version is saved. The zero value is ready to use.
type saver struct {
	running sync.WaitGroup

	mu      sync.Mutex
	waiting map[memory.Key]func() []string
	// The field "notices" has the problems of the last attempt to save each rulebook. Its keys are the keys of the
	// rulebooks.
	notices map[memory.Key][]string
	working bool
}

// saveLater calls save() in the background. It returns the notices of the last save for the same key.
func (v *saver) saveLater(key memory.Key, save func() []string) []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.waiting == nil {
		v.waiting, v.notices = map[memory.Key]func() []string{}, map[memory.Key][]string{}
	}
	v.waiting[key] = save
	if !v.working {
		v.working = true
		v.running.Go(v.work)
	}
	return v.notices[key]
}

func (v *saver) work() {
	for {
		key, save := v.next()
		if save == nil {
			return
		}
		v.note(key, save())
	}
}

// next() takes a waiting rulebook, and returns its key and the function that saves it. If no rulebook waits, the method
// returns nil and marks the saver as idle.
func (v *saver) next() (memory.Key, func() []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for key, save := range v.waiting {
		delete(v.waiting, key)
		return key, save
	}
	v.working = false
	return memory.Key{}, nil
}

func (v *saver) note(key memory.Key, notices []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if delete(v.notices, key); len(notices) > 0 {
		v.notices[key] = notices
	}
}

// wait() waits until everything is saved.
func (v *saver) wait() { v.running.Wait() }

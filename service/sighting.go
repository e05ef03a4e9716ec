package service

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"guardrails/config"
	"guardrails/store"
	"guardrails/store/live"
)

// sighting is how many changes of a tenant's guidelines hooks have seen in a store. A store that has fewer is another one: an
// empty database that a program made where one was removed, or an older copy. Without a note of it that store would let go of
// guidelines, and nobody would hear of it.
type sighting struct {
	Changes int64 `json:"changes"`
}

const (
	sightings   = "seen"
	maxSighting = 4 << 10
)

func sightingName(from *live.Catalog, c *config.Config) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{from.Place(), placeKey(c), c.Tenant}, "\x00")))
	return hex.EncodeToString(sum[:16]) + ".json"
}

// sighting is what was seen in a store; nothing where that cannot be read.
func (s *Service) sighting(from *live.Catalog, c *config.Config) (seen sighting) {
	d, _, err := s.state(sightings)
	if err != nil {
		return seen
	}
	text, err := d.Read(sightingName(from, c), maxSighting)
	if err != nil || json.Unmarshal(text, &seen) != nil {
		return sighting{}
	}
	return seen
}

// shrunk is the error of a store that has fewer changes than were seen in it. What is in memory may be from before them, so
// the store itself is asked then.
func (s *Service) shrunk(ctx context.Context, from *live.Catalog, c *config.Config, seen sighting, generation int64) error {
	if store.Changes(generation) >= seen.Changes {
		return nil
	}
	now, err := from.For(live.Who{Tenant: c.Tenant}).Generation(ctx)
	if err != nil || store.Changes(now) >= seen.Changes {
		return err
	}
	return &lesser{from.Place(), store.Changes(now), seen.Changes}
}

// lesser is the error of a store that has fewer changes than were seen in it.
type lesser struct {
	place     string
	has, seen int64
}

// Error says what a person can do.
func (l *lesser) Error() string {
	return l.what() + "; put the newer one back, or let this one hold by guardrails init"
}

func (l *lesser) what() string {
	changes := "changes"
	if l.seen == 1 {
		changes = "change"
	}
	return fmt.Sprintf("the store %s is another one or an older copy: of the %d %s of guidelines that hooks saw in it, it counts %d", l.place, l.seen, changes, l.has)
}

// noteSighting keeps note of what a store has, unless as much was seen already.
func (s *Service) noteSighting(h *held) error {
	if h.store.from == nil {
		return nil
	}
	now := sighting{store.Changes(h.store.generation)}
	if now.Changes <= s.sighting(h.store.from, &h.settings).Changes {
		return nil
	}
	text, err := json.Marshal(now)
	if err != nil {
		return err
	}
	d, _, err := s.state(sightings)
	if err != nil {
		return err
	}
	return d.Write(sightingName(h.store.from, &h.settings), text)
}

// Lacking is the error of the project's store where it has less than hooks saw in it, or is gone without having been named.
// Whether it answers is not said.
func (s *Service) Lacking(ctx context.Context) error {
	from, c, err := s.storeOf(ctx, "")
	if errors.Is(err, live.ErrNone) {
		r := Request{}
		root, err := s.root(&r)
		return errors.Join(err, s.missed(root, &r))
	}
	if err != nil {
		return nil
	}
	if less := s.lesser(ctx, from, c); less != nil {
		return less
	}
	return nil
}

// lesser is shrunk for those who have not read the store yet, and nil where it does not answer.
func (s *Service) lesser(ctx context.Context, from *live.Catalog, c *config.Config) *lesser {
	less, _ := errors.AsType[*lesser](s.shrunk(ctx, from, c, s.sighting(from, c), 0))
	return less
}

// Accept lets the store of the project hold as it is, whatever hooks have seen there. It tells what that lets go of; nothing
// where nothing was missing.
func (s *Service) Accept(ctx context.Context) (told string, err error) {
	from, c, err := s.storeOf(ctx, "")
	if err != nil {
		return "", err
	}
	less := s.lesser(ctx, from, c)
	if less == nil {
		return "", nil
	}
	d, _, err := s.state(sightings)
	if err == nil {
		_, err = d.Remove(sightingName(from, c))
	}
	return less.what() + "; it holds as it is from now on", err
}

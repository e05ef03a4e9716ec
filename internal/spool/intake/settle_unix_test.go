//go:build unix

package intake_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/internal/spool/intake"
	"guardrails/store"
	"guardrails/store/live"
)

// The type "slow" is a store whose Append waits until the test closes a channel (release).
type slow struct {
	store.Store
	appending, release chan struct{}
}

func (s *slow) Append(ctx context.Context, tenant string, entries ...store.Entry) ([]store.Entry, error) {
	close(s.appending)
	<-s.release
	return s.Store.Append(ctx, tenant, entries...)
}

// A server may be moving a decision into the audit while a command reads the audit. The command must find this
// decision. So Settle waits for the server.
func TestSettleWaitsForAnotherIntake(t *testing.T) {
	w := newFixture(t)
	w.write(record(1, "/p"))
	s := &slow{Store: mustOpen(t, filepath.Join(w.base, "main", "guardrails.db")), appending: make(chan struct{}), release: make(chan struct{})}
	c := live.New(live.Options{Open: live.Opened(s), Now: time.Now})
	t.Cleanup(func() { check(t, c.Close()) })
	server := intake.New(intake.Options{
		Dirs: []string{w.spool}, Now: func() time.Time { return w.now },
		Home: func(context.Context, string) intake.Home {
			return intake.Home{Store: "main", Tenant: "acme", Catalog: c}
		},
	})
	done := make(chan error)
	go func() {
		_, err := server.Turn(t.Context())
		done <- err
	}()
	<-s.appending
	_, err := w.intake().Settle(t.Context(), 0)
	if err == nil || !strings.Contains(err.Error(), "another process has been adding the hooks' records") {
		t.Errorf("%v", err)
	}
	close(s.release)
	if _, err := w.intake().Settle(t.Context(), time.Minute); err != nil {
		t.Error(err)
	}
	if got := w.reasons("main", "acme"); got != "r1" {
		t.Errorf("the audit has %q", got)
	}
	check(t, <-done)
}

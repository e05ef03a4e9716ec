package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"guardrails/store"
	"guardrails/store/live"
)

// heartbeat is the time between two lines that the server sends to a caller who waits for events. If such a line cannot be
// sent, the connection no longer exists.
const heartbeat = 15 * time.Second

type event struct {
	Guideline string `json:"guideline_id,omitempty"`
	// ProjectID is the project that the guideline belongs to. If it is empty, the guideline belongs to all projects.
	ProjectID string `json:"project_id,omitempty"`
	Version   int    `json:"version,omitempty"`
	Actor     string `json:"actor,omitempty"`
	// Entry is a new decision.
	Entry *store.Entry `json:"entry,omitempty"`
}

// events sends the events of the tenant. It ends when the caller disconnects, when the server shuts down, or when the time in
// listenFor has passed.
func (c *call) events() error {
	if !c.h.listeners.enter(c.caller) {
		return busy("too many callers are waiting for events; try again later")
	}
	defer c.h.listeners.leave(c.caller)
	opened, err := c.store()
	if err != nil {
		return err
	}
	events, stop := opened.Listen(c.caller.Tenant)
	defer stop()
	c.interested(opened)
	s := c.begin(typeEvents, "")
	if c.r.Method == http.MethodHead {
		return nil
	}
	// This tells the caller how long to wait before it reconnects. It also says that the caller receives every event from now
	// on.
	if s.tell("retry: 1000\nevent: ready\ndata: {}\n\n") == nil {
		c.follow(s, opened, events)
	}
	return nil
}

// follow sends events until the caller stops reading.
func (c *call) follow(s *stream, opened *live.Store, events <-chan live.Event) {
	over := time.After(listenFor)
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		var err error
		select {
		case e := <-events:
			err = s.event(&e)
		case <-beat.C:
			c.interested(opened)
			err = s.tell(": still here\n\n")
		case <-over:
			return
		case <-c.h.ending:
			return
		case <-c.r.Context().Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// interested reads the tenant's guidelines once. From then on, the store also looks for changes by other processes.
func (c *call) interested(opened *live.Store) {
	if _, err := opened.Snapshot(c.r.Context(), c.caller.Tenant); err != nil {
		c.h.o.Log.Warn("the server misses events of other processes", "tenant", c.caller.Tenant, "error", err)
	}
}

func (s *stream) event(e *live.Event) error {
	data, err := json.Marshal(event{e.Guideline, e.ProjectID, e.Version, e.Actor, e.Entry})
	if err != nil {
		return err
	}
	return s.tell(fmt.Sprintf("event: %s\ndata: %s\n\n", e.Kind, data))
}

func (s *stream) tell(text string) error {
	if _, err := s.Write([]byte(text)); err != nil {
		return err
	}
	return s.flush()
}

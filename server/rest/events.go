package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"guardrails/server/access"
	"guardrails/store"
	"guardrails/store/live"
)

// The constant "heartbeat" is the time between two lines that the server sends to a caller who waits for events. If the
// server cannot send such a line, the connection no longer exists.
const heartbeat = 15 * time.Second

// checkToken is how often the server checks whether the token of a stream is still valid.
const checkToken = time.Second

type event struct {
	Guideline string `json:"guideline_id,omitempty"`
	// ProjectID is the project that the guideline belongs to. If it is empty, the guideline belongs to all projects.
	ProjectID string `json:"project_id,omitempty"`
	Version   int    `json:"version,omitempty"`
	Actor     string `json:"actor,omitempty"`
	// Entry is a new decision.
	Entry *store.Entry `json:"entry,omitempty"`
}

// headerLast is the header with the id of the last event that a caller has received.
const headerLast = "Last-Event-ID"

func lastHeader() header {
	return header{headerLast, "The id of the last event that the caller received; the stream continues after it", ""}
}

// events() sends the events of the tenant. It ends when the caller disconnects, when the caller's token is revoked,
// when the server shuts down, or after the time listenFor.
func (c *call) events() error {
	if !c.h.listeners.Enter(c.caller) {
		return busy("this token or its tenant already has many streams of events; close some, or try again later")
	}
	defer c.h.listeners.Leave(c.caller)
	opened, err := c.store()
	if err != nil {
		return err
	}
	listener := opened.Listen(c.caller.Tenant, c.r.Header.Get(headerLast))
	defer listener.Close()
	c.interested(opened)
	s := c.begin(typeEvents, "")
	if c.r.Method == http.MethodHead {
		return nil
	}
	// These lines tell the caller how long to wait before it reconnects, and that it receives every event from now on.
	if s.tell("retry: 1000\nid: "+listener.Position()+"\nevent: ready\ndata: {}\n\n") == nil {
		c.follow(s, opened, listener)
	}
	return nil
}

// follow() sends events until the caller stops reading, or may no longer read events.
func (c *call) follow(s *stream, opened *live.Store, listener *live.Listener) {
	over := time.After(listenFor)
	beat, check := time.NewTicker(heartbeat), time.NewTicker(checkToken)
	defer beat.Stop()
	defer check.Stop()
	for {
		list, missed, changed := listener.Next()
		if s.send(list, missed) != nil {
			return
		}
		select {
		case <-changed:
		case <-check.C:
			if !access.IsValid(c.r.Context()) {
				return
			}
		case <-beat.C:
			c.interested(opened)
			if s.tell(": still here\n\n") != nil {
				return
			}
		case <-over:
			return
		case <-c.h.ending:
			return
		case <-c.r.Context().Done():
			return
		}
	}
}

// send() sends events. If the caller has missed earlier events, the method begins with the event "gap".
func (s *stream) send(list []live.Event, missed int64) error {
	switch {
	case missed > 0:
		if err := s.tell(fmt.Sprintf("event: gap\ndata: {\"missed_events\":%d}\n\n", missed)); err != nil {
			return err
		}
	case missed == live.Unknown:
		if err := s.tell("event: gap\ndata: {}\n\n"); err != nil {
			return err
		}
	}
	for i := range list {
		if err := s.event(&list[i]); err != nil {
			return err
		}
	}
	return nil
}

// interested() reads the tenant's guidelines once. Reading them makes the store look for changes by other processes,
// too.
func (c *call) interested(opened *live.Store) {
	if _, err := opened.Snapshot(c.r.Context(), c.caller.Tenant); err != nil {
		c.h.o.Log.Warn("the server cannot notice changes by other processes, because it cannot read the guidelines",
			"tenant", c.caller.Tenant, "error", err)
	}
}

func (s *stream) event(e *live.Event) error {
	data, err := json.Marshal(event{e.Guideline, e.ProjectID, e.Version, e.Actor, e.Entry})
	if err != nil {
		return err
	}
	return s.tell(fmt.Sprintf("id: %s\nevent: %s\ndata: %s\n\n", e.ID, e.Kind, data))
}

func (s *stream) tell(text string) error {
	if _, err := s.Write([]byte(text)); err != nil {
		return err
	}
	return s.flush()
}

package rest

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"time"

	"guardrails/store"
)

// usualSessions is the number of sessions on a page if the caller does not say how many.
const usualSessions = 200

// sessionSummary describes what happened in a session of an agent.
type sessionSummary struct {
	ID        string         `json:"session"`
	ProjectID string         `json:"project_id,omitempty"`
	Agents    []string       `json:"agents"`
	First     time.Time      `json:"first"`
	Last      time.Time      `json:"last"`
	Entries   int            `json:"entries"`
	Results   map[string]int `json:"results"`
	Events    map[string]int `json:"events"`
	// The field "Asked" lists the guidelines about which a person was asked, with the person's answers.
	Asked []ranked `json:"asked"`

	asked map[string]*ranked
}

// sessionPlace is the place in the list where a page of sessions ended. It also has the part of the period that was
// counted, and later pages count the same part. After the last page of a part, the next page begins with the next part.
// In this case, the sessionPlace has no session.
type sessionPlace struct {
	countedPart
	Last time.Time
	ID   string
}

// isBehind reports whether a session comes after the place in the list.
func (s *sessionSummary) isBehind(p *sessionPlace) bool {
	return p.ID == "" || s.Last.Before(p.Last) || s.Last.Equal(p.Last) && s.ID > p.ID
}

func (c *call) sessions() error {
	agent, span := c.query.Text("agent"), c.span()
	pager, err := store.NewPager[sessionPlace](c.paging(), "sessions", c.caller.Tenant, agent, span.Project, span.Session)
	if err != nil {
		return err
	}
	counting := countedPart{From: span.From, To: span.To}
	if pager.Place != nil {
		counting = pager.Place.countedPart
		span.From, span.To = counting.From, counting.To
	} else if counting.Newest, err = c.newest(); err != nil {
		return err
	}
	byID := map[string]*sessionSummary{}
	seen, err := c.scan(span, &counting, c.h.o.MaxCounted, func(e *store.Entry) {
		if e.Session == "" || agent != "" && agentOf(e) != agent {
			return
		}
		s := byID[e.Session]
		if s == nil {
			s = &sessionSummary{
				ID: e.Session, Last: e.Time.UTC(), Agents: []string{}, Results: map[string]int{}, Events: map[string]int{},
				asked: map[string]*ranked{},
			}
			byID[e.Session] = s
		}
		s.add(e)
	})
	if err != nil {
		return err
	}
	list := slices.AppendSeq([]*sessionSummary{}, maps.Values(byID)) // never nil, which would be null in JSON
	slices.SortFunc(list, func(a, b *sessionSummary) int {
		return cmp.Or(b.Last.Compare(a.Last), cmp.Compare(a.ID, b.ID))
	})
	if pager.Place != nil && pager.Place.ID == "" {
		pager.Total = len(list)
	}
	isBehind := func(s **sessionSummary, at *sessionPlace) bool { return (*s).isBehind(at) }
	page, err := store.PageIn(&pager, list, isBehind, func(s **sessionSummary) sessionPlace {
		return sessionPlace{counting, (*s).Last, (*s).ID}
	})
	if err == nil && page.Next == "" && !seen.Complete {
		page.Next, err = pager.CursorAt(sessionPlace{countedPart: counting.next()}, len(list))
	}
	if err != nil {
		return err
	}
	for _, s := range page.Items {
		s.Asked = s.questions()
	}
	return c.say(http.StatusOK, struct {
		Sessions []*sessionSummary `json:"sessions"`
		counted
		scanned
	}{page.Items, countedOf(&page), seen})
}

// add() adds an entry. The entry is older than the entries that were added before.
func (s *sessionSummary) add(e *store.Entry) {
	s.First = e.Time.UTC()
	if e.ProjectID != "" {
		s.ProjectID = e.ProjectID
	}
	if agent := agentOf(e); agent != "" && !slices.Contains(s.Agents, agent) {
		s.Agents = append(s.Agents, agent)
	}
	s.Entries++
	result := resultOf(e)
	s.Results[result]++
	s.Events[e.Event]++
	if result == "ask" || e.Event == "gate" {
		count(s.asked, e.Guideline, e.GuidelineName, result)
	}
}

// questions() returns the guidelines about which a person was asked. The totals are the numbers of questions, not of
// answers.
func (s *sessionSummary) questions() []ranked {
	for _, one := range s.asked {
		asked := one.Results["ask"]
		one.Total = max(asked, one.Total-asked) // the period may begin between a question and its answer
	}
	return ranking(s.asked)
}

package rest

import (
	"net/http"
	"slices"
	"time"

	"guardrails/store"
)

// maxListed is the largest number of sessions in a list.
const maxListed = 200

// sessionSummary is what an agent's session did.
type sessionSummary struct {
	ID        string         `json:"session"`
	ProjectID string         `json:"project_id,omitempty"`
	Agents    []string       `json:"agents"`
	First     time.Time      `json:"first"`
	Last      time.Time      `json:"last"`
	Entries   int            `json:"entries"`
	Results   map[string]int `json:"results"`
	Events    map[string]int `json:"events"`
	// Asked are the guidelines about which a person was asked, and what the person answered.
	Asked []ranked `json:"asked"`

	asked map[string]*ranked
}

func (c *call) sessions() error {
	agent := c.query.text("agent")
	byID := map[string]*sessionSummary{}
	var list []*sessionSummary
	seen, err := c.scan(c.span(), maxScanned, func(e *store.Entry) {
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
			list = append(list, s)
		}
		s.add(e)
	})
	if err != nil {
		return err
	}
	out := []sessionSummary{}
	for _, s := range list[:min(len(list), maxListed)] {
		s.Asked = ranking(s.asked)
		out = append(out, *s)
	}
	return c.say(http.StatusOK, struct {
		Sessions []sessionSummary `json:"sessions"`
		Total    int              `json:"total"`
		scanned
	}{out, len(list), seen})
}

// add adds an entry, which is older than those before it.
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

package rest

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"guardrails/internal/document"
	"guardrails/server/rest/query"
	"guardrails/store"
)

// The lengths of the periods into which a summary is divided.
const (
	byHour = "hour"
	byDay  = "day"
)

// maxBuckets is the largest number of periods in a summary. maxRanked is the largest number of names in one of its
// lists.
const (
	maxBuckets = 1000
	maxRanked  = 50
)

type summary struct {
	scanned
	// Next is the cursor with which another request counts the earlier entries.
	Next    string         `json:"next_cursor,omitempty"`
	Bucket  string         `json:"bucket"`
	Buckets []bucket       `json:"buckets"`
	Results map[string]int `json:"results"`
	Events  map[string]int `json:"events"`
	// In each of the lists Guidelines, Agents and Tools, the most frequent name comes first.
	Guidelines []ranked `json:"guidelines"`
	Agents     []ranked `json:"agents"`
	Tools      []ranked `json:"tools"`
}

type bucket struct {
	Start   time.Time      `json:"start"`
	Results map[string]int `json:"results"`
}

// The type "ranked" is a name with the number of its entries.
type ranked struct {
	ID      string         `json:"id"`
	Name    string         `json:"name,omitempty"`
	Total   int            `json:"total"`
	Results map[string]int `json:"results"`
}

func (c *call) summary() error {
	f := c.span()
	out := summary{Bucket: c.query.Text("bucket"), Results: map[string]int{}, Events: map[string]int{}}
	length := time.Hour
	if out.Bucket == byDay {
		length = 24 * time.Hour
	}
	pager, err := store.NewPager[countedPart](store.Paging{Cursor: c.query.Text(query.Cursor)}, "summary", c.caller.Tenant, out.Bucket, f.Project, f.Session)
	if err != nil {
		return err
	}
	counting := countedPart{From: f.From, To: f.To}
	if pager.Place != nil {
		counting = *pager.Place
		f.From, f.To = counting.From, counting.To
	}
	if out.Buckets, err = buckets(f.From, f.To, length); err != nil {
		return err
	}
	guidelines, agents, tools := map[string]*ranked{}, map[string]*ranked{}, map[string]*ranked{}
	out.scanned, err = c.scan(f, &counting, c.h.o.MaxCounted, func(e *store.Entry) {
		result := resultOf(e)
		out.Results[result]++
		out.Events[e.Event]++
		if i := int(e.Time.Sub(out.Buckets[0].Start) / length); i >= 0 && i < len(out.Buckets) {
			out.Buckets[i].Results[result]++
		}
		count(guidelines, e.Guideline, e.GuidelineName, result)
		count(agents, agentOf(e), "", result)
		if e.Decision != nil {
			count(tools, e.Decision.Tool, "", result)
		}
	})
	if err != nil {
		return err
	}
	if !out.Complete {
		if out.Next, err = pager.CursorAt(counting.next(), 0); err != nil {
			return err
		}
	}
	out.Guidelines, out.Agents, out.Tools = ranking(guidelines), ranking(agents), ranking(tools)
	return c.say(http.StatusOK, out)
}

// buckets() returns the periods between two times. Each period begins at a whole hour or day in UTC.
func buckets(from, to time.Time, length time.Duration) ([]bucket, error) {
	out := []bucket{}
	for start := from.UTC().Truncate(length); start.Before(to); start = start.Add(length) {
		if len(out) == maxBuckets {
			return nil, invalid(document.Problems{{
				Path: store.AuditFrom, Message: "is more than 1000 hours or days before date_to",
				Remedy: "ask for a shorter time span, or for a summary by day",
			}})
		}
		out = append(out, bucket{start, map[string]int{}})
	}
	return out, nil
}

func resultOf(e *store.Entry) string {
	if e.Decision == nil {
		return ""
	}
	return e.Decision.Result
}

func agentOf(e *store.Entry) string {
	if e.Context != nil {
		return e.Context.Agent
	}
	return ""
}

// count() adds one entry to the numbers of an id. If the id is empty, it does nothing.
func count(all map[string]*ranked, id, name, result string) {
	if id == "" {
		return
	}
	one := all[id]
	if one == nil {
		one = &ranked{ID: id, Results: map[string]int{}}
		all[id] = one
	}
	one.Name = cmp.Or(one.Name, name)
	one.Total++
	one.Results[result]++
}

// ranking() returns the most frequent names.
func ranking(all map[string]*ranked) []ranked {
	out := make([]ranked, 0, len(all))
	for _, one := range all {
		out = append(out, *one)
	}
	slices.SortFunc(out, func(a, b ranked) int { return cmp.Or(b.Total-a.Total, strings.Compare(a.ID, b.ID)) })
	return out[:min(len(out), maxRanked)]
}

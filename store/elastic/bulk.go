package elastic

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/elastic/go-elasticsearch/v8/esapi"
)

const (
	// maxItems and maxBulk are how much is written by one request.
	maxItems = 1000
	maxBulk  = 4 << 20
)

// item is what came of one action.
type item struct {
	Status int             `json:"status"`
	Error  json.RawMessage `json:"error"`
}

// carryOut writes all documents. If they are to be visible, it waits until searches see them.
func (s *Store) carryOut(ctx context.Context, actions []action, visible bool) error {
	for _, part := range portions(actions, maxBulk) {
		if err := s.carryOutPart(ctx, part, visible); err != nil {
			return err
		}
	}
	return nil
}

// carryOutPart writes what one request takes, and those again that the servers had no room for.
func (s *Store) carryOutPart(ctx context.Context, left []action, visible bool) error {
	for attempt := 1; ; attempt++ {
		items, err := s.bulk(ctx, left, visible)
		if err != nil {
			return err
		}
		again, before, err := sortOut(left, items)
		if err != nil && !isPassing(err) {
			return err
		}
		left = again
		// The servers wait for what this request wrote, and not for what was there before.
		if before && visible {
			if err := s.refresh(ctx, configIndex); err != nil {
				return err
			}
		}
		if len(left) == 0 || attempt == attempts || !pause(ctx, attempt) {
			return err
		}
	}
}

// sortOut looks at what came of each action: those that have to be tried again, whether something was there before, and
// the first failure.
func sortOut(actions []action, items []map[string]item) (again []action, before bool, failure error) {
	for i := range actions {
		for _, got := range items[i] {
			if got.Status < http.StatusBadRequest || got.Status == http.StatusConflict {
				before = before || got.Status == http.StatusConflict
				continue
			}
			r := readRefusal(got.Status, got.Error)
			if !r.passes() {
				return nil, before, r
			}
			again, failure = append(again, actions[i]), &passing{r}
		}
	}
	return again, before, failure
}

func (s *Store) bulk(ctx context.Context, actions []action, visible bool) ([]map[string]item, error) {
	var body bytes.Buffer
	for i := range actions {
		s.writeLines(&body, &actions[i])
	}
	var answer struct {
		Items []map[string]item `json:"items"`
	}
	yes, refresh := true, "false"
	if visible {
		refresh = "wait_for"
	}
	err := s.client.ask(ctx, func() esapi.Request {
		return esapi.BulkRequest{Body: bytes.NewReader(body.Bytes()), Refresh: refresh, RequireAlias: &yes, Timeout: s.client.timeout}
	}, &answer)
	if err == nil && len(answer.Items) != len(actions) {
		err = &passing{errHalfAnswer}
	}
	return answer.Items, err
}

// writeLines writes an action as the two lines that the servers want. Names of ours need no escaping.
func (s *Store) writeLines(body *bytes.Buffer, a *action) {
	verb := "create"
	if a.Replace {
		verb = "index"
	}
	body.WriteString(`{"` + verb + `":{"_index":"` + s.indices.name(a.Index) + `","_id":"` + a.ID + "\"}}\n")
	body.Write(a.Doc)
	body.WriteByte('\n')
}

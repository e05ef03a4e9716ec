package elastic

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"slices"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
	"guardrails/store/elastic/cluster"
)

const (
	// maxItems is the maximum number of actions in one request. maxBulk is the maximum size of all actions in one
	// request, in bytes.
	maxItems = 2000
	maxBulk  = 4 << 20
	// With manyItems actions or more, two requests are faster than one.
	manyItems = 200
)

// The type "item" is the result of one action. One of its fields is set.
type item struct {
	Create, Index itemResult
}

type itemResult struct {
	Status int             `json:"status"`
	Error  json.RawMessage `json:"error"`
}

func (i item) result() itemResult {
	if i.Create.Status != 0 {
		return i.Create
	}
	return i.Index
}

// execute() executes actions. When the method returns, searches do not always see the documents yet. The servers write
// the documents of a request one after the other. If there are many documents, execute() therefore sends them in two
// requests at the same time.
func (s *Store) execute(ctx context.Context, actions []action) error {
	for _, part := range portions(actions) {
		half := len(part)
		if half >= manyItems {
			half /= 2
		}
		rest := make(chan error, 1)
		go func() { rest <- s.executePortion(ctx, part[half:]) }()
		if err := errors.Join(s.executePortion(ctx, part[:half]), <-rest); err != nil {
			return err
		}
	}
	return nil
}

// executePortion executes the actions of one request. It repeats the actions that busy servers refused.
func (s *Store) executePortion(ctx context.Context, left []action) error {
	if len(left) == 0 {
		return nil
	}
	for attempt := 1; ; attempt++ {
		items, err := s.bulk(ctx, left)
		if err != nil {
			return err
		}
		again, existing, err := checkItems(left, items)
		if err != nil && !cluster.IsTemporary(err) {
			return err
		}
		if err := s.compareExisting(ctx, existing); err != nil {
			return err
		}
		left = again
		if len(left) == 0 || attempt == cluster.Attempts || !cluster.Pause(ctx, attempt) {
			return err
		}
	}
}

// checkItems checks the result of each action. The result "again" has the actions to repeat. The result "existing" has
// the actions that failed because their documents existed before.
func checkItems(actions []action, items []item) (again, existing []action, failure error) {
	for i := range actions {
		got := items[i].result()
		if got.Status < http.StatusBadRequest {
			continue
		}
		if got.Status == http.StatusConflict {
			existing = append(existing, actions[i])
			continue
		}
		r := cluster.ReadRefusal(got.Status, got.Error)
		if !r.IsTemporary() {
			return nil, nil, r
		}
		again, failure = append(again, actions[i]), &cluster.Temporary{Err: r}
	}
	return again, existing, failure
}

// compareExisting handles the actions that failed because their documents exist already. It returns an error if the
// content of an existing document differs from the content that the action writes. If the content is the same, an
// earlier attempt or another writer has created the document.
func (s *Store) compareExisting(ctx context.Context, actions []action) error {
	ids := map[string][]string{}
	for i := range actions {
		ids[actions[i].Index] = append(ids[actions[i].Index], actions[i].ID)
	}
	for index, some := range ids {
		found, err := s.documents(ctx, index, some)
		if err != nil {
			return err
		}
		for i := range actions {
			if err := s.compareWith(&actions[i], found[actions[i].ID]); err != nil {
				return err
			}
		}
	}
	return nil
}

// compareWith returns an error if the stored document differs from the document of an action. compareWith ignores the
// field "superseded" of a revision, because this field changes when a newer revision is written.
func (s *Store) compareWith(a *action, stored json.RawMessage) error {
	if stored == nil {
		return nil
	}
	var want, have map[string]any
	if err := errors.Join(json.Unmarshal(a.Doc, &want), json.Unmarshal(stored, &have)); err != nil {
		return err
	}
	delete(want, "superseded")
	delete(have, "superseded")
	if !reflect.DeepEqual(want, have) {
		return store.Errorf(store.Internal,
			"%s of %s already has a different document with the id of a new one, so %s comes from an older snapshot; restore all indices of guardrails from one snapshot",
			s.indices.name(a.Index), s.client.Address(), s.indices.name(stateIndex))
	}
	return nil
}

func (s *Store) bulk(ctx context.Context, actions []action) ([]item, error) {
	var body bytes.Buffer
	size := 0
	for i := range actions {
		size += actions[i].size()
	}
	body.Grow(size)
	for i := range actions {
		s.writeLines(&body, &actions[i])
	}
	var answer struct {
		Items []item `json:"items"`
	}
	yes := true
	err := s.client.Do(ctx, func() esapi.Request {
		return esapi.BulkRequest{
			Body: bytes.NewReader(body.Bytes()), RequireAlias: &yes, Timeout: s.client.Timeout(),
			FilterPath: []string{"items.*.status", "items.*.error"},
		}
	}, &answer)
	unknown := func(i item) bool { return i.result().Status == 0 }
	if err == nil && (len(answer.Items) != len(actions) || slices.ContainsFunc(answer.Items, unknown)) {
		err = &cluster.Temporary{Err: cluster.ErrIncomplete}
	}
	return answer.Items, err
}

// writeLines writes an action as two lines of a bulk request. Index names and document ids need no escaping.
func (s *Store) writeLines(body *bytes.Buffer, a *action) {
	verb := "create"
	if a.Replace {
		verb = "index"
	}
	body.WriteString(`{"` + verb + `":{"_index":"` + s.indices.single(a.Index) + `","_id":"` + a.ID + "\"}}\n")
	body.Write(a.Doc)
	body.WriteByte('\n')
}

// The type "action" is a document to write. Repeating an action changes nothing, even much later: the action either
// creates a document with a unique name, or replaces a document whose next content is already decided.
type action struct {
	Index string `json:"index"`
	ID    string `json:"id"`
	// Replace is set if the action overwrites an existing document.
	Replace bool            `json:"replace,omitempty"`
	Doc     json.RawMessage `json:"doc"`
}

// append() adds the JSON of the action to a text. Index names and document ids need no escaping.
func (a *action) append(text []byte) []byte {
	text = append(append(append(text, `{"index":"`...), a.Index...), `","id":"`...)
	text = append(append(text, a.ID...), '"')
	if a.Replace {
		text = append(text, `,"replace":true`...)
	}
	return append(append(append(text, `,"doc":`...), a.Doc...), '}')
}

func newAction(index, id string, replace bool, doc any) (action, error) {
	text, err := json.Marshal(doc)
	if err != nil {
		return action{}, store.Errorf(store.Invalid, "cannot write a document as JSON: %w", err)
	}
	return action{index, id, replace, text}, nil
}

// size() returns the approximate size of the action in bytes.
func (a *action) size() int { return len(a.Doc) + len(a.ID) + 100 }

// portions() splits actions into portions of at most maxBulk bytes and maxItems actions. A larger action is a portion
// of its own.
func portions(actions []action) (out [][]action) {
	start, sum := 0, 0
	for i := range actions {
		next := actions[i].size()
		if i > start && (sum+next > maxBulk || i-start == maxItems) {
			out = append(out, actions[start:i])
			start, sum = i, 0
		}
		sum += next
	}
	if start < len(actions) {
		out = append(out, actions[start:])
	}
	return out
}

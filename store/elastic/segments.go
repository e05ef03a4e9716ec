package elastic

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/elastic/go-elasticsearch/v8/esapi"

	"guardrails/store"
	"guardrails/store/elastic/cluster"
)

// The type "segments" is the list of the segments of a split audit. The newest segment gets the decisions of new
// transactions. The journal says to which segment each transaction writes. A repeated transaction therefore writes the
// same documents again, even after another segment has become the newest.
type segments struct {
	Kind string      `json:"kind"`
	List segmentList `json:"segments"`

	state docState
}

type segmentList struct {
	// Segments has the segments that exist, except for segment 0, oldest first.
	Segments []segment `json:"segments"`
	// The field "Next" is the number of the next segment. A number is never used twice.
	Next int `json:"next"`
	// Joining is the name of the index to which the last entries are being copied. While Joining is set, nobody may write.
	Joining string `json:"joining,omitempty"`
}

type segment struct {
	Number  int       `json:"number"`
	Created time.Time `json:"created"`
}

// newest() returns the segment for new decisions.
func (l *segmentList) newest() segment { return l.Segments[len(l.Segments)-1] }

func (l *segmentList) has(number int) bool {
	return slices.ContainsFunc(l.Segments, func(s segment) bool { return s.Number == number })
}

// add() adds a segment and returns its number.
func (l *segmentList) add(at time.Time) int {
	number := max(1, l.Next)
	l.Segments, l.Next = append(l.Segments, segment{number, at}), number+1
	return number
}

// readSegments reads the list of segments. If the store has no such list, the result is empty and has the zero state.
func (s *Store) readSegments(ctx context.Context) (*segments, error) {
	return s.readSegmentsFrom(ctx, s.indices.name(stateIndex))
}

// readSegmentsFrom() does the same as readSegments(), but the caller names the index.
func (s *Store) readSegmentsFrom(ctx context.Context, index string) (*segments, error) {
	list := &segments{Kind: kindSegments}
	at, err := s.getFrom(ctx, index, documentID(kindSegments), list)
	list.state = at
	return list, err
}

// writeSegments replaces the list of segments, unless the stored list has changed since it was read.
func (s *Store) writeSegments(ctx context.Context, list *segments) error {
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	at, err := s.put(ctx, documentID(kindSegments), text, list.state)
	if err == nil {
		list.state = at
	}
	return err
}

// journalForWriters reads the journal of a tenant. If the audit is split, it also reads the list of segments, with the
// same request.
func (s *Store) journalForWriters(ctx context.Context, tenant string) (*journal, error) {
	if !s.indices.split {
		return s.journal(ctx, tenant)
	}
	j := &journal{Kind: kindJournal, Tenant: tenant, segments: &segments{}}
	own, list := documentID(kindJournal, tenant), documentID(kindSegments)
	found, err := s.find(ctx, s.addresses(stateIndex, []string{own, list}))
	if err != nil {
		return nil, err
	}
	if len(found[list].Source) == 0 {
		return nil, s.withoutSegments()
	}
	if err := json.Unmarshal(found[list].Source, j.segments); err != nil {
		return nil, err
	}
	if d, known := found[own]; known {
		j.state, err = d.docState, json.Unmarshal(d.Source, j)
	}
	return j, err
}

func (s *Store) withoutSegments() error {
	return store.Errorf(store.Unavailable,
		"%s of %s has no list of the segments of the audit; restore all indices of guardrails from one snapshot",
		s.indices.name(stateIndex), s.client.Address()).CausedBy(store.ErrLost)
}

// checkWritable returns an error if a transaction must not be planned on a journal. The lock of the tenant must be
// held.
func (s *Store) checkWritable(ctx context.Context, j *journal) error {
	if j.segments != nil && j.segments.List.Joining != "" {
		return store.Errorf(store.ReadOnly, "the segments of the audit at %s are being joined, and nothing can be changed "+
			"meanwhile; if guardrails audit join was interrupted, run it again", s.client.Address())
	}
	return errors.Join(s.checkFit(ctx, j), s.showLast(ctx, j))
}

// showLast makes searches see the entries of the last transaction if the next transaction writes to another segment.
// After that, the last segment gets no more entries, and nothing else would make its last entries visible to searches.
// The method findEntries finds the entries of such segments with searches.
func (s *Store) showLast(ctx context.Context, j *journal) error {
	if j.segments == nil || j.Segment == j.target() || !j.segments.List.has(j.Segment) {
		return nil
	}
	return s.sendRefresh(ctx, segmentIndex(j.Segment))
}

// target() returns the number of the segment to which the next transaction writes, or 0 if the audit is not split. If
// the list of segments was read before the journal, the journal can have the number of a segment that is not yet in the
// list. In that case, the method returns the number from the journal.
func (j *journal) target() int {
	if j.segments == nil {
		return 0
	}
	return max(j.segments.List.newest().Number, j.Segment)
}

// indexOf returns the index for the entries of a transaction. Changes are never deleted, so they are all in one index.
func (t *transaction) indexOf(kind store.Kind) string {
	if kind != store.KindDecision || t.next.Segment == 0 {
		return auditIndex
	}
	return segmentIndex(t.next.Segment)
}

// findEntries reads the documents of entries by name. An entry may be in segment 0, or in the segment of the last or
// next transaction. Searches see the entries of all other segments.
func (s *Store) findEntries(ctx context.Context, j *journal, ids []string) (map[string]document, error) {
	list := s.addresses(auditIndex, ids)
	older := 0
	if j.segments != nil {
		list = append(list, s.addresses(segmentIndex(j.target()), ids)...)
		older = len(j.segments.List.Segments) - 1
	}
	found, err := s.find(ctx, list)
	for older > 0 && err == nil && len(ids) > 0 {
		some := ids[:min(maxItems, len(ids))]
		ids = ids[len(some):]
		err = s.searchEntries(ctx, some, found)
	}
	return found, err
}

// searchEntries searches for the documents with the given names, and adds the documents to the map "found".
func (s *Store) searchEntries(ctx context.Context, ids []string, found map[string]document) error {
	q := query{index: auditIndex, Query: matchAll(tree{"ids": tree{"values": ids}}), Size: len(ids), States: true}
	r, err := s.search(ctx, &q)
	if err != nil {
		return err
	}
	for i := range r.Hits.Hits {
		found[r.Hits.Hits[i].ID] = r.Hits.Hits[i].document
	}
	return nil
}

// deleteDocument deletes a document, unless the document has changed since it was read.
func (s *Store) deleteDocument(ctx context.Context, d *document) error {
	err := s.client.Do(ctx, func() esapi.Request {
		return esapi.DeleteRequest{Index: d.Index, DocumentID: d.ID, IfSeqNo: &d.SeqNo, IfPrimaryTerm: &d.Term}
	}, nil)
	if cluster.IsRefusal(err, http.StatusNotFound) || cluster.IsRefusal(err, http.StatusConflict) {
		return nil
	}
	return err
}

// executeInSegments executes actions. A segment is removed only if all entries in it were pruned, or if all segments
// were joined. If an action is for an entry in a removed segment, the method writes the entry to segment 0. There,
// readers find the entry by its name.
func (s *Store) executeInSegments(ctx context.Context, actions []action) error {
	err := s.execute(ctx, actions)
	if !cluster.IsKind(err, cluster.IndexMissing) {
		return err
	}
	list, other := s.readSegments(ctx)
	if other != nil {
		return errors.Join(err, other)
	}
	moved := slices.Clone(actions)
	for i := range moved {
		if number := segmentNumber(moved[i].Index); number > 0 && !list.List.has(number) {
			moved[i].Index = auditIndex
		}
	}
	return s.execute(ctx, moved)
}

// segmentNumber returns the number of the segment that has an alias, or 0.
func segmentNumber(index string) (number int) {
	digits, ok := strings.CutPrefix(index, auditIndex+"-")
	if ok {
		_ = json.Unmarshal([]byte(strings.TrimLeft(digits, "0")), &number) // for other aliases, the number stays 0
	}
	return number
}

package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/elastic/go-elasticsearch/v8/esapi"
)

// OpenPIT opens a point in time of an index, and returns its id. All searches with the same point in time see the same
// documents. The servers close the point in time if no search uses it for the duration keepAlive.
func (c *Client) OpenPIT(ctx context.Context, index, keepAlive string) (string, error) {
	var answer struct {
		ID    string `json:"id"`
		PitID string `json:"pit_id"`
	}
	err := c.Do(ctx, func() esapi.Request {
		if c.IsOpenSearch() {
			return RawRequest{http.MethodPost, "/" + index + "/_search/point_in_time?keep_alive=" + keepAlive, nil}
		}
		return esapi.OpenPointInTimeRequest{Index: []string{index}, KeepAlive: keepAlive}
	}, &answer)
	return answer.ID + answer.PitID, err
}

// ClosePIT closes a point in time.
func (c *Client) ClosePIT(ctx context.Context, id string) error {
	return c.Do(ctx, func() esapi.Request {
		if c.IsOpenSearch() {
			body, _ := json.Marshal(map[string][]string{"pit_id": {id}}) // strings can always be encoded
			return RawRequest{http.MethodDelete, "/_search/point_in_time", body}
		}
		body, _ := json.Marshal(map[string]string{"id": id})
		return esapi.ClosePointInTimeRequest{Body: bytes.NewReader(body)}
	}, nil)
}

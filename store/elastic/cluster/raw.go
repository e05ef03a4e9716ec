package cluster

import (
	"bytes"
	"context"
	"net/http"

	"github.com/elastic/go-elasticsearch/v8/esapi"
)

// RawRequest is a request for which the library has no type.
type RawRequest struct {
	Method, Path string
	Body         []byte
}

// Do sends the request.
func (d RawRequest) Do(ctx context.Context, transport esapi.Transport) (*esapi.Response, error) {
	r, err := http.NewRequestWithContext(ctx, d.Method, d.Path, bytes.NewReader(d.Body))
	if err != nil {
		return nil, err
	}
	if len(d.Body) > 0 {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := transport.Perform(r) //nolint:bodyclose // Client.Do reads and closes it
	if err != nil {
		return nil, err
	}
	return &esapi.Response{StatusCode: answer.StatusCode, Header: answer.Header, Body: answer.Body}, nil
}

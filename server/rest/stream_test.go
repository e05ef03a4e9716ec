package rest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func TestEventStreamsOutliveTheTimeLimitsOfTheServer(t *testing.T) {
	api := newAPI(t)
	short := httptest.NewUnstartedServer(http.HandlerFunc(api.serveAsCaller))
	short.Config.ReadTimeout, short.Config.WriteTimeout = 50*time.Millisecond, 50*time.Millisecond
	short.Start()
	t.Cleanup(func() { api.handler.End(); short.Close() })
	url := api.url
	api.url = short.URL
	f := api.follow(t)
	api.url = url
	for i, began := 0, time.Now(); time.Since(began) < 500*time.Millisecond; i++ {
		api.create(fmt.Sprint("a", i), "")
		if f.next() == "" {
			t.Fatalf("the events ended after %v", time.Since(began))
		}
	}
}

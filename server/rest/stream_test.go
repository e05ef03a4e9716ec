package rest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func TestALongAnswerIsNotBoundByTheTimesOfShortOnes(t *testing.T) {
	d := newDoor(t)
	hasty := httptest.NewUnstartedServer(http.HandlerFunc(d.answer))
	hasty.Config.ReadTimeout, hasty.Config.WriteTimeout = 50*time.Millisecond, 50*time.Millisecond
	hasty.Start()
	t.Cleanup(func() { d.handler.End(); hasty.Close() })
	steady := d.url
	d.url = hasty.URL
	f := d.follow(t)
	d.url = steady
	for i, began := 0, time.Now(); time.Since(began) < 500*time.Millisecond; i++ {
		d.make(fmt.Sprint("a", i), "")
		if f.next() == "" {
			t.Fatalf("the events ended after %v", time.Since(began))
		}
	}
}

package send_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"guardrails/store"
	"guardrails/webhook"
	"guardrails/webhook/send"
)

var now = time.Date(2026, 5, 16, 13, 0, 0, 0, time.UTC)

func sender() *send.Sender {
	s := send.New("1.2.3", func() time.Time { return now }, nil)
	s.Chance = func() float64 { return 0.5 }
	return s
}

// try() sends a new delivery to an endpoint.
func try(t *testing.T, s *send.Sender, e *store.Endpoint) (store.Delivery, webhook.Outcome) {
	t.Helper()
	event := webhook.NewTest("acme", "x", now)
	d := event.Delivery("wh_1", now)
	d.Event = webhook.SafetyBlocked // use this event, because the event of a test is not tried again
	outcome, ok := s.Try(t.Context(), e, &d)
	if !ok || len(d.Tries) != 1 {
		t.Fatalf("got %v, %+v", ok, d)
	}
	return d, outcome
}

func jsonTo(url string) *store.Endpoint {
	return &store.Endpoint{ID: "wh_1", URL: url, Format: "json", Secrets: []store.Secret{{Text: "whsec_test"}}}
}

func TestARequestIsSignedAndHasItsHeaders(t *testing.T) {
	var got *http.Request
	var body []byte
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		w.WriteHeader(http.StatusNoContent)
	}))
	defer receiver.Close()
	d, outcome := try(t, sender(), jsonTo(receiver.URL+"/hook?a=b"))
	if outcome != webhook.Delivered || d.State != store.DeliveryDone || !d.Due.IsZero() || d.Tries[0].Status != 204 {
		t.Errorf("got %s, %+v", outcome, d)
	}
	sum := hmac.New(sha256.New, []byte("whsec_test"))
	sum.Write([]byte("1778936400."))
	sum.Write(body)
	for name, want := range map[string]string{
		"Content-Type": "application/json", "User-Agent": "guardrails/1.2.3", "X-Guardrails-Event": "safety.blocked",
		"X-Guardrails-Delivery": d.ID, "X-Guardrails-Signature": "t=1778936400,v1=" + hex.EncodeToString(sum.Sum(nil)),
	} {
		if value := got.Header.Get(name); value != want {
			t.Errorf("%s: got %q, want %q", name, value, want)
		}
	}
	if string(body) != d.Body || got.Method != http.MethodPost || got.URL.String() != "/hook?a=b" {
		t.Errorf("got %s %s %s", got.Method, got.URL, body)
	}
}

func TestAnswersDecideAboutTheNextTry(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		status int
		state  string
		next   time.Duration
		says   string
	}{
		"200":                {status(200, ""), 200, store.DeliveryDone, 0, "all good"},
		"500":                {status(500, ""), 500, store.DeliveryPending, 5 * time.Second, "all good"},
		"400":                {status(400, ""), 400, store.DeliveryGivenUp, 0, "all good"},
		"410":                {status(410, ""), 410, store.DeliveryGivenUp, 0, "all good"},
		"429":                {status(429, "120"), 429, store.DeliveryPending, 2 * time.Minute, "all good"},
		"429 without a time": {status(429, ""), 429, store.DeliveryPending, 5 * time.Second, "all good"},
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://169.254.169.254/latest/meta-data", http.StatusFound)
		}, 302, store.DeliveryPending, 5 * time.Second, ""},
		"no answer": {func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.ReadAll(r.Body)
			<-r.Context().Done()
		}, 0, store.DeliveryPending, 5 * time.Second, "no answer within 1s"},
		"dies in the middle of the headers": {cut("HTTP/1.1 200 OK\r\nContent-"), 0, store.DeliveryPending, 5 * time.Second, ""},
		"dies in the middle of the body": {
			cut("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nall good"), 200, store.DeliveryDone, 0, "all good",
		},
		"no HTTP": {cut("220 smtp.example.com\r\n"), 0, store.DeliveryPending, 5 * time.Second, "malformed"},
		"a huge answer": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(strings.Repeat("x", 1<<20)))
		}, 200, store.DeliveryDone, 0, strings.Repeat("x", 1024)},
	} {
		t.Run(name, func(t *testing.T) {
			receiver := httptest.NewServer(c.answer)
			defer receiver.Close()
			s := sender()
			s.Timeout = time.Second
			if name != "no answer" {
				s.Timeout = time.Minute
			}
			d, _ := try(t, s, jsonTo(receiver.URL))
			got := d.Tries[0]
			if got.Status != c.status || d.State != c.state || !strings.Contains(got.Error+got.Answer, c.says) || len(got.Answer) > 1024 {
				t.Errorf("got %+v, want %+v", d, c)
			}
			if c.next == 0 && !d.Due.IsZero() || c.next > 0 && (d.Due.Sub(now) != c.next || !got.Next.Equal(d.Due)) {
				t.Errorf("the next try is at %v", d.Due)
			}
		})
	}
}

func status(code int, retryAfter string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		w.WriteHeader(code)
		_, _ = w.Write([]byte("all good"))
	}
}

// cut() returns a handler that answers with a text and closes the connection.
func cut(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_, _ = conn.Write([]byte(text))
			_ = conn.Close()
		}
	}
}

func TestAClosedPortIsTriedAgain(t *testing.T) {
	receiver := httptest.NewServer(nil)
	receiver.Close()
	d, _ := try(t, sender(), jsonTo(receiver.URL))
	if d.State != store.DeliveryPending || !strings.Contains(d.Tries[0].Error, "refused") {
		t.Errorf("got %+v", d)
	}
}

func TestTheSeventhFailedTryIsTheLast(t *testing.T) {
	receiver := httptest.NewServer(status(503, ""))
	defer receiver.Close()
	event := webhook.NewTest("acme", "x", now)
	d := event.Delivery("wh_1", now)
	d.Event = webhook.SafetyHold
	s := sender()
	for i := 1; i <= 7; i++ {
		if d.State != store.DeliveryPending {
			t.Fatalf("given up after %d tries", i-1)
		}
		s.Try(t.Context(), jsonTo(receiver.URL), &d)
	}
	if d.State != store.DeliveryGivenUp || !d.Due.IsZero() || d.Tries[6].Attempt != 7 {
		t.Errorf("got %+v", d)
	}
}

func TestATestIsTriedOnce(t *testing.T) {
	receiver := httptest.NewServer(status(503, ""))
	defer receiver.Close()
	event := webhook.NewTest("acme", "x", now)
	d := event.Delivery("wh_1", now)
	sender().Try(t.Context(), jsonTo(receiver.URL), &d)
	if d.State != store.DeliveryGivenUp {
		t.Errorf("got %+v", d)
	}
}

func TestATryThatTheCallerEndsIsNoTry(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		stop()
		<-r.Context().Done()
	}))
	defer receiver.Close()
	event := webhook.NewTest("acme", "x", now)
	d := event.Delivery("wh_1", now)
	s := sender()
	s.Timeout = time.Minute
	if _, ok := s.Try(ctx, jsonTo(receiver.URL), &d); ok || len(d.Tries) > 0 || d.State != store.DeliveryPending {
		t.Errorf("got %v, %+v", ok, d)
	}
}

func TestAnswersAndErrorsHaveNoSecrets(t *testing.T) {
	const path = "/services/T0/secret"
	answer := ""
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(answer))
	}))
	e := jsonTo(receiver.URL + path)
	s := sender()
	s.Mask = func(text string) string { return strings.ReplaceAll(text, "Bearer abc", "Bearer ***") }
	for name, c := range map[string]struct{ answer, want string }{
		"the path":                      {path + " whsec_test Bearer abc", "*** *** Bearer ***"},
		"the URL in JSON":               {`{"url":"` + strings.ReplaceAll(e.URL, "/", `\/`) + `"}`, `{"url":"***"}`},
		"the path in JSON":              {strings.ReplaceAll(path, "/", `\/`), "***"},
		"where the log cuts the answer": {strings.Repeat("x", 1010) + path, strings.Repeat("x", 1010) + "***"},
		"a long answer":                 {strings.Repeat("é", 1000), strings.Repeat("é", 512)},
	} {
		answer = c.answer
		d, _ := try(t, s, e)
		if got := d.Tries[0].Answer; got != c.want {
			t.Errorf("%s: got %q", name, got)
		}
	}
	receiver.Close()
	d, _ := try(t, s, e)
	if got := d.Tries[0].Error; got == "" || strings.Contains(got, "secret") {
		t.Errorf("got %q", got)
	}
}

// resolver() returns a resolver that finds the given address for every name, like the DNS server of an attacker.
func resolver(t *testing.T, address string) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	go func() {
		packet := make([]byte, 512)
		for {
			n, from, err := conn.ReadFrom(packet)
			if err != nil {
				return
			}
			_, _ = conn.WriteTo(reply(packet[:n], net.ParseIP(address).To4()), from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

// reply() answers a question for an IPv4 address. Questions for other records get an empty answer.
func reply(question []byte, ip net.IP) []byte {
	end := 12
	for question[end] != 0 {
		end += int(question[end]) + 1
	}
	end += 5
	out := append([]byte{question[0], question[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question[12:end]...)
	if question[end-3] == 1 {
		out[7] = 1
		out = append(out, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
		out = append(out, ip...)
	}
	return out
}

func TestTheResolvedAddressIsChecked(t *testing.T) {
	reached := 0
	receiver := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ }))
	receiver.Config.ErrorLog = log.New(io.Discard, "", 0)
	receiver.StartTLS()
	defer receiver.Close()
	roots := x509.NewCertPool()
	roots.AddCert(receiver.Certificate())
	_, port, _ := net.SplitHostPort(receiver.Listener.Addr().String())
	for _, c := range []struct {
		address       string
		allow, refuse bool
	}{
		{"127.0.0.1", false, true},
		{"169.254.169.254", false, true},
		{"10.0.0.1", false, true},
		{"127.0.0.1", true, false},
	} {
		s := sender()
		s.Roots, s.Resolver = roots, resolver(t, c.address)
		e := jsonTo("https://example.com:" + port + "/") // the certificate of the test server is for example.com
		e.AllowPrivate = c.allow
		before := reached
		d, _ := try(t, s, e)
		if refused := strings.Contains(d.Tries[0].Error, "private"); refused != c.refuse || (reached > before) == c.refuse {
			t.Errorf("%+v: got %+v", c, d.Tries[0])
		}
	}
}

func TestCertificatesAreChecked(t *testing.T) {
	receiver := httptest.NewUnstartedServer(status(200, ""))
	receiver.Config.ErrorLog = log.New(io.Discard, "", 0)
	receiver.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	receiver.StartTLS()
	defer receiver.Close()
	d, _ := try(t, sender(), jsonTo(receiver.URL))
	if d.State != store.DeliveryPending || !strings.Contains(d.Tries[0].Error, "certificate") {
		t.Errorf("got %+v", d)
	}
}

func TestProxiesInTheEnvironmentAreNotUsed(t *testing.T) {
	receiver := httptest.NewServer(status(200, ""))
	defer receiver.Close()
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	if d, _ := try(t, sender(), jsonTo(receiver.URL)); d.State != store.DeliveryDone {
		t.Errorf("got %+v", d)
	}
}

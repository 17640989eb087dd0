package client

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// addresses is a name that resolves to one server after another, as a Service does when its pods change.
type addresses struct {
	mu  sync.Mutex
	now string
}

func (a *addresses) set(server *httptest.Server) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.now = server.Listener.Addr().String()
}

func (a *addresses) client(t *testing.T, change func(*Options)) *Client {
	c := newClient(t, "http://berth.example:80", change)
	c.dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
		a.mu.Lock()
		address := a.now
		a.mu.Unlock()
		c.address.Store(&address)
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}
	c.http.Store(c.connections())
	return c
}

// Seen on kind: a connection opened before the Service existed went on to whatever owned the address, token and all.
func TestAConnectionThatAnsweredWronglyIsNeverUsedAgain(t *testing.T) {
	wrong := map[string]http.HandlerFunc{
		"not found":      func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "who are you?", http.StatusNotFound) },
		"unavailable":    func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusServiceUnavailable) },
		"refused":        func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusBadRequest) },
		"nonsense":       func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"scores":[1,2]}`) },
		"no JSON at all": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") },
	}
	service := func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, good) }
	for name, stranger := range wrong {
		t.Run(name, func(t *testing.T) {
			usedOnce(t, stranger, service, func(c *Client) error {
				_, err := c.Score(t.Context(), nil, "d", 2)
				return err
			})
		})
	}
}

// Rankings neither open the breaker nor count, so nothing but the connection could tell.
func TestAConnectionThatRankedWronglyIsNeverUsedAgain(t *testing.T) {
	answer := func(ranking []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", rankingType)
			_, _ = w.Write(ranking)
		}
	}
	wrong := map[string]http.HandlerFunc{
		"unavailable":          func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusServiceUnavailable) },
		"scores":               func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, good) },
		"for another decision": answer(rankingReply(`{"decision":"e"}`, 1, 2, 0.5, 0.5)),
		"one node too few":     answer(rankingReply(`{"decision":"d"}`, 1, 0.5)),
		"a drop below zero":    answer(rankingReply(`{"decision":"d"}`, 1, 2, 0.5, -0.5)),
		"cut short":            answer(rankingReply(`{"decision":"d"}`, 1, 2, 0.5)),
	}
	service := answer(rankingReply(`{"decision":"d"}`, 1, 2, 0.5, 0))
	for name, stranger := range wrong {
		t.Run(name, func(t *testing.T) {
			usedOnce(t, stranger, service, func(c *Client) error {
				_, err := c.Rank(t.Context(), nil, "d", 2)
				return err
			})
		})
	}
}

// usedOnce asks a stranger, and then, by the same name, the service.
func usedOnce(t *testing.T, stranger, service http.HandlerFunc, ask func(*Client) error) {
	t.Helper()
	asked := 0
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		stranger(w, r)
	}))
	t.Cleanup(first.Close)
	second := httptest.NewServer(service)
	t.Cleanup(second.Close)
	var name addresses
	c := name.client(t, nil)
	name.set(first)
	if err := ask(c); err == nil {
		t.Fatal("the stranger was believed")
	}
	name.set(second)
	if err := ask(c); err != nil {
		t.Errorf("want the service asked on a new connection, got %v", err)
	}
	if asked != 1 {
		t.Errorf("the stranger was asked %d times, want once", asked)
	}
}

func TestHealthIsToldOnceWhenCallsBeginToFailAndOnceWhenTheyWorkAgain(t *testing.T) {
	var status int
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if status != http.StatusOK {
			http.Error(w, "wrong token", status)
			return
		}
		fmt.Fprint(w, good)
	}))
	t.Cleanup(server.Close)
	var told []Health
	byName := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	c := newClient(t, byName, func(o *Options) {
		o.OnHealth = func(h Health) { told = append(told, h) }
		o.Breaker.OpenFor = time.Nanosecond
	})
	for _, phase := range []struct{ status, calls int }{{200, 5}, {401, 2}, {200, 1}, {401, 9}, {200, 1}, {401, 2}, {200, 9}} {
		status = phase.status
		for range phase.calls {
			_, _ = c.PostOutcomes(t.Context(), nil)
		}
	}
	if len(told) != 2 || !told[0].Failing || told[1].Failing {
		t.Fatalf("want one turn for the worse and one for the better, got %+v", told)
	}
	if want := server.Listener.Addr().String(); told[0].Address != want {
		t.Errorf("the address is %q, want the one that was dialled, %q", told[0].Address, want)
	}
	if err := told[0].Err; err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("the error is %v, want the answer's status in it", err)
	}
}

func TestABreakerThatOpensIsATurnForTheWorseThoughNoThreeCallsFailInARow(t *testing.T) {
	url, _ := answering(t, func(call int) int {
		if call%3 == 0 {
			return http.StatusOK
		}
		return http.StatusServiceUnavailable
	})
	var told []Health
	c := newClient(t, url, func(o *Options) {
		o.OnHealth = func(h Health) { told = append(told, h) }
		o.Breaker = BreakerOptions{Window: 20, FailurePercent: 50, OpenFor: time.Minute}
	})
	for range 40 {
		_, _ = c.Score(t.Context(), nil, "d", 2)
	}
	if len(told) != 1 || !told[0].Failing || told[0].Err == nil {
		t.Errorf("want one turn for the worse with its error, got %+v", told)
	}
}

func TestATokenFileThatCannotBeReadStopsTheStart(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(empty, []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"a directory": t.TempDir(), "an empty file": empty} {
		_, err := New(Options{URL: "http://127.0.0.1:1", TokenFile: path, Breaker: BreakerOptions{Window: 1}})
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: want an error that names %s, got %v", name, path, err)
		}
	}
	if os.Geteuid() == 0 {
		return // root with its capabilities reads every file
	}
	closed := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(closed, []byte("secret"), 0o000); err != nil {
		t.Fatal(err)
	}
	_, err := New(Options{URL: "http://127.0.0.1:1", TokenFile: closed, Breaker: BreakerOptions{Window: 1}})
	if err == nil || !strings.Contains(err.Error(), fmt.Sprint("uid ", os.Geteuid())) {
		t.Errorf("want an error that names the uid, got %v", err)
	}
}

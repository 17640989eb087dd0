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
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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
		"of no instance":       answer(rankingReply(`{"decision":"d","instance":"`+strings.Repeat("i", 65)+`"}`, 1, 2, 0.5, 0.5)),
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

// On a machine whose processors are all busy every answer may be late; were its connection given up, the next question would
// have to dial first.
func TestALateAnswerLeavesItsConnectionToTheNextQuestion(t *testing.T) {
	var dialled atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(50 * time.Millisecond)
		fmt.Fprint(w, good)
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			dialled.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	c := newClient(t, server.URL, neverOpen)
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		if _, err := c.Score(ctx, nil, "d", 2); Reason(err) != ReasonTimeout {
			t.Errorf("want a timeout, got %v", err)
		}
		cancel()
		time.Sleep(300 * time.Millisecond)
	}
	if _, err := c.Score(t.Context(), nil, "d", 2); err != nil {
		t.Error(err)
	}
	if dialled.Load() != 1 {
		t.Errorf("%d connections for four questions, want one", dialled.Load())
	}
}

// A service that stands still holds neither the loop nor, for longer than a second, a connection, however many ask.
func TestQuestionsThatAreNeverAnsweredAreGivenUp(t *testing.T) {
	still := make(chan struct{})
	var open atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		open.Add(1)
		defer open.Add(-1)
		select {
		case <-r.Context().Done():
		case <-still:
		}
	}))
	server.Start()
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(still) })
	c := newClient(t, server.URL, neverOpen)
	for range 3 * lateAnswers {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		_, err := c.Score(ctx, nil, "d", 2)
		cancel()
		if Reason(err) != ReasonTimeout {
			t.Errorf("want a timeout, got %v", err)
		}
	}
	eventually(t, "no more than four wait", 500*time.Millisecond, func() bool { return open.Load() <= lateAnswers })
	eventually(t, "none waits", 2*lateTimeout, func() bool { return open.Load() == 0 })
}

func neverOpen(o *Options) { o.Breaker.Window = 1000 }

func eventually(t *testing.T, what string, within time.Duration, met func() bool) {
	t.Helper()
	for until := time.Now().Add(within); !met(); time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("not within %v: %s", within, what)
		}
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

func TestABreakerThatOpensIsATurnForTheWorseThoughAnotherCallJustSucceeded(t *testing.T) {
	var told []Health
	h := health{tell: func(h Health) { told = append(told, h) }}
	h.note("here", failed(ReasonTimeout, "late"))
	h.note("here", nil) // of a batch, before the breaker has opened
	h.stopped()
	if len(told) != 1 || !told[0].Failing || told[0].Err == nil || told[0].Address != "here" {
		t.Errorf("want one turn for the worse with its error, got %+v", told)
	}
}

// Seen: a service too slow for scores and fast enough for batches was a line and an Event each second that it fails, and as many
// that it answers again.
func TestAServiceThatTakesBatchesAndScoresNothingDoesNotAnswerAgainUntilItScores(t *testing.T) {
	var scoring atomic.Bool
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/score" && !scoring.Load() {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprint(w, good)
	})
	var told []bool
	c := newClient(t, url, func(o *Options) {
		o.OnHealth = func(h Health) { told = append(told, h.Failing) }
		o.Breaker.OpenFor = time.Nanosecond
	})
	second := func() {
		_, _ = c.Score(t.Context(), nil, "d", 2)
		for range 4 {
			if _, err := c.PostOutcomes(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 20 {
		second()
	}
	if diff := cmp.Diff([]bool{true}, told); diff != "" {
		t.Fatalf("turns while no score comes (-want,+got):\n%s", diff)
	}
	scoring.Store(true)
	for range 3 {
		second()
	}
	if diff := cmp.Diff([]bool{true, false}, told); diff != "" {
		t.Errorf("turns once scores come (-want,+got):\n%s", diff)
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

package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const good = `{"decision":"d","scores":[1,100],"instance":"i1","fieldOfANewerService":{"x":[1]}}`

func newClient(t *testing.T, url string, change func(*Options)) *Client {
	t.Helper()
	o := Options{
		URL: url, MaxReplyBytes: 4096, Breaker: BreakerOptions{Window: 6, FailurePercent: 50, OpenFor: time.Minute},
		OnState: func(string) {}, OnHealth: func(Health) {},
	}
	if change != nil {
		change(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.CloseIdle)
	return c
}

func serve(t *testing.T, handler http.HandlerFunc) string {
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func TestAnswerIsBelievedOnlyWhenItIsWholeAndOurs(t *testing.T) {
	cases := map[string]struct {
		reply  string
		reason string
	}{
		"a good answer, with a field we do not know":  {good, ""},
		"an answer to another pod":                    {`{"decision":"e","scores":[1,2]}`, ReasonBadReply},
		"an answer to nobody":                         {`{"scores":[1,2]}`, ReasonBadReply},
		"a score too few":                             {`{"decision":"d","scores":[1]}`, ReasonBadReply},
		"a score too many":                            {`{"decision":"d","scores":[1,2,3]}`, ReasonBadReply},
		"a score above 100":                           {`{"decision":"d","scores":[1,101]}`, ReasonBadReply},
		"a score below 0":                             {`{"decision":"d","scores":[-1,1]}`, ReasonBadReply},
		"a score that is no whole number":             {`{"decision":"d","scores":[1,1.5]}`, ReasonBadReply},
		"a score that is NaN":                         {`{"decision":"d","scores":[1,NaN]}`, ReasonBadReply},
		"a score beyond 64 bits":                      {`{"decision":"d","scores":[1,18446744073709551616]}`, ReasonBadReply},
		"no JSON":                                     {"\x00garbage{", ReasonBadReply},
		"nothing":                                     {"", ReasonBadReply},
		"two answers":                                 {good + good, ReasonBadReply},
		"an answer longer than maxReplyBytes":         {`{"decision":"d","scores":[1,2],"pad":"` + strings.Repeat("x", 5000) + `"}`, ReasonBadReply},
		"an instance that is no name":                 {`{"decision":"d","scores":[1,2],"instance":"` + strings.Repeat("i", 65) + `"}`, ReasonBadReply},
		"brackets nested without end, within the cap": {strings.Repeat("[", 4000), ReasonBadReply},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			url := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, tc.reply) })
			reply, err := newClient(t, url, nil).Score(t.Context(), []byte(`{}`), "d", 2)
			if tc.reason != "" {
				if err == nil || Reason(err) != tc.reason {
					t.Fatalf("want %s, got reply %v, error %v", tc.reason, reply, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]int64{1, 100}, reply.Scores); diff != "" {
				t.Errorf("scores (-want,+got):\n%s", diff)
			}
		})
	}
}

func TestReasonsTellWhatWentWrong(t *testing.T) {
	elsewhere := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed, token and all") })
	cases := map[string]struct {
		handler http.HandlerFunc
		want    string
	}{
		"late": {func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // only then does the server notice that the caller has gone
			<-r.Context().Done()
		}, ReasonTimeout},
		"an error status":   {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, good, 500) }, ReasonStatus},
		"a wrong token":     {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, good, 401) }, ReasonStatus},
		"a bad question":    {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, good, 400) }, ReasonRefused},
		"a long question":   {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, good, 413) }, ReasonRefused},
		"a redirect":        {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere, 307) }, ReasonStatus},
		"a dead connection": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, ReasonConnection},
		"a body cut short": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, good[:10])
		}, ReasonConnection},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			if name != "late" {
				ctx = t.Context()
			}
			_, err := newClient(t, serve(t, tc.handler), nil).Score(ctx, []byte(`{}`), "d", 2)
			if err == nil || Reason(err) != tc.want {
				t.Errorf("want %s, got %v", tc.want, err)
			}
		})
	}
}

func TestBreakerOpensOnNonsenseAndClosesOnTheFirstGoodAnswer(t *testing.T) {
	var asked atomic.Int32
	var healthy atomic.Bool
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		if healthy.Load() {
			fmt.Fprint(w, good)
		} else {
			fmt.Fprint(w, `{"decision":"d","scores":[]}`)
		}
	})
	var states []string
	c := newClient(t, url, func(o *Options) {
		o.Breaker.OpenFor = 200 * time.Millisecond
		o.OnState = func(s string) { states = append(states, s) }
	})
	for range 10 {
		if _, err := c.Score(t.Context(), []byte(`{}`), "d", 2); err == nil {
			t.Fatal("nonsense was believed")
		}
	}
	if got := asked.Load(); got != 3 {
		t.Errorf("want 3 calls before the breaker opens, got %d", got)
	}
	if _, err := c.Score(t.Context(), nil, "d", 2); Reason(err) != ReasonBreakerOpen {
		t.Errorf("want %s while it is open, got %v", ReasonBreakerOpen, err)
	}
	healthy.Store(true)
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if _, err := c.Score(t.Context(), nil, "d", 2); err == nil {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("the breaker never closed: %v", err)
		}
	}
	if diff := cmp.Diff([]string{"open", "half-open", "closed"}, states); diff != "" {
		t.Errorf("states (-want,+got):\n%s", diff)
	}
}

func TestTokenIsReadAgainWhenItsFileChanges(t *testing.T) {
	var seen atomic.Value
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		seen.Store(r.Header.Get("Authorization"))
		fmt.Fprint(w, good)
	})
	file := filepath.Join(t.TempDir(), "token")
	c := newClient(t, url, func(o *Options) { o.TokenFile = file })
	if _, err := c.Score(t.Context(), nil, "d", 2); Reason(err) != ReasonToken || !strings.Contains(err.Error(), file) {
		t.Errorf("a missing token file must be named, got %v", err)
	}
	for i, token := range []string{"first", "second"} {
		if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, time.Time{}, time.Unix(int64(1000+i), 0)); err != nil {
			t.Fatal(err)
		}
		c.token.checked = time.Time{} // as if the second between two looks were over
		if _, err := c.Score(t.Context(), nil, "d", 2); err != nil {
			t.Fatal(err)
		}
		if got := seen.Load(); got != "Bearer "+token {
			t.Errorf("want Bearer %s, got %v", token, got)
		}
	}
}

func TestUnixSocketIsAnAddressToo(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "b.sock")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, good) })}
	t.Cleanup(func() { server.Close() })
	go server.Serve(listener)
	if _, err := newClient(t, "unix://"+socket, nil).Score(t.Context(), nil, "d", 2); err != nil {
		t.Error(err)
	}
}

func TestConnectionIsKeptAliveFromOneQuestionToTheNext(t *testing.T) {
	var opened atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, good) }))
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	c := newClient(t, server.URL, nil)
	for range 20 {
		if _, err := c.Score(t.Context(), nil, "d", 2); err != nil {
			t.Fatal(err)
		}
	}
	if got := opened.Load(); got != 1 {
		t.Errorf("want one connection for 20 questions, got %d", got)
	}
}

func TestOutcomesBringTheInstanceBack(t *testing.T) {
	example, err := os.ReadFile("../../../api/examples/outcomes-response.json")
	if err != nil {
		t.Fatal(err)
	}
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Write(example) })
	instance, err := newClient(t, url, nil).PostOutcomes(t.Context(), []byte(`{}`))
	if err != nil || instance != "b1946ac9" {
		t.Errorf("want instance b1946ac9 of the shared example, got %q, %v", instance, err)
	}
}

// Seen: a wrong service's instances, 4 MB each, filled the scheduler's memory.
func TestOutcomesAreNotDeliveredToAnInstanceThatIsNoName(t *testing.T) {
	length := 64
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"accepted":1,"instance":%q}`, strings.Repeat("i", length))
	})
	c := newClient(t, url, nil)
	if _, err := c.PostOutcomes(t.Context(), []byte(`{}`)); err != nil {
		t.Errorf("64 bytes are a name: %v", err)
	}
	length++
	if _, err := c.PostOutcomes(t.Context(), []byte(`{}`)); err == nil || Reason(err) != ReasonBadReply || len(err.Error()) > 100 {
		t.Errorf("want %s that does not repeat the instance, got %v", ReasonBadReply, err)
	}
}

// What services of earlier revisions answer today's questions.
func TestAServiceThatIsOlderThanThePluginIsNamedAsThat(t *testing.T) {
	for detail, status := range map[string]int{
		"unknown field contract: the fields there are decision, scheduler, mode, pod, nodes":      400,
		"contract is 2, this service speaks up to 1: upgrade the service before the scheduler":    400,
		"Content-Type is 'application/vnd.berth.columns': send application/json, or leave it out": 415,
	} {
		service := serve(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, `{"detail":"`+detail+`"}`, status) })
		_, err := newClient(t, service, nil).ScoreColumns(t.Context(), []byte("BQ1"), "d", 2)
		if err == nil || Reason(err) != ReasonStatus || !strings.Contains(err.Error(), "older than this scheduler's plugin, upgrade the service") {
			t.Errorf("%s: %v", detail, err)
		}
	}
}

// Whatever bytes come back, nothing panics, and what is believed obeys the contract.
func FuzzReply(f *testing.F) {
	for _, seed := range []string{good, "", "{", `{"decision":"d","scores":null}`, `{"decision":"d","scores":[1,2],"gpuCards":[[-1],null]}`, `[]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var r Reply
		if json.Unmarshal(text, &r) != nil {
			return
		}
		err := r.Check("d", 2)
		if err != nil {
			if e := (*Error)(nil); !errors.As(err, &e) || e.reason != ReasonBadReply {
				t.Errorf("%q: a bad reply must be counted as such, got %v", text, err)
			}
			return
		}
		if r.Decision != "d" || len(r.Scores) != 2 || min(r.Scores[0], r.Scores[1]) < 0 || max(r.Scores[0], r.Scores[1]) > 100 {
			t.Errorf("%q was believed as %+v", text, r)
		}
	})
}

func TestOfAnAnswerToAnotherDecisionTheErrorQuotesTheBeginning(t *testing.T) {
	reply := Reply{Decision: strings.Repeat("x", 1<<20)}
	if text := reply.Check("d", 0).Error(); len(text) > 200 {
		t.Errorf("the error has %d bytes", len(text))
	}
}

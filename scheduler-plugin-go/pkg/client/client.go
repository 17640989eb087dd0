// Package client calls the Berth service: one kept-alive connection, a bearer token, a circuit breaker, and replies
// that are checked before anybody believes them.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/sony/gobreaker/v2"
)

// Why a call brought no scores; the values of the metric's result label.
const (
	ReasonTimeout     = "timeout"
	ReasonConnection  = "connection"
	ReasonStatus      = "status"
	ReasonBadReply    = "bad_reply"
	ReasonBreakerOpen = "breaker_open"
)

// Error is a failed call with its reason.
type Error struct {
	reason string
	err    error
}

func (e *Error) Error() string { return e.reason + ": " + e.err.Error() }
func (e *Error) Unwrap() error { return e.err }

func failed(reason string, format string, values ...any) *Error {
	return &Error{reason: reason, err: fmt.Errorf(format, values...)}
}

// Reason says in a word why a call failed.
func Reason(err error) string {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.reason
	}
	return ReasonConnection
}

// Reply is the service's answer; see api/openapi.yaml. Unknown fields are ignored, so that a newer service works with
// an older plugin.
type Reply struct {
	Decision string  `json:"decision"`
	Scores   []int64 `json:"scores"`
	Instance string  `json:"instance"`
	GPUCards [][]int `json:"gpuCards"`
}

// Check returns an error unless the reply answers this decision with one score of 0..100 per candidate.
func (r *Reply) Check(decision string, candidates int) error {
	if r.Decision != decision {
		return failed(ReasonBadReply, "the reply is for decision %q, asked was %q", r.Decision, decision)
	}
	if len(r.Scores) != candidates {
		return failed(ReasonBadReply, "%d scores for %d candidates", len(r.Scores), candidates)
	}
	for i, s := range r.Scores {
		if s < 0 || s > 100 {
			return failed(ReasonBadReply, "score %d of candidate %d is not within 0..100", s, i)
		}
	}
	return nil
}

// Options of a Client.
type Options struct {
	URL           string
	TokenFile     string
	MaxReplyBytes int64
	// Failures in a row open the breaker, for OpenFor.
	Failures uint32
	OpenFor  time.Duration
	// OnState hears the breaker's new state: closed, half-open or open.
	OnState func(state string)
}

// Client is safe for concurrent use.
type Client struct {
	http    *http.Client
	base    string
	max     int64
	token   tokenFile
	breaker *gobreaker.CircuitBreaker[*Reply]
}

// New builds a client; it does not call yet.
func New(o Options) (*Client, error) {
	u, err := url.Parse(o.URL)
	if err != nil {
		return nil, fmt.Errorf("url %q: %w", o.URL, err)
	}
	transport := &http.Transport{
		Proxy:               nil, // the service is near; an environment proxy would only be in the way
		DisableCompression:  true,
		MaxIdleConnsPerHost: 4,
		IdleConnTimeout:     15 * time.Second,
	}
	base := strings.TrimSuffix(o.URL, "/")
	if u.Scheme == "unix" {
		base = "http://berth"
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", u.Path)
		}
	}
	return &Client{
		http: &http.Client{
			Transport: transport,
			// A redirect would carry the question, and on the same host the token, to wherever the reply points.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		base:  base,
		max:   o.MaxReplyBytes,
		token: tokenFile{path: o.TokenFile},
		breaker: gobreaker.NewCircuitBreaker[*Reply](gobreaker.Settings{
			Name:          "berth",
			MaxRequests:   1,
			Timeout:       o.OpenFor,
			ReadyToTrip:   func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= o.Failures },
			OnStateChange: func(_ string, _, to gobreaker.State) { o.OnState(to.String()) },
		}),
	}, nil
}

// CloseIdle lets the kept-alive connections go.
func (c *Client) CloseIdle() { c.http.CloseIdleConnections() }

// Score asks one question and checks that the answer belongs to it. A service that answers nonsense opens the breaker
// like one that does not answer. The error, if any, is an *Error.
func (c *Client) Score(ctx context.Context, body []byte, decision string, candidates int) (*Reply, error) {
	reply, err := c.breaker.Execute(func() (*Reply, error) {
		var r Reply
		if err := c.post(ctx, "/v1/score", body, &r); err != nil {
			return nil, err
		}
		if err := r.Check(decision, candidates); err != nil {
			return nil, err
		}
		return &r, nil
	})
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		return nil, failed(ReasonBreakerOpen, "%w", err)
	}
	return reply, err
}

// PostOutcomes delivers a batch and returns the instance of the service that took it.
func (c *Client) PostOutcomes(ctx context.Context, body []byte) (instance string, err error) {
	var r struct {
		Instance string `json:"instance"`
	}
	if err := c.post(ctx, "/v1/outcomes", body, &r); err != nil {
		return "", err
	}
	return r.Instance, nil
}

func (c *Client) post(ctx context.Context, path string, body []byte, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, bytes.NewReader(body))
	if err != nil {
		return failed(ReasonConnection, "%w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	token, err := c.token.read()
	if err != nil {
		return failed(ReasonConnection, "%w", err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return transportError(ctx, err)
	}
	defer response.Body.Close()
	// One byte more than allowed tells a reply that is too long from one that just fits.
	text, err := io.ReadAll(io.LimitReader(response.Body, c.max+1))
	if err != nil {
		return transportError(ctx, err)
	}
	if int64(len(text)) > c.max {
		return failed(ReasonBadReply, "the reply is longer than maxReplyBytes %d", c.max)
	}
	if response.StatusCode/100 != 2 {
		return failed(ReasonStatus, "%s answered %s: %.300s", path, response.Status, text)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return failed(ReasonBadReply, "%s: %w", path, err)
	}
	return nil
}

func transportError(ctx context.Context, err error) error {
	if ctx.Err() != nil || errors.Is(err, os.ErrDeadlineExceeded) {
		return failed(ReasonTimeout, "%w", err)
	}
	return failed(ReasonConnection, "%w", err)
}

// tokenFile reads a token and reads it again when the file changes; looked at once a second at most.
type tokenFile struct {
	path string

	mu      sync.Mutex
	checked time.Time
	changed time.Time
	token   string
}

func (t *tokenFile) read() (string, error) {
	if t.path == "" {
		return "", nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	if t.token != "" && now.Sub(t.checked) < time.Second {
		return t.token, nil
	}
	info, err := os.Stat(t.path)
	if err != nil {
		return "", fmt.Errorf("tokenFile: %w", err)
	}
	if t.token == "" || !info.ModTime().Equal(t.changed) {
		text, err := os.ReadFile(t.path)
		if err != nil {
			return "", fmt.Errorf("tokenFile: %w", err)
		}
		t.token, t.changed = strings.TrimSpace(string(text)), info.ModTime()
	}
	t.checked = now
	return t.token, nil
}

// Package client calls the Berth service: kept-alive connections that are dropped as soon as one answers wrongly, a
// bearer token, a circuit breaker, and replies that are checked before anybody believes them.
package client

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"
)

// Options of a Client.
type Options struct {
	URL       string
	TokenFile string
	// CAFile holds the CAs, in PEM, that may have signed the service's certificate; empty: those of the system.
	CAFile        string
	MaxReplyBytes int64
	Breaker       BreakerOptions
	// OnState hears the breaker's new state: closed, half-open or open.
	OnState func(state string)
	// OnHealth hears once that calls began to fail and once that they work again.
	OnHealth func(Health)
}

// Client is safe for concurrent use.
type Client struct {
	http    atomic.Pointer[http.Client]
	dial    func(ctx context.Context, network, address string) (net.Conn, error)
	base    string
	max     int64
	token   *tokenFile
	cas     *authorities // nil without TLS
	roots   atomic.Pointer[x509.CertPool]
	breaker *gobreaker.CircuitBreaker[*Reply]
	health  health
	// address is the one that was dialled last: of a host name, what it resolved to.
	address atomic.Pointer[string]
	// late has a place for every question whose answer nobody waits for any more.
	late chan struct{}
}

// lateTimeout is how long an answer that nobody waits for any more may take; lateAnswers bounds how many there are.
const (
	lateTimeout = time.Second
	lateAnswers = 4
)

// dialTimeout bounds connections that nobody waits for any more: a call's own deadline does not end its dial.
const dialTimeout = time.Second

// maxReplyHeader bounds what stands before a reply, which maxReplyBytes does not count: Go's limit is 10 MB.
const maxReplyHeader = 16 << 10

// New builds a client; it does not call yet. A token file that is there and cannot be read is an error; one that is
// not there yet may still come, and every call until then says that it is missing. So is an https URL without any CA.
func New(o Options) (*Client, error) {
	quiet()
	u, err := url.Parse(o.URL)
	if err != nil {
		return nil, fmt.Errorf("url %q: %w", o.URL, err)
	}
	c := &Client{
		base:   strings.TrimSuffix(o.URL, "/"),
		max:    o.MaxReplyBytes,
		token:  newTokenFile(o.TokenFile),
		health: health{tell: o.OnHealth},
		late:   make(chan struct{}, lateAnswers),
	}
	c.breaker = newBreaker(o.Breaker, func(state string) {
		o.OnState(state)
		switch state {
		case gobreaker.StateOpen.String():
			c.health.stopped()
		case gobreaker.StateClosed.String():
			c.health.resumed()
		}
	})
	if err := c.token.check(); err != nil {
		return nil, err
	}
	if u.Scheme == "https" {
		if c.cas, err = newAuthorities(o.URL, o.CAFile); err != nil {
			return nil, err
		}
	}
	dialer := &net.Dialer{Timeout: dialTimeout}
	c.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		if u.Scheme == "unix" {
			network, address = "unix", u.Path
		}
		connection, err := dialer.DialContext(ctx, network, address)
		if err == nil {
			address = connection.RemoteAddr().String()
		}
		c.address.Store(&address)
		return connection, err
	}
	if u.Scheme == "unix" {
		c.base = "http://berth"
	}
	c.http.Store(c.connections())
	return c, nil
}

// connections are new ones: whoever asks with them dials, and so looks up the service's name again.
func (c *Client) connections() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                  nil, // the service is near; an environment proxy would only be in the way
			DialContext:            c.dial,
			DisableCompression:     true,
			MaxIdleConnsPerHost:    4,
			MaxResponseHeaderBytes: maxReplyHeader,
			IdleConnTimeout:        15 * time.Second,
			TLSClientConfig:        &tls.Config{RootCAs: c.roots.Load()},
			TLSHandshakeTimeout:    dialTimeout,
		},
		// A redirect would carry the question, and on the same host the token, to wherever the reply points.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// CloseIdle lets the kept-alive connections go.
func (c *Client) CloseIdle() { c.http.Load().CloseIdleConnections() }

// Score asks one question and checks that the answer belongs to it. A service that answers nonsense opens the breaker
// like one that does not answer. The error, if any, is an *Error; after one the body must not be changed any more, for it
// may still be under way.
func (c *Client) Score(ctx context.Context, body []byte, decision string, candidates int) (*Reply, error) {
	return c.score(ctx, jsonType, body, decision, candidates)
}

// ScoreColumns is Score of a question whose nodes are binary columns.
func (c *Client) ScoreColumns(ctx context.Context, body []byte, decision string, candidates int) (*Reply, error) {
	return c.score(ctx, columnsType, body, decision, candidates)
}

func (c *Client) score(ctx context.Context, form string, body []byte, decision string, candidates int) (*Reply, error) {
	reply, err := c.breaker.Execute(func() (*Reply, error) {
		var r Reply
		return &r, c.noted(c.inTime(ctx, func(ctx context.Context) error {
			return c.checked(ctx, "/v1/score", form, body, r.unmarshal, func() error { return r.Check(decision, candidates) })
		}))
	})
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		return nil, failed(ReasonBreakerOpen, "%w", err)
	}
	if err != nil {
		return nil, err
	}
	return reply, nil
}

// Rank asks what pods such as the question's would get on all its nodes. A failure means no more than that there is no ranking:
// it neither opens the breaker nor counts as a call that failed.
func (c *Client) Rank(ctx context.Context, body []byte, decision string, nodes int) (*Ranking, error) {
	var r Ranking
	if err := c.checked(ctx, "/v1/rank", columnsType, body, r.unmarshal, func() error { return r.check(decision, nodes) }); err != nil {
		return nil, err
	}
	return &r, nil
}

// PostOutcomes delivers a batch and returns the instance of the service that took it.
func (c *Client) PostOutcomes(ctx context.Context, body []byte) (instance string, err error) {
	var r struct {
		Instance string `json:"instance"`
	}
	read := func(_ string, text []byte) error { return json.Unmarshal(text, &r) }
	if err := c.noted(c.checked(ctx, "/v1/outcomes", jsonType, body, read, func() error { return checkInstance(r.Instance) })); err != nil {
		return "", err
	}
	return r.Instance, nil
}

// inTime waits for an answer as long as ctx says. One that is late is taken all the same, though for its connection alone: were
// that given up, the next question would have to dial first, and come late for that very reason.
func (c *Client) inTime(ctx context.Context, exchange func(context.Context) error) error {
	unhurried, cancel := context.WithTimeout(context.WithoutCancel(ctx), lateTimeout)
	answered := make(chan error, 1)
	go func() {
		defer cancel()
		answered <- exchange(unhurried)
	}()
	select {
	case err := <-answered:
		return err
	case <-ctx.Done():
	}
	select {
	case c.late <- struct{}{}:
		go func() {
			<-unhurried.Done()
			<-c.late
		}()
	default:
		cancel()
	}
	return transportError(ctx, ctx.Err())
}

// reader takes a reply's form and its text.
type reader func(form string, text []byte) error

// noted tells what the end of a call says of the service's health.
func (c *Client) noted(err error) error {
	if !errors.Is(err, context.Canceled) { // the caller's own doing says nothing about the service
		c.health.note(c.Address(), err)
	}
	return err
}

// checked keeps the connection only if what came over it was right. Otherwise whoever is at its other end may not be the
// service (any more): the next call finds the way anew, and no token follows the old one.
func (c *Client) checked(ctx context.Context, path, form string, body []byte, read reader, check func() error) error {
	connections, err := c.trusted()
	if err == nil {
		err = c.exchange(ctx, connections, path, form, body, read)
	}
	if err == nil {
		err = check()
	}
	if err != nil {
		c.renew(connections)
	}
	return err
}

// trusted are connections that go by the CAs of now: with a new file the kept-alive ones are dropped.
func (c *Client) trusted() (*http.Client, error) {
	connections := c.http.Load()
	roots, err := c.cas.pool()
	if err != nil {
		return connections, failed(ReasonTLS, "%w", err)
	}
	if c.roots.Swap(roots) != roots {
		c.renew(connections)
	}
	return c.http.Load(), nil
}

func (c *Client) renew(connections *http.Client) {
	if c.http.CompareAndSwap(connections, c.connections()) {
		connections.CloseIdleConnections()
	}
}

// Address is where the last connection went, or was tried.
func (c *Client) Address() string {
	if address := c.address.Load(); address != nil {
		return *address
	}
	return ""
}

func (c *Client) exchange(ctx context.Context, connections *http.Client, path, form string, body []byte, read reader) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, bytes.NewReader(body))
	if err != nil {
		return failed(ReasonConnection, "%w", err)
	}
	request.Header.Set("Content-Type", form)
	token, err := c.token.read()
	if err != nil {
		return failed(ReasonToken, "%w", err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := connections.Do(request)
	if err != nil {
		if explained := c.cas.explain(err, c.base); explained != nil {
			return failed(ReasonTLS, "%w", explained)
		}
		return transportError(ctx, err)
	}
	defer response.Body.Close()
	// One byte more than allowed tells a reply that is too long from one that just fits.
	var reply bytes.Buffer
	reply.Grow(int(min(max(response.ContentLength, 0), c.max) + bytes.MinRead))
	_, err = reply.ReadFrom(io.LimitReader(response.Body, c.max+1))
	text := reply.Bytes()
	if err != nil {
		return transportError(ctx, err)
	}
	if int64(len(text)) > c.max {
		return failed(ReasonBadReply, "the reply is longer than maxReplyBytes %d", c.max)
	}
	if response.StatusCode/100 != 2 {
		if older(response.StatusCode, text) {
			return failed(ReasonStatus, "%s: the service is older than this scheduler's plugin, upgrade the service: %.300s", path, bytes.TrimSpace(text))
		}
		return failed(reasonOf(response.StatusCode), "%s answered %s: %.300s", path, response.Status, bytes.TrimSpace(text))
	}
	if err := read(response.Header.Get("Content-Type"), text); err != nil {
		return failed(ReasonBadReply, "%s: %w", path, err)
	}
	return nil
}

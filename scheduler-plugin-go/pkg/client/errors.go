package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
)

// Why a call brought no scores; the values of the metric's result label.
const (
	ReasonTimeout     = "timeout"
	ReasonConnection  = "connection"
	ReasonToken       = "token"
	ReasonTLS         = "tls"
	ReasonStatus      = "status"
	ReasonRefused     = "refused"
	ReasonBadReply    = "bad_reply"
	ReasonBreakerOpen = "breaker_open"
)

// Error is a failed call with its reason.
type Error struct {
	reason string
	err    error
}

// mostSaid is how many bytes of an error are told: whoever answers in the service's place writes some of them.
const mostSaid = 500

func (e *Error) Error() string {
	text := e.err.Error()
	if len(text) > mostSaid {
		text = strings.ToValidUTF8(text[:mostSaid], "") + "..."
	}
	return e.reason + ": " + text
}

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

// older says whether a question was refused because the service does not know this revision of the contract, or from
// before that columns at all: it will refuse every other one, too.
func older(status int, text []byte) bool {
	return status == http.StatusUnsupportedMediaType || status == http.StatusBadRequest &&
		(bytes.Contains(text, []byte("unknown field contract")) || bytes.Contains(text, []byte("upgrade the service before the scheduler")))
}

// Refused says that the service is well and wants none of this message: sending it again changes nothing, and other
// messages are not concerned.
func Refused(err error) bool { return err != nil && Reason(err) == ReasonRefused }

// reasonOf tells a refusal of this message from one of the caller (401, 403, 404) or of the moment (429, 5xx).
func reasonOf(status int) string {
	switch status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return ReasonRefused
	}
	return ReasonStatus
}

func transportError(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) {
		return failed(ReasonTimeout, "%w", err)
	}
	return failed(ReasonConnection, "%w", err)
}

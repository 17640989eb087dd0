package client

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"sync"
	"time"
)

// unsolicited is how net/http begins to complain of bytes behind a reply, with up to 4 KiB of them, to Go's own logger: it
// takes no other. A service that sends some after each answer, though its answers are good, would write 16 kB a question
// into the scheduler's log.
const unsolicited = "Unsolicited response received on idle HTTP channel"

const (
	unsolicitedEvery = 10 * time.Second
	unsolicitedBytes = 200
)

// quiet sees to it that this is said seldom and in short, once for the whole process.
var quiet = sync.OnceFunc(func() { log.SetOutput(&quietLog{to: log.Writer()}) })

// quietLog passes on all else as it is. Thread rule: the logger writes one line at a time.
type quietLog struct {
	to   io.Writer
	last time.Time
}

func (q *quietLog) Write(line []byte) (int, error) {
	if !bytes.Contains(line, []byte(unsolicited)) {
		return q.to.Write(line)
	}
	if now := time.Now(); q.last.IsZero() || now.Sub(q.last) >= unsolicitedEvery {
		q.last = now
		if _, err := fmt.Fprintf(q.to, "%s...\n", bytes.TrimSpace(line[:min(len(line), unsolicitedBytes)])); err != nil {
			return 0, err
		}
	}
	return len(line), nil
}

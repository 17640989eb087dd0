package tools

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// progress reads the output of `go build -v` (one line per compiled package) and shows how far it is: one line
// that is rewritten on a terminal, a line every 20 s in a log.
type progress struct {
	title    string
	say      io.Writer
	terminal bool
	total    int

	mu    sync.Mutex
	built int
	rest  []byte   // an unfinished line
	other []string // lines that name no package: what the compiler complains about
	begun time.Time
	done  chan struct{}
	ended chan struct{}
}

func (p *progress) start() {
	p.begun, p.done, p.ended = time.Now(), make(chan struct{}), make(chan struct{})
	pause := 20 * time.Second
	if p.terminal {
		pause = 500 * time.Millisecond
	}
	go func() {
		defer close(p.ended)
		tick := time.NewTicker(pause)
		defer tick.Stop()
		for {
			select {
			case <-p.done:
				return
			case <-tick.C:
				p.show(false)
			}
		}
	}()
}

func (p *progress) stop(err error) {
	close(p.done)
	<-p.ended
	if err == nil {
		p.show(true)
	} else if p.terminal {
		_, _ = fmt.Fprintln(p.say)
	}
}

func (p *progress) show(last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	line := fmt.Sprintf("  %s: %s, %d s", p.title, p.stage(last), int(time.Since(p.begun).Seconds()))
	switch {
	case p.terminal && last:
		_, _ = fmt.Fprintf(p.say, "\r\033[K%s\n", line)
	case p.terminal:
		_, _ = fmt.Fprintf(p.say, "\r\033[K%s", line)
	default:
		_, _ = fmt.Fprintln(p.say, line)
	}
}

func (p *progress) stage(last bool) string {
	switch {
	case last:
		return fmt.Sprintf("done, %d packages compiled", p.built)
	case p.total == 0:
		return fmt.Sprintf("%d packages compiled", p.built)
	case p.built >= p.total:
		return "linking"
	default:
		return fmt.Sprintf("%d of %d packages compiled", p.built, p.total)
	}
}

// Write takes the build's output.
func (p *progress) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rest = append(p.rest, b...)
	for {
		end := bytes.IndexByte(p.rest, '\n')
		if end < 0 {
			return len(b), nil
		}
		line := string(p.rest[:end])
		p.rest = p.rest[end+1:]
		switch {
		case strings.HasPrefix(line, "go: downloading"):
		case strings.ContainsAny(line, " :") || strings.HasPrefix(line, "#"):
			p.other = append(p.other, line)
		default:
			p.built++
		}
	}
}

func (p *progress) complaints() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(append(p.other, string(p.rest)), "\n")
}

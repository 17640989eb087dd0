package audit

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
)

// Entry of the allow list: a vulnerability that is left as it is until a day, and why.
type Entry struct {
	At         string // file:line, for messages
	ID, Module string
	Until      time.Time
	Reason     string
}

var vulnerabilityID = regexp.MustCompile(`^GO-\d{4}-\d{4,}$`)

// ReadAllow reads lines "GO-2026-1234 example.org/module 2027-01-31 why it cannot be mended here"; # begins a comment line.
func ReadAllow(name string, r io.Reader) ([]Entry, error) {
	var entries []Entry
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		e := Entry{At: fmt.Sprintf("%s:%d", name, number)}
		words := strings.Fields(line)
		if len(words) < 4 {
			return nil, fmt.Errorf("%s: %q is no entry: it takes a vulnerability, a module, a day and a reason", e.At, line)
		}
		e.ID, e.Module, e.Reason = words[0], words[1], strings.Join(words[3:], " ")
		if !vulnerabilityID.MatchString(e.ID) {
			return nil, fmt.Errorf("%s: %q is no vulnerability of the Go database: write it as GO-2026-1234", e.At, e.ID)
		}
		var err error
		if e.Until, err = time.Parse(time.DateOnly, words[2]); err != nil {
			return nil, fmt.Errorf("%s: %q is no day: write it as 2027-01-31", e.At, words[2])
		}
		for _, other := range entries {
			if other.ID == e.ID && other.Module == e.Module {
				return nil, fmt.Errorf("%s: %s of %s is in %s already", e.At, e.ID, e.Module, other.At)
			}
		}
		entries = append(entries, e)
	}
	return entries, lines.Err()
}

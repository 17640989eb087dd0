package client

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"
)

// tokenFile reads a token and reads it again when the file changes; looked at once a second at most.
type tokenFile struct {
	path string

	mu      sync.Mutex
	checked time.Time
	changed time.Time
	token   string
}

// check fails for a file that is there and cannot be used. One that is missing may still come: the service makes it
// at its first start.
func (t *tokenFile) check() error {
	_, err := t.read()
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: this process runs as uid %d; give the file to that uid (chown) or let it be read by it (chmod), "+
			"or, if that is 0 with all capabilities dropped, add the capability DAC_READ_SEARCH", err, os.Geteuid())
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
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
		token := strings.TrimSpace(string(text))
		if token == "" {
			return "", fmt.Errorf("tokenFile: %s is empty: write the service's token into it", t.path)
		}
		t.token, t.changed = token, info.ModTime()
	}
	t.checked = now
	return t.token, nil
}

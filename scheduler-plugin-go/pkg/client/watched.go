package client

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"
)

// watchedFile reads a file, and again when it has changed; it is looked at once a second at most. While it cannot be read
// or parsed every read fails: what it held before may be what it was changed for. Safe for concurrent use.
type watchedFile[T any] struct {
	argument, path string
	parse          func(text []byte) (T, error)

	mu      sync.Mutex
	checked time.Time
	changed time.Time
	known   bool
	value   T
}

func (f *watchedFile[T]) read() (value T, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	if f.known && now.Sub(f.checked) < time.Second {
		return f.value, nil
	}
	info, err := os.Stat(f.path)
	if err == nil && (!f.known || !info.ModTime().Equal(f.changed)) {
		err = f.load(info)
	}
	if err != nil {
		f.known = false
		return value, fmt.Errorf("%s: %w", f.argument, err)
	}
	f.checked = now
	return f.value, nil
}

func (f *watchedFile[T]) load(info fs.FileInfo) error {
	text, err := os.ReadFile(f.path)
	if err != nil {
		return err
	}
	value, err := f.parse(text)
	if err != nil {
		return fmt.Errorf("%s %w", f.path, err)
	}
	f.value, f.changed, f.known = value, info.ModTime(), true
	return nil
}

// check reads the file for the first time; the error says what would mend it.
func (f *watchedFile[T]) check() error {
	_, err := f.read()
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: this process runs as uid %d; give the file to that uid (chown) or let it be read by it (chmod), "+
			"or, if that is 0 with all capabilities dropped, add the capability DAC_READ_SEARCH", err, os.Geteuid())
	}
	return err
}

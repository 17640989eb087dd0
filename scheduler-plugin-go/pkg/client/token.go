package client

import (
	"errors"
	"io/fs"
	"strings"
)

// tokenFile holds the bearer token; without a path there is none.
type tokenFile struct{ watchedFile[string] }

func newTokenFile(path string) *tokenFile {
	return &tokenFile{watchedFile[string]{argument: "tokenFile", path: path, parse: func(text []byte) (string, error) {
		if token := strings.TrimSpace(string(text)); token != "" {
			return token, nil
		}
		return "", errors.New("is empty: write the service's token into it")
	}}}
}

// check fails for a file that is there and cannot be used. One that is missing may still come: the service makes it
// at its first start.
func (t *tokenFile) check() error {
	if t.path == "" {
		return nil
	}
	if err := t.watchedFile.check(); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (t *tokenFile) read() (string, error) {
	if t.path == "" {
		return "", nil
	}
	return t.watchedFile.read()
}

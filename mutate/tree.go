package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// tree is the checkout, or a copy of it that may be broken.
type tree struct {
	root  string
	files []string            // of the checkout, relative
	java  map[string][]string // test sources by class name
	lock  *os.File            // held as long as it is open
}

// built is what builds leave in a checkout and some tests need; linked, not copied.
var built = []string{".build", "service/image/target"}

// checkout lists tracked files and new ones, as they stand.
func checkout(root string) (*tree, error) {
	list, err := exec.Command("git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files in %s: %w", root, err)
	}
	t := &tree{root: root, java: map[string][]string{}}
	for _, name := range strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		if info, err := os.Stat(filepath.Join(root, name)); err != nil || !info.Mode().IsRegular() {
			continue // deleted, and not committed yet
		}
		t.files = append(t.files, name)
		if strings.Contains(name, "/src/test/java/") && strings.HasSuffix(name, ".java") {
			class := strings.TrimSuffix(filepath.Base(name), ".java")
			t.java[class] = append(t.java[class], name)
		}
	}
	return t, nil
}

// copyTo brings a copy up to date, and keeps it for this process alone until that ends.
func (t *tree) copyTo(folder string) (*tree, error) {
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(folder+".lock", os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, fmt.Errorf("another run works in %s: wait until it has ended", folder)
	}
	c := &tree{root: folder, files: t.files, java: t.java, lock: lock}
	kept := map[string]bool{}
	for _, name := range t.files {
		text, err := os.ReadFile(filepath.Join(t.root, name))
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(filepath.Join(t.root, name))
		if err != nil {
			return nil, err
		}
		if err := errors.Join(c.write(name, text), os.Chmod(filepath.Join(folder, name), info.Mode())); err != nil {
			return nil, err
		}
		kept[name] = true
	}
	for _, name := range built {
		link := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
			return nil, err
		}
		_ = os.Remove(link)
		if err := os.Symlink(filepath.Join(t.root, name), link); err != nil {
			return nil, err
		}
	}
	return c, c.removeOthers(kept)
}

// removeOthers deletes what the checkout no longer has.
func (t *tree) removeOthers(kept map[string]bool) error {
	return filepath.WalkDir(t.root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(t.root, path)
		if err != nil || kept[name] {
			return err
		}
		return os.Remove(path)
	})
}

// write leaves a file alone that is as wanted, so that build caches stay good.
func (t *tree) write(name string, text []byte) error {
	path := filepath.Join(t.root, name)
	if there, err := os.ReadFile(path); err == nil && bytes.Equal(there, text) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// source is the file of a JUnit class, or the folder of a Go package. The named method or function must be in it.
func (t *tree) source(of test) (string, error) {
	text, path := "", of.unit
	if of.goPackage() {
		for _, name := range t.files {
			if filepath.Dir(name) == of.unit && strings.HasSuffix(name, "_test.go") {
				part, err := os.ReadFile(filepath.Join(t.root, name))
				if err != nil {
					return "", err
				}
				text += string(part)
			}
		}
	} else {
		sources := t.java[of.unit]
		if len(sources) != 1 {
			return "", fmt.Errorf("test %s: %d sources %v, want one", of.unit, len(sources), sources)
		}
		path = sources[0]
		part, err := os.ReadFile(filepath.Join(t.root, path))
		if err != nil {
			return "", err
		}
		text = string(part)
	}
	function, sub, _ := strings.Cut(of.only, "/")
	if text == "" || function != "" && !strings.Contains(text, " "+function+"(") || !strings.Contains(text, sub) {
		return "", fmt.Errorf("there is no test %q", of)
	}
	return path, nil
}

// module is the folder in which Maven runs the tests of a source.
func module(source string) string { first, _, _ := strings.Cut(source, "/"); return first }

// groups are tests that can run together: of one Java module, or of one Go package.
func (t *tree) groups(tests []test) [][]test {
	by := map[string][]test{}
	for _, one := range tests {
		key := one.unit
		if !one.goPackage() {
			key = module(t.java[one.unit][0])
		}
		if !slices.Contains(by[key], one) {
			by[key] = append(by[key], one)
		}
	}
	var groups [][]test
	for _, key := range slices.Sorted(mapKeys(by)) {
		groups = append(groups, by[key])
	}
	return groups
}

func mapKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

// fingerprint changes with the mutant, with the files that it changes, and with its test.
func (t *tree) fingerprint(m mutant) (string, error) {
	files, err := m.applied(t.root)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	for _, name := range slices.Sorted(mapKeys(files)) {
		fmt.Fprintf(hash, "%s\x00%s\x00", name, files[name])
	}
	source, err := t.source(m.test)
	if err != nil {
		return "", err
	}
	fmt.Fprint(hash, m.test, "\x00")
	for _, name := range t.files {
		if name == source || m.test.goPackage() && filepath.Dir(name) == source {
			if _, mutated := files[name]; !mutated {
				if err := add(hash, filepath.Join(t.root, name)); err != nil {
					return "", err
				}
			}
		}
	}
	return hex.EncodeToString(hash.Sum(nil))[:20], nil
}

// sources changes with any file that a test may depend on.
func (t *tree) sources() (string, error) {
	hash := sha256.New()
	for _, name := range t.files {
		if strings.HasPrefix(name, "docs/") || strings.HasPrefix(name, "mutate/") {
			continue
		}
		fmt.Fprint(hash, name, "\x00")
		if err := add(hash, filepath.Join(t.root, name)); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(hash.Sum(nil))[:20], nil
}

func add(hash io.Writer, path string) error {
	text, err := os.ReadFile(path)
	if err == nil {
		_, err = hash.Write(text)
	}
	return err
}

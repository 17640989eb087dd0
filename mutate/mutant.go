package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// mutant takes one mend out of the code, and names the test that must notice.
type mutant struct {
	finding string // such as L4; a regression test is called by its own name
	what    string // what is wrong with the code then
	test    test
	edits   []edit
	place   string // file:line, for messages
}

// edit replaces one text, which must occur exactly once in the file: a mutant that no longer says what it means fails.
type edit struct{ file, from, to string }

// test is a JUnit class or a Go package, narrowed to one method or function where only is not empty.
type test struct{ unit, only string }

func (t test) String() string { return strings.TrimSuffix(t.unit+" "+t.only, " ") }

// goPackage says whether the unit is a folder of Go tests; a JUnit class has no slash.
func (t test) goPackage() bool { return strings.Contains(t.unit, "/") }

// readMutants reads every .txt file of the folder.
func readMutants(folder string) ([]mutant, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		some, err := parse(filepath.Base(path), string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// parse reads mutants, written as doc.go describes.
func parse(name, text string) ([]mutant, error) {
	var all []mutant
	var inRemoved, inAdded bool // the lines before this one belong to an edit
	for i, line := range strings.Split(text, "\n") {
		place := fmt.Sprintf("%s:%d", name, i+1)
		mark, rest, _ := strings.Cut(line, " ")
		if strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+") {
			mark, rest = line[:1], line[1:]
		}
		if mark != "==" && mark != "" && !strings.HasPrefix(mark, "#") && len(all) == 0 {
			return nil, fmt.Errorf("%s: begin a mutant with '== FINDING what is wrong'", place)
		}
		removed, added := false, false
		switch m := last(all); {
		case line == "" || strings.HasPrefix(mark, "#"):
		case mark == "==":
			finding, what, _ := strings.Cut(rest, " ")
			all = append(all, mutant{finding: finding, what: what, place: place})
		case mark == "test":
			m.test.unit, m.test.only, _ = strings.Cut(rest, " ")
		case mark == "in":
			m.edits = append(m.edits, edit{file: rest})
		case len(m.edits) == 0:
			return nil, fmt.Errorf("%s: %q: want 'test NAME', 'in FILE', or below a file '-old' and '+new'", place, line)
		case mark == "-":
			removed = true
			if e := last(m.edits); inRemoved {
				e.from += "\n" + rest
			} else if e.from == "" {
				e.from = rest
			} else {
				m.edits = append(m.edits, edit{file: e.file, from: rest})
			}
		case mark == "+":
			added = true
			if e := last(m.edits); inAdded {
				e.to += "\n" + rest
			} else {
				e.to = rest
			}
		default:
			return nil, fmt.Errorf("%s: %q: want '==', 'test', 'in', '-', '+' or '#'", place, line)
		}
		inRemoved, inAdded = removed, added
	}
	for _, m := range all {
		switch {
		case m.finding == "" || m.what == "":
			return nil, fmt.Errorf("%s: say '== FINDING what is wrong'", m.place)
		case m.test.unit == "":
			return nil, fmt.Errorf("%s: say which test must notice: 'test NAME'", m.place)
		case len(m.edits) == 0:
			return nil, fmt.Errorf("%s: say what to replace: 'in FILE', '-old', '+new'", m.place)
		}
		for _, e := range m.edits {
			if e.from == "" || e.from == e.to {
				return nil, fmt.Errorf("%s: an edit of %s changes nothing", m.place, e.file)
			}
		}
	}
	return all, nil
}

func last[T any](of []T) *T {
	if len(of) == 0 {
		return nil
	}
	return &of[len(of)-1]
}

// applied returns the mutated files by their paths below root.
func (m mutant) applied(root string) (map[string]string, error) {
	files := map[string]string{}
	for _, e := range m.edits {
		text, seen := files[e.file]
		if !seen {
			read, err := os.ReadFile(filepath.Join(root, e.file))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m.place, err)
			}
			text = string(read)
		}
		if n := strings.Count(text, e.from); n != 1 {
			return nil, fmt.Errorf("%s: %s holds %q %d times, want once: write the mutant anew for the code as it is", m.place, e.file, e.from, n)
		}
		files[e.file] = strings.Replace(text, e.from, e.to, 1)
	}
	return files, nil
}

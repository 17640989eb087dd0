package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// result is how the named test took a mutant.
type result struct {
	Passed  int      `json:"passed"`
	Failed  []string `json:"failed,omitempty"`
	Trouble string   `json:"trouble,omitempty"` // why there was no test to pass or fail
	Seconds float64  `json:"seconds"`

	output string
}

func (r result) Noticed() bool { return r.Trouble == "" && len(r.Failed) > 0 }

// Says which tests failed, at most three of them, or what else became of it.
func (r result) Says() string {
	switch n := len(r.Failed); {
	case r.Trouble != "":
		return r.Trouble
	case n == 0:
		return fmt.Sprintf("%d tests pass", r.Passed)
	case n > 3:
		return fmt.Sprintf("%s and %d more", strings.Join(r.Failed[:3], ", "), n-3)
	}
	return strings.Join(r.Failed, ", ")
}

// results are kept in a file, one write per mutant, so that an interrupted run goes on.
type results struct {
	path string
	all  map[string]result
}

func openResults(path string, fresh bool) *results {
	r := &results{path: path, all: map[string]result{}}
	text, err := os.ReadFile(path)
	if fresh || errors.Is(err, fs.ErrNotExist) {
		return r
	}
	if err == nil {
		err = json.Unmarshal(text, &r.all)
	}
	if err != nil {
		fmt.Printf("%s cannot be read (%v): all mutants are run again\n", path, err)
		r.all = map[string]result{}
	}
	return r
}

func (r *results) of(key string) (result, bool) {
	kept, ok := r.all[key]
	return kept, ok
}

func (r *results) keep(key string, of result) error {
	r.all[key] = of
	text, err := json.MarshalIndent(r.all, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(r.path+".new", text, 0o644); err != nil {
		return err
	}
	return os.Rename(r.path+".new", r.path)
}

// writeTable writes what docs/mutants.md holds.
func writeTable(path string, results *results, chosen []mutant, keys []string) error {
	noticed := 0
	var rows strings.Builder
	for i, m := range chosen {
		r, known := results.of(keys[i])
		word := "**no**"
		switch {
		case !known:
			r.Trouble, word = m.test.String(), "not run yet"
		case r.Noticed():
			word = "yes"
			noticed++
		}
		fmt.Fprintf(&rows, "| %s | %s | %s | %s | %s |\n", m.finding, escaped(m.what), filepath.Base(m.edits[0].file), escaped(r.Says()), word)
	}
	text := fmt.Sprintf("# Mutants\n\nWritten by `make mutate` (see [its rules](../mutate/doc.go)): each mend is taken out, one at a time, and its test must fail. %d of %d were noticed.\n"+
		"Some mends have no mutant: a document's paste (D8), an order of steps (D6: `make test-kind` walks it), a sentence (D16).\n\n"+
		"| finding or regression test | without its mend | mutated | what fails then | noticed |\n|---|---|---|---|---|\n%s", noticed, len(chosen), rows.String())
	return os.WriteFile(path, []byte(text), 0o644)
}

func escaped(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

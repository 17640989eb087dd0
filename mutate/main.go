package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// options are the command line's.
type options struct {
	root, only, classpath, table string
	patience                     time.Duration
	check, fresh, report         bool
}

func main() {
	var o options
	flag.StringVar(&o.root, "root", "..", "the checkout")
	flag.StringVar(&o.only, "only", "", "a regular expression: only mutants whose finding, class or folder of tests, or test it matches whole")
	flag.BoolVar(&o.check, "check", false, "only look whether mutants apply and their tests exist")
	flag.BoolVar(&o.fresh, "fresh", false, "forget earlier results")
	flag.BoolVar(&o.report, "report", false, "run nothing, tell what earlier runs have shown")
	flag.StringVar(&o.classpath, "classpath", "", "classes and jars of all Java modules and their tests, joined by colons; @FILE reads it")
	flag.StringVar(&o.table, "table", "", "write the table to this file, too")
	flag.DurationVar(&o.patience, "patience", 10*time.Minute, "how long a test may take")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	root, err := filepath.Abs(o.root)
	if err != nil {
		return err
	}
	original, err := checkout(root)
	if err != nil {
		return err
	}
	chosen, err := choose(original, o.only)
	if err != nil || o.check {
		return err
	}
	out := filepath.Join(root, "out", "mutate")
	copied, err := original.copyTo(filepath.Join(out, "tree"))
	if err != nil {
		return err
	}
	runner := &runner{tree: copied, overlay: filepath.Join(out, "overlay"), patience: o.patience}
	if runner.classpath, err = classpath(o.classpath); err != nil {
		return err
	}
	results := openResults(filepath.Join(out, "results.json"), o.fresh)
	var open []mutant // not judged yet
	keys := make([]string, len(chosen))
	for i, m := range chosen {
		if keys[i], err = copied.fingerprint(m); err != nil {
			return err
		}
		if _, known := results.of(keys[i]); !known {
			open = append(open, m)
		}
	}
	if o.report {
		runner, open = nil, nil
	}
	if err := baseline(ctx, runner, results, open); err != nil {
		return err
	}
	noticed, err := judge(ctx, runner, results, chosen, keys)
	if err != nil {
		return err
	}
	if o.table != "" {
		if err := writeTable(o.table, results, chosen, keys); err != nil {
			return err
		}
	}
	fmt.Printf("%d of %d mutants were noticed by their tests\n", noticed, len(chosen))
	if noticed < len(chosen) {
		return fmt.Errorf("%d mutants were not noticed", len(chosen)-noticed)
	}
	return nil
}

// choose returns the wanted mutants, all of which must apply; others that do not are named.
func choose(t *tree, only string) ([]mutant, error) {
	wanted, err := regexp.Compile("^(?:" + only + ")$")
	if err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	all, err := readMutants(filepath.Join(t.root, "mutate", "mutants"))
	if err != nil {
		return nil, err
	}
	var chosen []mutant
	stale, staleAll := 0, 0
	for _, m := range all {
		_, err := m.applied(t.root)
		if err == nil {
			_, err = t.source(m.test)
		}
		isWanted := only == "" || slices.ContainsFunc([]string{m.finding, m.test.unit, m.test.only}, wanted.MatchString)
		if err != nil {
			staleAll++
			fmt.Println("STALE", err)
		}
		switch {
		case isWanted && err != nil:
			stale++
		case isWanted:
			chosen = append(chosen, m)
		}
	}
	fmt.Printf("%d of %d mutants apply, each to a test that is there\n", len(all)-staleAll, len(all))
	if stale > 0 {
		return nil, fmt.Errorf("%d of the wanted mutants no longer apply", stale)
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("-only %q: no mutant has such a finding or test", only)
	}
	return chosen, nil
}

// judge runs what has no result yet, and says of each how it went. Without a runner it only says.
func judge(ctx context.Context, r *runner, results *results, chosen []mutant, keys []string) (noticed int, err error) {
	for i, m := range chosen {
		v, known := results.of(keys[i])
		if !known && r == nil {
			v.Trouble = "not run yet"
		} else if !known {
			start := time.Now()
			if v, err = r.mutant(ctx, m); err != nil {
				return noticed, err
			}
			v.Seconds = time.Since(start).Seconds()
			if err := results.keep(keys[i], v); err != nil {
				return noticed, err
			}
		}
		word := "NOT NOTICED"
		if v.Noticed() {
			word = "noticed"
			noticed++
		}
		fmt.Printf("%3d/%d %-11s %5.1f s  %s: %s  [%s] %s\n", i+1, len(chosen), word, v.Seconds, m.finding, m.what, m.test, v.Says())
	}
	return noticed, nil
}

// baseline demands that every test passes with the code as it is; else its failure would say nothing about a mutant.
func baseline(ctx context.Context, r *runner, results *results, open []mutant) error {
	if len(open) == 0 {
		return nil
	}
	var tests []test
	for _, m := range open {
		tests = append(tests, m.test)
	}
	sources, err := r.tree.sources()
	if err != nil {
		return err
	}
	// What an earlier run left is a mutant's.
	if _, err := r.compile(ctx, nil); err != nil {
		return err
	}
	for _, group := range r.tree.groups(tests) {
		key := fmt.Sprint("as it is: ", sources, group)
		if _, known := results.of(key); known {
			continue
		}
		start := time.Now()
		v, err := r.tests(ctx, group)
		if err != nil {
			return err
		}
		if v.Passed == 0 || v.Trouble != "" || len(v.Failed) > 0 {
			return fmt.Errorf("with the code as it is, %v must pass: %s\n%s", group, v.Says(), v.output)
		}
		fmt.Printf("as it is: %d tests of %s pass (%.1f s)\n", v.Passed, group[0].unit, time.Since(start).Seconds())
		if err := results.keep(key, result{Passed: v.Passed}); err != nil {
			return err
		}
	}
	return nil
}

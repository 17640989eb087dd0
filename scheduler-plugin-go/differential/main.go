package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"

	v1 "k8s.io/api/core/v1"
)

func main() {
	least := flag.Float64("least", 0.99, "fail below this share of decisions that agree")
	decisions := flag.Int("decisions", 500, "fail when the recordings hold fewer decisions than this")
	verbose := flag.Bool("v", false, "print every decision that differs")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: differential [flags] RECORDING.jsonl...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	var total tally
	for _, file := range flag.Args() {
		t, err := replay(context.Background(), file, *verbose)
		if err != nil {
			fmt.Fprintf(os.Stderr, "differential: %s: %v\n", file, err)
			os.Exit(1)
		}
		fmt.Printf("%-60s %s\n", file, t)
		total.add(t)
	}
	fmt.Printf("%-60s %s\n", "all", total)
	if total.decisions < *decisions || total.share() < *least {
		fmt.Fprintf(os.Stderr, "differential: need %d decisions and %.1f %% agreement\n", *decisions, 100**least)
		os.Exit(1)
	}
}

// tally counts decisions: agreed when the simulator's node is among those the real scheduler ranks
// first, filtered alike when both saw the same feasible nodes.
type tally struct{ decisions, agreed, filteredAlike, scoredAlike int }

func (t *tally) add(o tally) {
	t.decisions += o.decisions
	t.agreed += o.agreed
	t.filteredAlike += o.filteredAlike
	t.scoredAlike += o.scoredAlike
}

func (t tally) share() float64 { return float64(t.agreed) / float64(max(1, t.decisions)) }

func (t tally) String() string {
	return fmt.Sprintf("%5d decisions, same node or tie %6.2f %%, same feasible nodes %6.2f %%, same ranking %6.2f %%",
		t.decisions, 100*t.share(),
		100*float64(t.filteredAlike)/float64(max(1, t.decisions)),
		100*float64(t.scoredAlike)/float64(max(1, t.decisions)))
}

func replay(ctx context.Context, file string, verbose bool) (tally, error) {
	var t tally
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines, owners, err := read(file)
	if err != nil {
		return t, err
	}
	real, err := newDefaultProfile(ctx, owners)
	if err != nil {
		return t, err
	}
	cache := real.scheduler.Cache
	pods := map[string]*v1.Pod{}
	nodes := map[string]*v1.Node{}
	for _, e := range lines {
		switch e.Type {
		case "node":
			nodes[e.Node] = e.node()
			cache.AddNode(real.logger, nodes[e.Node])
		case "node-gone":
			err = cache.RemoveNode(real.logger, nodes[e.Node])
		case "gone":
			err = cache.RemovePod(real.logger, pods[e.UID])
			delete(pods, e.UID)
		case "bind":
			if e.Scores != nil {
				scores, serr := real.scores(ctx, e.pod(""))
				if serr != nil {
					return t, serr
				}
				t.count(e, scores, verbose)
			}
			pods[e.UID] = e.pod(e.Node)
			err = cache.AddPod(real.logger, pods[e.UID])
		default:
			err = fmt.Errorf("unknown event type %q", e.Type)
		}
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

func (t *tally) count(e event, real map[string]int64, verbose bool) {
	t.decisions++
	alike := len(real) == len(e.Scores)
	best := int64(-1)
	for name, score := range real {
		_, known := e.Scores[name]
		alike = alike && known
		best = max(best, score)
	}
	if alike {
		t.filteredAlike++
	}
	if real[e.Node] == best {
		t.agreed++
	} else if verbose {
		fmt.Printf("t=%.0f pod %s on %s: ours %v, real %v\n", e.At, e.UID, e.Node, e.Scores, real)
	}
	if alike && sameOrder(e.Scores, real) {
		t.scoredAlike++
	}
}

// sameOrder says whether both order all nodes alike: then a constant (a plugin that scores every
// node the same) is all they differ by.
func sameOrder(ours map[string]float64, real map[string]int64) bool {
	var shift *float64
	for name, score := range real {
		d := float64(score) - ours[name]
		if shift == nil {
			shift = &d
		} else if *shift != d {
			return false
		}
	}
	return true
}

func read(file string) ([]event, []string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	var lines []event
	var owners []string
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 1<<20)
	for number := 1; scanner.Scan(); number++ {
		var kind struct{ Type string }
		if err := json.Unmarshal(scanner.Bytes(), &kind); err == nil && (kind.Type == "run" || kind.Type == "sample") {
			continue // for those who learn from a record
		}
		var e event
		if err := json.Unmarshal(scanner.Bytes(), &e); err != nil {
			return nil, nil, fmt.Errorf("line %d: %w", number, err)
		}
		lines = append(lines, e)
		if name := ownerName(e.Owner); e.Type == "bind" && !slices.Contains(owners, name) {
			owners = append(owners, name)
		}
	}
	return lines, owners, scanner.Err()
}

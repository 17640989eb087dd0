package berth

import (
	"context"
	"fmt"
	"math/rand"
	"testing"

	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

func TestEveryGenerationHasTheScoreOfItsCandidateAndNoOther(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for _, n := range []int{1, 2, 3, 100, 500, 5000} {
		rows := newRowTable()
		var candidates []int32
		var scores []int8
		seen := map[int64]bool{}
		for i := range int32(n) {
			generation := int64(i + 1) // in a row, or anything
			if n%2 == 0 && i%3 != 0 {
				generation = 1 + random.Int63n(1<<40)
			}
			if i == 7 {
				generation = 0 // of no cache
			}
			seen[generation] = true
			rows.generations = append(rows.generations, generation)
			candidates, scores = append(candidates, i), append(scores, int8(random.Intn(101)))
		}
		g := scoresByGeneration(rows, candidates, scores)
		for i, generation := range rows.generations {
			if score, known := g.of(generation); known != (generation != 0) || known && score != scores[i] {
				t.Fatalf("%d candidates: generation %d has %d, %v, want %d", n, generation, score, known, scores[i])
			}
		}
		for range 10_000 {
			if other := random.Int63n(3 * int64(n)); !seen[other] {
				if score, known := g.of(other); known {
					t.Fatalf("%d candidates: generation %d of none of them has %d", n, other, score)
				}
			}
		}
	}
}

// The scheduler's snapshot gives a node that changes another generation: it is the same node all the same.
func TestANodeOfAnotherSnapshotIsFoundByItsNameAndOneThatWasNotAskedAboutIsNeutral(t *testing.T) {
	b := newPlugin(t, newFakeService(t, scores(37, 100)).URL, "")
	state, pod, nodes := framework.NewCycleState(), testPod("a"), testNodes("n0", "n1")
	if status := b.PreScore(context.Background(), state, pod, nodes); !status.IsSuccess() {
		t.Fatal(status)
	}
	later := testNodes("n1", "n0", "n2") // other generations, another order
	if got := fmt.Sprint(scoreAll(t, b, state, pod, later)); got != "[100 37 50]" {
		t.Errorf("n1, n0 and n2 of a later snapshot have %s, want [100 37 50]", got)
	}
}

// BenchmarkScore is what 500 candidates of 5,000 nodes cost, whose names lie apart in the memory.
func BenchmarkScore(b *testing.B) {
	names := make([]string, 5000)
	for i := range names {
		names[i] = fmt.Sprintf("scheduler-perf-%05d", i)
	}
	nodes := testNodes(names...)
	plugin := &Berth{process: &process{}, rows: newRowTable()}
	rows := plugin.rows.candidates(nodes, &plugin.args, nil)
	for name, generation := range map[string]bool{"generation": true, "name": false} {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				from := i * 500 % len(nodes)
				d, state := &decision{}, framework.NewCycleState()
				score(d, plugin.rows, rows[from:from+500], make([]int8, 500))
				if !generation {
					d.byGeneration = generationScores{}
				}
				state.Write(stateKey, d)
				for _, node := range nodes[from : from+500] {
					if _, status := plugin.Score(context.Background(), fwk.CycleState(state), nil, node); status != nil {
						b.Fatal(status)
					}
				}
			}
		})
	}
}

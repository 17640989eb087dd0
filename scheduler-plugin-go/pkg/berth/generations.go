package berth

import "math/bits"

// generationScores finds a candidate's score by the generation of its NodeInfo, which says which node it is and in which state
// (rows.go). To look each node up by its name took 2.4 % of the scheduler's CPU in a burst on 5,000 nodes: names lie all over
// the memory, generations side by side. Written once and then only read.
type generationScores struct {
	shift       int
	generations []int64 // open addressing, at most half full; 0 where there is none
	scores      []int8
}

// scoresByGeneration leaves out candidates that have no generation.
func scoresByGeneration[S int8 | int64](rows *rowTable, candidates []int32, scores []S) generationScores {
	size := bits.Len(uint(2 * len(candidates)))
	g := generationScores{shift: 64 - size, generations: make([]int64, 1<<size), scores: make([]int8, 1<<size)}
	for i, row := range candidates {
		if generation := rows.generations[row]; generation != 0 {
			slot := g.slot(generation)
			g.generations[slot], g.scores[slot] = generation, int8(scores[i])
		}
	}
	return g
}

func (g *generationScores) of(generation int64) (score int8, known bool) {
	if generation == 0 || len(g.generations) == 0 {
		return 0, false
	}
	slot := g.slot(generation)
	return g.scores[slot], g.generations[slot] == generation
}

// slot has the generation, or is where it would be. The multiplier is 2^64 over the golden ratio: of generations in a row no
// two come close.
func (g *generationScores) slot(generation int64) int {
	slot := int(uint64(generation) * 0x9e3779b97f4a7c15 >> g.shift)
	for g.generations[slot] != 0 && g.generations[slot] != generation {
		slot = (slot + 1) & (len(g.generations) - 1)
	}
	return slot
}

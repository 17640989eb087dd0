package berth

import (
	"math"
	"slices"
)

// scale maps preferences to 0..100 as the service does (PreferenceScale; api/examples/scale.json has cases for both).
func scale(preferences []float64) []int8 {
	scores := make([]int8, len(preferences))
	least, most := math.Inf(1), math.Inf(-1)
	for _, p := range preferences {
		if finite(p) {
			least, most = min(least, p), max(most, p)
		}
	}
	threshold := most - ties*max(1, math.Abs(most))
	if !(least < threshold) || !finite(most-least) {
		return slices.Repeat([]int8{int8(neutralScore)}, len(preferences))
	}
	factor, sum, known := 100/(most-least), 0, 0
	for i, p := range preferences {
		if !finite(p) {
			continue
		}
		scores[i] = 100
		if p < threshold {
			scores[i] = int8(min(99, math.Floor((p-least)*factor+.5)))
		}
		sum += int(scores[i])
		known++
	}
	for i, p := range preferences {
		if !finite(p) {
			scores[i] = int8(math.Floor(float64(sum)/float64(known) + .5))
		}
	}
	return scores
}

// ties is how close to the best a preference is a tie, relative; what is closer is rounding.
const ties = 1e-9

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

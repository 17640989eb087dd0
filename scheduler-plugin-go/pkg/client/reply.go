package client

// Reply is the service's answer; see api/openapi.yaml. Unknown fields are ignored, so that a newer service works with
// an older plugin.
type Reply struct {
	Decision string  `json:"decision"`
	Scores   []int64 `json:"scores"`
	Instance string  `json:"instance"`
	GPUCards [][]int `json:"gpuCards"`
}

// Check returns an error unless the reply answers this decision with one score of 0..100 per candidate.
func (r *Reply) Check(decision string, candidates int) error {
	if r.Decision != decision {
		return failed(ReasonBadReply, "the reply is for decision %q, asked was %q", r.Decision, decision)
	}
	if len(r.Scores) != candidates {
		return failed(ReasonBadReply, "%d scores for %d candidates", len(r.Scores), candidates)
	}
	for i, s := range r.Scores {
		if s < 0 || s > 100 {
			return failed(ReasonBadReply, "score %d of candidate %d is not within 0..100", s, i)
		}
	}
	return nil
}

package client

import (
	"encoding/binary"
	"encoding/json"
	"errors"
)

// The forms of a body: JSON for everything and everybody, and what costs a question and its answer least (api/README.md).
const (
	jsonType    = "application/json"
	columnsType = "application/vnd.berth.columns"
	scoresType  = "application/vnd.berth.scores"
)

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
		return failed(ReasonBadReply, "the reply is for decision %.100q, asked was %q", r.Decision, decision)
	}
	if len(r.Scores) != candidates {
		return failed(ReasonBadReply, "%d scores for %d candidates", len(r.Scores), candidates)
	}
	for i, s := range r.Scores {
		if s < 0 || s > 100 {
			return failed(ReasonBadReply, "score %d of candidate %d is not within 0..100", s, i)
		}
	}
	return checkInstance(r.Instance)
}

// instanceBytes are more than the name of an instance of the service has, which is remembered.
const instanceBytes = 64

func checkInstance(instance string) error {
	if len(instance) > instanceBytes {
		return failed(ReasonBadReply, "the instance has %d bytes, more than %d", len(instance), instanceBytes)
	}
	return nil
}

// unmarshal reads a reply of either form; the binary one is the JSON of everything but the scores behind its length, then a
// byte a score.
func (r *Reply) unmarshal(form string, text []byte) error {
	if form != scoresType {
		return json.Unmarshal(text, r)
	}
	scores, err := unmarshalHead(text, r)
	if err != nil {
		return err
	}
	r.Scores = make([]int64, len(scores))
	for i, score := range scores {
		r.Scores[i] = int64(score)
	}
	return nil
}

// unmarshalHead reads what every binary reply begins with, the length of its JSON part and this, and returns what is behind.
func unmarshalHead(text []byte, into any) (rest []byte, err error) {
	if len(text) < 4 || uint64(binary.LittleEndian.Uint32(text)) > uint64(len(text)-4) {
		return nil, errors.New("the reply is shorter than it says")
	}
	head := binary.LittleEndian.Uint32(text)
	return text[4+head:], json.Unmarshal(text[4:4+head], into)
}

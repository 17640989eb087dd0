package client

import (
	"encoding/binary"
	"errors"
	"math"
)

const rankingType = "application/vnd.berth.ranking"

// Ranking is the service's answer to a question about all nodes; entry i of every slice is node i of the question.
type Ranking struct {
	Decision string `json:"decision"`
	Instance string `json:"instance"`
	// Preferences are greater where a pod runs better, NaN where nothing is known.
	Preferences []float64 `json:"-"`
	// Drops are what one more such pod takes from its node's preference.
	Drops []float64 `json:"-"`
}

// unmarshal reads two columns of doubles behind the JSON part.
func (r *Ranking) unmarshal(form string, text []byte) error {
	if form != rankingType {
		return errors.New("the reply is no ranking but " + form)
	}
	columns, err := unmarshalHead(text, r)
	if err != nil {
		return err
	}
	if len(columns)%16 != 0 {
		return errors.New("the reply ends within a column")
	}
	values := make([]float64, len(columns)/8)
	for i := range values {
		values[i] = math.Float64frombits(binary.LittleEndian.Uint64(columns[8*i:]))
	}
	r.Preferences, r.Drops = values[:len(values)/2], values[len(values)/2:]
	return nil
}

// check returns an error unless the ranking answers this question. A drop below zero would draw pod after pod to one node.
func (r *Ranking) check(decision string, nodes int) error {
	if r.Decision != decision {
		return failed(ReasonBadReply, "the ranking is for %.100q, asked was %q", r.Decision, decision)
	}
	if len(r.Preferences) != nodes {
		return failed(ReasonBadReply, "%d preferences for %d nodes", len(r.Preferences), nodes)
	}
	for i, drop := range r.Drops {
		if !(drop >= 0) || math.IsInf(drop, 0) {
			return failed(ReasonBadReply, "drop %g of node %d is not a number from 0 on", drop, i)
		}
	}
	return checkInstance(r.Instance)
}

package client

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func scoresReply(head string, scores ...byte) []byte {
	return append(append(binary.LittleEndian.AppendUint32(nil, uint32(len(head))), head...), scores...)
}

func rankingReply(head string, columns ...float64) []byte {
	reply := scoresReply(head)
	for _, x := range columns {
		reply = binary.LittleEndian.AppendUint64(reply, math.Float64bits(x))
	}
	return reply
}

func TestABinaryReplyIsReadAndCheckedLikeJSON(t *testing.T) {
	cases := map[string]struct {
		text []byte
		want []int64 // nil where it must not be believed
	}{
		"scores":                       {scoresReply(`{"decision":"d","instance":"i"}`, 0, 100), []int64{0, 100}},
		"a score above 100":            {scoresReply(`{"decision":"d"}`, 0, 101), nil},
		"a score beyond a signed byte": {scoresReply(`{"decision":"d"}`, 0, 255), nil},
		"one score too few":            {scoresReply(`{"decision":"d"}`, 7), nil},
		"one score too many":           {scoresReply(`{"decision":"d"}`, 7, 7, 7), nil},
		"for another decision":         {scoresReply(`{"decision":"e"}`, 7, 7), nil},
		"an instance that is no name":  {scoresReply(`{"decision":"d","instance":"`+strings.Repeat("i", 65)+`"}`, 7, 7), nil},
		"no JSON":                      {scoresReply(`{"decision":`, 7, 7), nil},
		"a length beyond the reply":    {[]byte{255, 255, 255, 255, '{', '}'}, nil},
		"three bytes":                  {[]byte{1, 0, 0}, nil},
		"nothing":                      {nil, nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var r Reply
			err := r.unmarshal(scoresType, tc.text)
			if err == nil {
				err = r.Check("d", 2)
			}
			if (err == nil) != (tc.want != nil) {
				t.Fatalf("error %v, read as %+v", err, r)
			}
			if diff := cmp.Diff(tc.want, r.Scores); err == nil && diff != "" {
				t.Errorf("scores (-want,+got):\n%s", diff)
			}
		})
	}
}

// Whatever bytes come back, nothing panics, and what is believed obeys the contract.
func FuzzBinaryReply(f *testing.F) {
	f.Add(scoresReply(`{"decision":"d"}`, 1, 2))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, text []byte) {
		var r Reply
		if r.unmarshal(scoresType, text) != nil || r.Check("d", 2) != nil {
			return
		}
		if r.Decision != "d" || len(r.Scores) != 2 || min(r.Scores[0], r.Scores[1]) < 0 || max(r.Scores[0], r.Scores[1]) > 100 {
			t.Errorf("%q was believed as %+v", text, r)
		}
	})
}

func FuzzRanking(f *testing.F) {
	f.Add(rankingReply(`{"decision":"d"}`, 1, math.NaN(), 0.5, 0))
	f.Add(rankingReply(`{"decision":"d"}`, 1, 2, 0.5, math.NaN()))
	f.Add(rankingReply(`{"decision":"d"}`, 1, 2, 0.5))
	f.Add(rankingReply(`{"decision":"d"}`, 1, 2, 0.5, 0)[:30])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, text []byte) {
		var r Ranking
		if r.unmarshal(rankingType, text) != nil || r.check("d", 2) != nil {
			return
		}
		if r.Decision != "d" || len(r.Preferences) != 2 || len(r.Drops) != 2 || !(min(r.Drops[0], r.Drops[1]) >= 0) {
			t.Errorf("%q was believed as %+v", text, r)
		}
	})
}

func BenchmarkReply(b *testing.B) {
	for _, n := range []int{10, 100, 500, 1000, 5000} {
		scores := make([]byte, n)
		numbers := make([]int, n)
		for i := range scores {
			scores[i], numbers[i] = byte(i%101), i%101
		}
		text, err := json.Marshal(map[string]any{"decision": "d", "scores": numbers, "instance": "i"})
		if err != nil {
			b.Fatal(err)
		}
		for form, reply := range map[string][]byte{jsonType: text, scoresType: scoresReply(`{"decision":"d","instance":"i"}`, scores...)} {
			b.Run(fmt.Sprintf("nodes=%d/form=%s", n, form[len("application/"):]), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					var r Reply
					if err := r.unmarshal(form, reply); err != nil {
						b.Fatal(err)
					}
					if err := r.Check("d", n); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

package outcome

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var every = map[string]Event{
	"of a pod": {Type: Bound, At: time.Date(2026, 11, 21, 5, 0, 0, 123456789, time.UTC), Decision: "uid/7", Node: "node-0",
		Pod: &Pod{UID: "uid", Name: "web-1", Namespace: "default", Owner: "default/Deployment/web", Priority: -3, CPUMilli: 250, MemoryBytes: 1 << 40}},
	"of a pod with cards": {Type: Assigned, At: time.Unix(1e9, 0).UTC(), Node: "n",
		Pod: &Pod{UID: "uid", GPU: &GPU{Count: 2, Milli: 500, Models: []string{"T4", "A100"}}}},
	"of a pod with any cards":     {Type: Assigned, At: time.Unix(1e9, 0).UTC(), Node: "n", Pod: &Pod{UID: "uid", GPU: &GPU{Count: 1, Milli: 1000}}},
	"told of the others":          {Type: Bound, At: time.Unix(1e9, 0).UTC(), Node: "n", Pod: &Pod{}, Without: &Without{Node: "m", Sum: -1, Here: 300, Ties: 2}},
	"without a pod":               {Type: Gone, At: time.Unix(1e9, 5e8).UTC(), UID: "uid", Node: "n"},
	"whose texts anybody wrote":   {Type: Bound, At: time.Unix(1e9, 0).UTC(), Pod: &Pod{Name: "\"\\\n☃"}},
	"with nothing that it may be": {},
}

func TestEventsAreWrittenAsTheirTagsSay(t *testing.T) {
	for name, event := range every {
		t.Run(name, func(t *testing.T) {
			reference, err := json.Marshal(event)
			if err != nil {
				t.Fatal(err)
			}
			var want, got any
			_ = json.Unmarshal(reference, &want)
			text := event.appendTo(nil)
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatalf("%v in %s", err, text)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("event (-tags,+ours):\n%s", diff)
			}
		})
	}
}

// BenchmarkBatch is what the plugin's sender writes for 250 pods of a burst.
func BenchmarkBatch(b *testing.B) {
	q := NewQueue(Options{Scheduler: "s/1"})
	var batch []Event
	for range 250 {
		reserved, bound := every["of a pod"], every["of a pod"]
		reserved.Type = Reserved
		batch = append(batch, reserved, bound)
	}
	b.ReportAllocs()
	for b.Loop() {
		q.encode(batch)
	}
}

func TestAReservationIsLeftOutWhereItsBindIsInTheSameBatch(t *testing.T) {
	reserved := func(uid, node, decision string) Event {
		return Event{Type: Reserved, Node: node, Decision: decision, Pod: &Pod{UID: uid}}
	}
	bound := func(uid, node string) Event { return Event{Type: Bound, Node: node, Pod: &Pod{UID: uid}} }
	unreserved := Event{Type: Unreserved, Node: "n", Pod: &Pod{UID: "a"}}
	cases := map[string]struct {
		batch []Event
		want  []bool
	}{
		"bound where it was reserved":      {[]Event{reserved("a", "n", ""), reserved("b", "n", ""), bound("a", "n")}, []bool{true, false, false}},
		"not yet bound":                    {[]Event{reserved("a", "n", ""), bound("b", "n")}, []bool{false, false}},
		"bound elsewhere":                  {[]Event{reserved("a", "n", ""), bound("a", "m")}, []bool{false, false}},
		"taken back, then bound":           {[]Event{reserved("a", "n", ""), unreserved, reserved("a", "n", ""), bound("a", "n")}, []bool{false, false, true, false}},
		"bound first":                      {[]Event{bound("a", "n"), reserved("a", "n", "")}, []bool{false, false}},
		"that the service was asked about": {[]Event{reserved("a", "n", "a/1"), bound("a", "n")}, []bool{false, false}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, foldReservations(tc.batch)); diff != "" {
				t.Errorf("left out (-want,+got):\n%s", diff)
			}
		})
	}
}

package outcome

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// carried are the nodes of the events that a question at now would carry.
func carried(t *testing.T, n *News, now time.Time) []string {
	t.Helper()
	fields, _ := n.Append(nil, now)
	if len(fields) == 0 {
		return nil
	}
	var question struct {
		SentAt time.Time `json:"sentAt"`
		Events []Event   `json:"events"`
	}
	if err := json.Unmarshal([]byte("{"+string(fields[1:])+"}"), &question); err != nil {
		t.Fatalf("%v in %s", err, fields)
	}
	if !question.SentAt.Equal(now) {
		t.Errorf("sent at %v, want %v", question.SentAt, now)
	}
	var nodes []string
	for _, e := range question.Events {
		nodes = append(nodes, e.Node)
	}
	return nodes
}

func TestNewsAreCarriedUntilTheyAreAcknowledged(t *testing.T) {
	var n News
	now := time.Now().UTC()
	a := n.Note(Event{Type: Reserved, At: now, Node: "a"})
	n.Note(Event{Type: Reserved, At: now, Node: "b"})
	if got := fmt.Sprint(carried(t, &n, now)); got != "[a b]" {
		t.Errorf("carried %s, want [a b]", got)
	}
	a.acknowledged()
	if got := fmt.Sprint(carried(t, &n, now)); got != "[b]" {
		t.Errorf("carried %s after a was acknowledged, want [b]", got)
	}
	n.Clear()
	if got := carried(t, &n, now); got != nil {
		t.Errorf("carried %v after Clear, want nothing", got)
	}
}

func TestNewsAreTheNewestAndOfTheLastMoments(t *testing.T) {
	var n News
	now := time.Now().UTC()
	n.Note(Event{Type: Reserved, At: now.Add(-newsMaxAge - time.Second), Node: "old"})
	if got := carried(t, &n, now); got != nil {
		t.Errorf("carried %v, want nothing so old", got)
	}
	for i := range maxNews + 10 {
		n.Note(Event{Type: Reserved, At: now, Node: fmt.Sprint(i)})
	}
	got := carried(t, &n, now)
	if len(got) != maxNews || got[0] != "10" || got[maxNews-1] != fmt.Sprint(maxNews+9) {
		t.Errorf("carried %d from %s to %s, want %d from 10", len(got), got[0], got[len(got)-1], maxNews)
	}
}

func TestNewsThatAQuestionToldAreNotToldAgain(t *testing.T) {
	var n News
	now := time.Now().UTC()
	n.Note(Event{Type: Reserved, At: now, Node: "a"})
	n.Note(Event{Type: Reserved, At: now, Node: "b"})
	_, asked := n.Append(nil, now)
	n.Note(Event{Type: Reserved, At: now, Node: "c"}) // while the question is on its way
	if got := fmt.Sprint(carried(t, &n, now)); got != "[a b c]" {
		t.Errorf("carried %s before the answer, want [a b c]", got)
	}
	n.Told(asked)
	if got := fmt.Sprint(carried(t, &n, now)); got != "[c]" {
		t.Errorf("carried %s after the answer, want [c]", got)
	}
}

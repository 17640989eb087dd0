package berth

import (
	"fmt"
	"testing"
	"time"
)

func TestReservationsExpireThoughNoQuestionIsEverAsked(t *testing.T) {
	table, now := newPendingTable(time.Minute), time.Unix(0, 0)
	for i := range 10_000 {
		table.add(fmt.Sprint("u", i), "n", 1, 1, now)
		now = now.Add(time.Second)
	}
	if got := len(table.pods); got != 60 || table.byTime.Len() != 60 {
		t.Errorf("want the 60 of the last minute, the table holds %d", got)
	}
	if got := table.sums([]string{"n"}, now, nil)[0].pods; got != 59 {
		t.Errorf("want 59 pending now, got %d", got)
	}
}

// Removing searched the queue: 10,000 removals took 3.5 s.
func TestRemovalDoesNotSearch(t *testing.T) {
	table, now := newPendingTable(time.Hour), time.Unix(0, 0)
	const pods = 200_000
	for i := range pods {
		table.add(fmt.Sprint("u", i), "n", 1, 1, now)
	}
	start := time.Now()
	for i := pods - 1; i >= 0; i-- {
		table.remove(fmt.Sprint("u", i))
	}
	if took := time.Since(start); took > 20*time.Second { // it takes a tenth of a second, a search minutes
		t.Errorf("removing %d took %s", pods, took)
	}
	if len(table.pods) != 0 || len(table.nodes) != 0 || table.byTime.Len() != 0 {
		t.Error("something is left")
	}
}

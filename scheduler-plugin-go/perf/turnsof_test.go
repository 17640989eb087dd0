package perf

import (
	"slices"
	"testing"
)

func TestATurnEndsWhereTheRunWasFrozen(t *testing.T) {
	turns, err := turnsOf("1.0s 110 110 10 10\n2.0s 130 130 30 20\n3.5s 160 160 60 20\n13.6s 190 190 90 3\n14.6s 290 290 190 100\n", 5)
	if err != nil {
		t.Fatal(err)
	}
	if want := []rate{{50, 2.5}, {100, 1}}; !slices.EqualFunc(turns, want, func(a, b rate) bool {
		return a.pods == b.pods && a.seconds-b.seconds < 1e-9 && b.seconds-a.seconds < 1e-9
	}) {
		t.Errorf("turns %v, want %v", turns, want)
	}
}

func TestAStallIsPartOfItsTurn(t *testing.T) {
	turns, err := turnsOf("1.0s 10 10 10 10\n2.0s 20 20 20 10\n5.5s 21 21 21 0.3\n", 5)
	if err != nil {
		t.Fatal(err)
	}
	if len(turns) != 1 || turns[0].pods != 11 || turns[0].seconds != 4.5 {
		t.Errorf("turns %v, want one of 11 pods in 4.5 s", turns)
	}
}

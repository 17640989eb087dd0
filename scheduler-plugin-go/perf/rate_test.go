package perf

import "testing"

func TestTheTimeInWhichARunWasFrozenDoesNotCount(t *testing.T) {
	got, err := rateOf("1.0s 110 110 10 10\n2.0s 130 130 30 20\n3.5s 160 160 60 20\n13.5s 190 190 90 3\n14.5s 290 290 190 100\n", 5)
	if err != nil {
		t.Fatal(err)
	}
	if want := (rate{150, 3.5}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestAStallCounts(t *testing.T) {
	got, err := rateOf("1.0s 10 10 10 10\n2.0s 20 20 20 10\n5.5s 21 21 21 0.3\n", 5)
	if err != nil {
		t.Fatal(err)
	}
	if want := (rate{11, 4.5}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

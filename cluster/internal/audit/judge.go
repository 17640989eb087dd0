package audit

import (
	"fmt"
	"go/version"
	"io"
	"strings"
	"time"
)

// Judge tells what was found and returns how many things fail the audit: each called vulnerability for which there is a fixed version,
// unless the allow list has it, and each entry of that list which is past its day or excuses nothing.
//
// Two kinds fail nothing, because no change of this repository mends them: vulnerabilities without a fixed version, and those of the
// standard library, which are in every program that this toolchain builds and go away with a newer one.
func Judge(say io.Writer, scans []Scan, allowed []Entry, today time.Time) int {
	failures, needed := 0, make([]bool, len(allowed))
	for _, s := range scans {
		toolchain := []string{}
		release, fixed := "", ""
		for _, f := range s.Called {
			what := fmt.Sprintf("%s: %s of %s %s", s.Name, f.ID, f.Module, f.Version)
			calls := fmt.Sprintf("%s (calls %s)", f.Summary, f.Symbol)
			at := find(allowed, f)
			switch {
			case f.Module == stdlib:
				toolchain = append(toolchain, f.ID)
				release = goVersion(f.Version)
				if version.Compare(goVersion(f.Fixed), fixed) > 0 {
					fixed = goVersion(f.Fixed)
				}
			case f.Fixed == "":
				fmt.Fprintf(say, "audit: NO FIX: %s, no version mends it: %s\n", what, calls)
			case at < 0:
				failures++
				fmt.Fprintf(say, "audit: MEND: %s, mended in %s: %s\n", what, f.Fixed, calls)
			default:
				needed[at] = true
				fmt.Fprintf(say, "audit: ALLOWED until %s: %s, mended in %s: %s\n", allowed[at].Until.Format(time.DateOnly), what, f.Fixed, allowed[at].Reason)
			}
		}
		if len(toolchain) > 0 {
			mends := "no release mends all of them yet"
			if fixed != "" {
				mends = "build with " + fixed + " or newer"
			}
			fmt.Fprintf(say, "audit: TOOLCHAIN: %s calls %d vulnerabilities of the standard library of %s, %s: %s\n",
				s.Name, len(toolchain), release, mends, strings.Join(toolchain, " "))
		}
		fmt.Fprintf(say, "audit: %s: %d known vulnerabilities in what it requires, %d of them called\n", s.Name, len(s.Affected), len(s.Called))
	}
	for i, e := range allowed {
		switch {
		case today.After(e.Until.AddDate(0, 0, 1)):
			failures++
			fmt.Fprintf(say, "audit: %s: %s of %s was allowed until %s: mend it, or give a new day and reason\n", e.At, e.ID, e.Module, e.Until.Format(time.DateOnly))
		case !needed[i]:
			failures++
			fmt.Fprintf(say, "audit: %s: %s of %s excuses nothing: no module calls it where a version mends it. Take the line out\n", e.At, e.ID, e.Module)
		}
	}
	return failures
}

func find(allowed []Entry, f Finding) int {
	for i, e := range allowed {
		if e.ID == f.ID && e.Module == f.Module {
			return i
		}
	}
	return -1
}

// goVersion makes go1.26.9 of v1.26.9; "" stays.
func goVersion(v string) string {
	if v == "" {
		return ""
	}
	return "go" + strings.TrimPrefix(v, "v")
}

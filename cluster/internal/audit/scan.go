// Package audit judges what govulncheck found: which vulnerabilities must be mended here, which cannot be.
package audit

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// stdlib is what govulncheck calls the standard library, as if it were a module.
const stdlib = "stdlib"

// Finding is one vulnerability of one module whose code is called; in what is only imported or required nothing runs that is vulnerable.
type Finding struct {
	Module, Version string // what is vulnerable
	ID, Summary     string
	Fixed           string // the version that mends it, "" when there is none
	Symbol          string // what of it is called
}

// Scan is what govulncheck says of one Go module of ours.
type Scan struct {
	Name     string // its folder
	Called   []Finding
	Affected map[string]bool // every vulnerability that its required versions have, called or not
}

// message is the part of govulncheck's JSON stream that matters here (golang.org/x/vuln/internal/govulncheck).
type message struct {
	OSV *struct {
		ID, Summary string
		Affected    []struct{ Package struct{ Name string } }
	}
	Finding *struct {
		OSV          string
		FixedVersion string `json:"fixed_version"`
		Trace        []struct{ Module, Version, Package, Function string }
	}
}

// ReadScan reads the output of govulncheck -format json. It refuses one whose database knew nothing of the standard library: every
// module uses that and hundreds of vulnerabilities of it are known, so an empty folder was asked, and "nothing found" would be no news.
func ReadScan(name string, r io.Reader) (Scan, error) {
	s := Scan{Name: name, Affected: map[string]bool{}}
	summaries := map[string]string{}
	known := false
	decoder := json.NewDecoder(r)
	for {
		var m message
		if err := decoder.Decode(&m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return s, fmt.Errorf("%s: this is no output of govulncheck -format json: %w", name, err)
		}
		if m.OSV != nil {
			summaries[m.OSV.ID] = m.OSV.Summary
			for _, a := range m.OSV.Affected {
				known = known || a.Package.Name == stdlib
			}
		}
		if f := m.Finding; f != nil && len(f.Trace) > 0 {
			s.Affected[f.OSV] = true
			at := f.Trace[0]
			if at.Function != "" { // else it is a finding of the module or package alone
				s.Called = append(s.Called, Finding{
					ID: f.OSV, Module: at.Module, Version: at.Version, Fixed: f.FixedVersion, Symbol: at.Package + "." + at.Function,
				})
			}
		}
	}
	if !known {
		return s, fmt.Errorf("%s: NOT AUDITED: the database knows no vulnerability of Go's standard library, so it is empty or none of Go", name)
	}
	slices.SortStableFunc(s.Called, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.ID, b.ID))
	})
	s.Called = slices.CompactFunc(s.Called, func(a, b Finding) bool { return a.Module == b.Module && a.ID == b.ID }) // one symbol is enough
	for i := range s.Called {
		s.Called[i].Summary = summaries[s.Called[i].ID]
	}
	return s, nil
}

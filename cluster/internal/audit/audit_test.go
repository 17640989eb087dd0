package audit

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// stream is what govulncheck prints, cut down: one finding that only the module has, called ones with and without a mending version,
// the same one called twice, and two of the standard library.
const stream = `
{"config": {"protocol_version": "v1.0.0"}}
{"osv": {"id": "GO-2026-0001", "summary": "lets anybody in", "affected": [{"package": {"name": "example.org/net"}}]}}
{"osv": {"id": "GO-2026-0009", "summary": "goes on forever", "affected": [{"package": {"name": "stdlib"}}]}}
{"finding": {"osv": "GO-2026-0003", "fixed_version": "v1.2.0", "trace": [{"module": "example.org/unused", "version": "v1.1.0"}]}}
{"finding": {"osv": "GO-2026-0001", "fixed_version": "v1.2.0", "trace": [{"module": "example.org/net", "version": "v1.1.0"}]}}
{"finding": {"osv": "GO-2026-0001", "fixed_version": "v1.2.0", "trace": [{"module": "example.org/net", "version": "v1.1.0", "package": "example.org/net/http", "function": "Serve"}, {"module": "berth.dev/x", "package": "berth.dev/x", "function": "main"}]}}
{"finding": {"osv": "GO-2026-0001", "fixed_version": "v1.2.0", "trace": [{"module": "example.org/net", "version": "v1.1.0", "package": "example.org/net/http", "function": "Close"}]}}
{"finding": {"osv": "GO-2026-0002", "trace": [{"module": "example.org/old", "version": "v0.1.0", "package": "example.org/old", "function": "Do"}]}}
{"finding": {"osv": "GO-2026-0009", "fixed_version": "v1.26.9", "trace": [{"module": "stdlib", "version": "v1.26.8", "package": "net/http", "function": "Get"}]}}
{"finding": {"osv": "GO-2026-0010", "fixed_version": "v1.26.10", "trace": [{"module": "stdlib", "version": "v1.26.8", "package": "os", "function": "Open"}]}}
`

var today = time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)

// judge reads the stream and the allow list and returns what is said.
func judge(t *testing.T, allow string) (int, string) {
	t.Helper()
	s, err := ReadScan("ours", strings.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := ReadAllow("allow.txt", strings.NewReader(allow))
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	n := Judge(&said, []Scan{s}, allowed, today)
	return n, said.String()
}

func TestOnlyACalledVulnerabilityWithAFixFails(t *testing.T) {
	n, said := judge(t, "")
	if n != 1 {
		t.Errorf("%d failures, want 1:\n%s", n, said)
	}
	for _, want := range []string{
		"MEND: ours: GO-2026-0001 of example.org/net v1.1.0, mended in v1.2.0: lets anybody in (calls example.org/net/http.Serve)",
		"NO FIX: ours: GO-2026-0002 of example.org/old v0.1.0",
		"TOOLCHAIN: ours calls 2 vulnerabilities of the standard library of go1.26.8, build with go1.26.10 or newer: GO-2026-0009 GO-2026-0010",
		"ours: 5 known vulnerabilities in what it requires, 4 of them called",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in:\n%s", want, said)
		}
	}
}

func TestAllowed(t *testing.T) {
	for name, c := range map[string]struct {
		allow    string
		failures int
		says     string
	}{
		"until its day":                    {"# why\n\nGO-2026-0001 example.org/net 2026-11-24 nobody else can reach it", 0, "ALLOWED until 2026-11-24: ours: GO-2026-0001"},
		"past its day":                     {"GO-2026-0001 example.org/net 2026-11-23 nobody else can reach it", 1, "allow.txt:1: GO-2026-0001 of example.org/net was allowed until 2026-11-23"},
		"of another module":                {"GO-2026-0001 example.org/other 2027-01-31 nobody", 2, "allow.txt:1: GO-2026-0001 of example.org/other excuses nothing"},
		"not called":                       {"GO-2026-0001 example.org/net 2027-01-31 nobody\nGO-2026-0003 example.org/unused 2027-01-31 nobody", 1, "allow.txt:2: GO-2026-0003 of example.org/unused excuses nothing"},
		"the toolchain's need no allowing": {"GO-2026-0001 example.org/net 2027-01-31 nobody\nGO-2026-0009 stdlib 2027-01-31 nobody", 1, "allow.txt:2: GO-2026-0009 of stdlib excuses nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			if n, said := judge(t, c.allow); n != c.failures || !strings.Contains(said, c.says) {
				t.Errorf("%d failures, want %d and %q:\n%s", n, c.failures, c.says, said)
			}
		})
	}
}

func TestABrokenAllowListIsRefusedWithItsLine(t *testing.T) {
	for line, want := range map[string]string{
		"GO-2026-0001 example.org/net 2027-01-31":                             "allow.txt:2: \"GO-2026-0001 example.org/net 2027-01-31\" is no entry",
		"CVE-2026-1 example.org/net 2027-01-31 why":                           "allow.txt:2: \"CVE-2026-1\" is no vulnerability of the Go database",
		"GO-2026-0001 example.org/net 31.1.2027 why":                          "allow.txt:2: \"31.1.2027\" is no day",
		"GO-2026-0001 a.b/c 2027-01-31 why\nGO-2026-0001 a.b/c 2027-02-28 so": "allow.txt:3: GO-2026-0001 of a.b/c is in allow.txt:2 already",
	} {
		if _, err := ReadAllow("allow.txt", strings.NewReader("# a comment\n"+line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", line, err, want)
		}
	}
}

func TestWhatIsNoScanIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"config": {"protocol_version": "v1.0.0"}}`: "ours: NOT AUDITED: the database knows no vulnerability of Go's standard library",
		"":                              "ours: NOT AUDITED",
		"No vulnerabilities found.\n":   "ours: this is no output of govulncheck -format json",
		stream + `{"finding": {"osv": `: "ours: this is no output of govulncheck -format json",
	} {
		if _, err := ReadScan("ours", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

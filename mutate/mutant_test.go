package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const one = `# a comment
== L4 zero gain is promoted
test GateTest zero
in a/Gate.java
-gain > 0
+gain >= 0
`

func TestAMutantIsReadAsItIsWritten(t *testing.T) {
	all, err := parse("x.txt", one+"\n== P1 two edits\ntest a/b TestX\nin f\n-one\n-two\n+three\n-four\n+\nin g\n-five\n+six\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 || all[0].finding != "L4" || all[0].what != "zero gain is promoted" || all[0].test.goPackage() || all[0].place != "x.txt:2" {
		t.Errorf("read %+v", all)
	}
	want := []edit{{"f", "one\ntwo", "three"}, {"f", "four", ""}, {"g", "five", "six"}}
	if got := all[1].edits; len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] || !all[1].test.goPackage() {
		t.Errorf("edits %+v, want %+v", got, want)
	}
}

func TestWhatIsNoMutantIsNamedByItsLine(t *testing.T) {
	for name, text := range map[string]string{
		"x.txt:1: begin":           "test GateTest\n",
		"x.txt:1: say '== FINDING": "== L4\ntest GateTest\nin f\n-a\n+b\n",
		"x.txt:2: say which test":  strings.Replace(one, "test GateTest zero\n", "", 1),
		"x.txt:2: say what":        "#\n== L4 x\ntest GateTest\n",
		"changes nothing":          strings.Replace(one, "gain >= 0", "gain > 0", 1),
		"x.txt:3: \"-a\"":          "#\n== L4 x\n-a\n+b\n",
		"x.txt:7: \"surely\"":      one + "surely",
	} {
		if _, err := parse("x.txt", text); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("want an error with %q, got %v", name, err)
		}
	}
}

func TestAMutantThatNoLongerSaysWhatItMeansFails(t *testing.T) {
	all, err := parse("x.txt", one)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	for text, want := range map[string]string{
		"if (gain > 0) {":                "",
		"if (gain >= 0) {":               "0 times, want once",
		"if (gain > 0 && again gain > 0": "2 times, want once",
	} {
		if err := os.MkdirAll(filepath.Join(root, "a"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, "a/Gate.java"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		files, err := all[0].applied(root)
		if want == "" && (err != nil || files["a/Gate.java"] != "if (gain >= 0) {") {
			t.Errorf("%q became %q, %v", text, files["a/Gate.java"], err)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: want an error with %q, got %v", text, want, err)
		}
	}
}

// noticing is what the whole tool is for: a result counts only when a test ran and failed.
func TestOnlyATestThatFailsHasNoticed(t *testing.T) {
	for name, c := range map[string]struct {
		result result
		want   bool
	}{
		"a test fails":              {result{Passed: 3, Failed: []string{"zero()"}}, true},
		"all pass":                  {result{Passed: 3}, false},
		"nothing ran":               {result{Trouble: "no test ran (exit 1)"}, false},
		"it does not compile":       {result{Trouble: "does not compile: ';' expected"}, false},
		"it failed before it began": {result{Failed: []string{"x"}, Trouble: "no test ran"}, false},
	} {
		if got := c.result.Noticed(); got != c.want {
			t.Errorf("%s: noticed %v, want %v", name, got, c.want)
		}
	}
}

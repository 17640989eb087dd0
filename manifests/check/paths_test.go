package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// repository is the root of the checkout, two folders above this package; taken at the start because tests change folders.
var repository, _ = filepath.Abs("../..")

// tool is a binary that the Makefile built; its absence is a failure, not a skip: a check that did not run proves nothing.
func tool(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(repository, ".build", "bin", name)
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%s is missing: run `make check-deploy`, which builds it", path)
	}
	return path
}

// run fails the test with the command's whole output when it exits non-zero.
func run(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return string(out)
}

// eventually polls until the condition holds or the time is up.
func eventually(limit time.Duration, condition func() bool) bool {
	for deadline := time.Now().Add(limit); ; time.Sleep(100 * time.Millisecond) {
		if condition() {
			return true
		}
		if time.Now().After(deadline) {
			return false
		}
	}
}

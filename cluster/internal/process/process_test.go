package process

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func handle(t *testing.T) Handle {
	dir := t.TempDir()
	return Handle{PidFile: filepath.Join(dir, "pids", "p.pid"), LogFile: filepath.Join(dir, "logs", "p.log"), Mark: dir}
}

func start(t *testing.T, h Handle, script string) int {
	t.Helper()
	if err := h.Start("/bin/sh", []string{"-c", script}); err != nil {
		t.Fatal(err)
	}
	state, pid := h.State()
	if state != Running {
		t.Fatalf("state after start is %s", state)
	}
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
	return pid
}

func TestAStartedProcessRunsLogsAndStops(t *testing.T) {
	h := handle(t)
	start(t, h, "echo hello; exec sleep 60")
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if log, _ := os.ReadFile(h.LogFile); len(log) > 0 {
			break
		}
	}
	if err := h.Stop(5 * time.Second); err != nil {
		t.Fatal(err)
	}
	if state, _ := h.State(); state != Stopped {
		t.Errorf("state after stop is %s", state)
	}
	if log, _ := os.ReadFile(h.LogFile); !strings.Contains(string(log), "hello") {
		t.Errorf("log holds %q", log)
	}
}

func TestAKilledProcessIsSeenEvenAsAZombieAndCanStartAgain(t *testing.T) {
	h := handle(t)
	pid := start(t, h, "exec sleep 60")
	_ = syscall.Kill(pid, syscall.SIGKILL) // nobody reaps it: this test is its parent
	if !waitGone(pid, 5*time.Second) {
		t.Fatal("still counts as running")
	}
	if state, _ := h.State(); state != Killed {
		t.Errorf("state is %s", state)
	}
	start(t, h, "exec sleep 60")
}

func TestAProcessThatIgnoresTheSignalIsKilledAfterTheGrace(t *testing.T) {
	h := handle(t)
	start(t, h, "trap '' TERM; while :; do sleep 0.1; done")
	time.Sleep(100 * time.Millisecond) // the shell must have set its trap
	if err := h.Stop(200 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
}

func TestAReusedPidIsNeitherOursNorKilled(t *testing.T) {
	theirs := handle(t)
	pid := start(t, theirs, "exec sleep 60")
	ours := handle(t)
	_ = os.MkdirAll(filepath.Dir(ours.PidFile), 0o755)
	if err := os.WriteFile(ours.PidFile, []byte(strconv.Itoa(pid)), 0o600); err != nil {
		t.Fatal(err)
	}
	if state, _ := ours.State(); state != Killed {
		t.Errorf("somebody else's process counts as %s", state)
	}
	if err := ours.Stop(time.Second); err != nil {
		t.Fatal(err)
	}
	if state, _ := theirs.State(); state != Running {
		t.Error("stop ended a process that it did not start")
	}
}

func TestTwoStartsOfOneProcessAreRefused(t *testing.T) {
	h := handle(t)
	start(t, h, "exec sleep 60")
	if err := h.Start("/bin/true", nil); err == nil || !strings.Contains(err.Error(), "already runs as pid") {
		t.Errorf("error is %v", err)
	}
}

func TestAProcessThatBecomesAnotherProgramStaysOurs(t *testing.T) {
	t.Setenv("PADDING", strings.Repeat("x", 100_000)) // before the mark: takes a while to read
	h := handle(t)
	script := filepath.Join(t.TempDir(), "again.sh")
	if err := os.WriteFile(script, []byte("exec /bin/sh $0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	start(t, h, "exec /bin/sh "+script)
	for i := range 300 {
		if state, _ := h.State(); state != Running {
			t.Fatalf("asked %d times, state is %s", i+1, state)
		}
	}
}

func TestAProcessInTheMiddleOfExecIsWaitedFor(t *testing.T) {
	folder := t.TempDir() // stands for /proc/PID
	environ := filepath.Join(folder, "environ")
	for _, err := range []error{os.WriteFile(environ, nil, 0o644), os.Symlink("/bin/sh", filepath.Join(folder, "exe"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	execEnds := time.AfterFunc(500*time.Millisecond, func() {
		_ = os.WriteFile(environ+".new", []byte("PATH=/bin\x00"+markName+"=us\x00"), 0o644)
		_ = os.Rename(environ+".new", environ)
	})
	defer execEnds.Stop()
	if !environmentHas(folder, markName+"=us", execPatience) {
		t.Error("a process of ours does not count as ours while its program is read from disk")
	}
	if environmentHas(folder, markName+"=them", execPatience) {
		t.Error("a process of ours counts as theirs")
	}
}

func TestAKernelThreadIsNobodysAtOnce(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "environ"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	if environmentHas(folder, markName+"=us", time.Minute) || time.Since(begun) > 10*time.Second {
		t.Errorf("a thread without a program was waited for, %v", time.Since(begun))
	}
}

package perf

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

const (
	// cpuFile of a test case's folder has what its processes used of the CPU, seconds.
	cpuFile = "cpu"
	// grace is how long a test case may take to end when it is asked to.
	grace = 5 * time.Second
	tell  = 30 * time.Second
)

// runAlone runs a test case in a process of its own, with an API server, etcd and a service of its own: what one leaves behind
// (a heap grown large, watches) is work that the next would pay for. What it measures is written into dir.
func runAlone(ctx context.Context, out io.Writer, c testCase, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	process := exec.Command(os.Args[0], "-test.run=^$", "-test.benchtime=1ns", "-test.timeout=4h",
		"-test.bench=BenchmarkPerfScheduling/^"+regexp.QuoteMeta(c.Name())+"$", "-data-items-dir="+dir, "-v=0")
	if *profiled {
		process.Args = append(process.Args, "-test.cpuprofile="+filepath.Join(dir, "cpu.pprof"))
	}
	// What etcd and the API server keep in files goes however they end. The folder's name is short, for etcd's socket is in it.
	temporary, err := os.MkdirTemp("", "perf")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	process.Env = append(os.Environ(), "TMPDIR="+temporary)
	process.Stdout, process.Stderr = log, log
	process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // with etcd and the service
	if err := process.Start(); err != nil {
		return err
	}
	// Whatever way it ends, nothing of it stays to load the next one's machine.
	defer func() { _ = syscall.Kill(-process.Process.Pid, syscall.SIGKILL) }()
	ended := make(chan error, 1)
	go func() { ended <- process.Wait() }()
	begun, progress := time.Now(), time.NewTicker(tell)
	defer progress.Stop()
	for {
		select {
		case err := <-ended:
			if err != nil {
				return fmt.Errorf("%s: %w; the end of its log:\n%s", c.Name(), err, tail(log.Name()))
			}
			used := process.ProcessState.UserTime() + process.ProcessState.SystemTime() // with all that it waited for
			if err := os.WriteFile(filepath.Join(dir, cpuFile), fmt.Appendf(nil, "%.1f", used.Seconds()), 0o644); err != nil {
				return err
			}
			return hasFigures(c, dir)
		case <-progress.C:
			fmt.Fprintf(out, "  %s: %.0f s\n", c.Name(), time.Since(begun).Seconds())
		case <-ctx.Done():
			end(process, ended)
			return ctx.Err()
		}
	}
}

// hasFigures tells a run that measured nothing from one that did.
func hasFigures(c testCase, dir string) error {
	r, err := readRun(dir)
	switch {
	case err != nil:
		return err
	case r.podsPerSecond == 0:
		return fmt.Errorf("%s: no pods/s in %s: all pods within a second? Have more of them measured", c.Name(), dir)
	case c.AsksService() && r.callMean == 0:
		return fmt.Errorf("%s: Berth answered nothing, see %s/log", c.Name(), dir)
	}
	return nil
}

// end asks the process and its children to end, and waits a moment for it.
func end(process *exec.Cmd, ended <-chan error) {
	_ = syscall.Kill(-process.Process.Pid, syscall.SIGTERM)
	select {
	case <-ended:
	case <-time.After(grace):
	}
}

// tail is the last part of a log.
func tail(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-3000):])
}

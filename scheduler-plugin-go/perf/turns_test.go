package perf

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// frozen is how long a world stands still between two turns. The API server gives a write up after 10 s.
const frozen = 6 * time.Second

// turn is how long one of so many worlds runs while the others are frozen: long beside what a thaw costs (cold caches, timers
// that are all due), short beside the minutes over which a shared machine becomes faster or slower.
func turn(worlds int) time.Duration { return frozen / time.Duration(max(1, worlds-1)) }

// startUp is how long all worlds run beside each other at first: an API server gives up when it is not ready soon.
const startUp = 20 * time.Second

// grace is how long a world may take to end when it is asked to.
const grace = 5 * time.Second

// world is one variant of a comparison with everything that it needs: scheduler and API server in one process, etcd, the
// service. All are one process group, so they freeze and thaw together.
type world struct {
	testCase testCase
	process  *exec.Cmd
	log      string
	ended    chan error
}

// start runs the test case in a process of its own, which writes what it measured into dir.
func start(c testCase, dir string) (*world, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	w := &world{testCase: c, log: log.Name(), ended: make(chan error, 1)}
	w.process = exec.Command(os.Args[0], "-test.run=^$", "-test.benchtime=1ns", "-test.timeout=4h",
		"-test.bench=BenchmarkPerfScheduling/^"+regexp.QuoteMeta(c.Name())+"$", "-data-items-dir="+dir, "-v=0")
	w.process.Stdout, w.process.Stderr = log, log
	// etcd gives a request up after 5 s and twice this: 11 s.
	w.process.Env = append(os.Environ(), "ETCD_ELECTION_TIMEOUT=3000")
	w.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := w.process.Start(); err != nil {
		return nil, err
	}
	go func() { w.ended <- w.process.Wait() }()
	return w, nil
}

// send sends a signal to all processes of the world. A world that has ended has none.
func (w *world) send(signal syscall.Signal) { _ = syscall.Kill(-w.process.Process.Pid, signal) }

// end asks all processes to end, and ends those that do not.
func (w *world) end() {
	w.send(syscall.SIGCONT)
	w.send(syscall.SIGTERM)
	select {
	case <-w.ended:
	case <-time.After(grace):
	}
	w.send(syscall.SIGKILL)
}

// cpuFile of a world's folder has the CPU of its processes, seconds.
const cpuFile = "cpu"

// run lets the world run for a turn and says whether it ended.
func (w *world) run(ctx context.Context, length time.Duration) (bool, error) {
	w.send(syscall.SIGCONT)
	over := time.NewTimer(length)
	defer over.Stop()
	select {
	case err := <-w.ended:
		if err != nil {
			return true, fmt.Errorf("%s: %w; the end of its log:\n%s", w.testCase.Name(), err, tail(w.log))
		}
		used := w.process.ProcessState.UserTime() + w.process.ProcessState.SystemTime() // with all that it waited for
		return true, os.WriteFile(filepath.Join(filepath.Dir(w.log), cpuFile), fmt.Appendf(nil, "%.1f", used.Seconds()), 0o644)
	case <-ctx.Done():
		return false, ctx.Err()
	case <-over.C:
		w.send(syscall.SIGSTOP)
		return false, nil
	}
}

// takeTurns measures the variants of one comparison beside each other: all are alive, one runs. Other work on the machine, a
// faster or a slower minute of it, so meets all of them alike, and none pays for another's processes.
func takeTurns(ctx context.Context, out io.Writer, cases []testCase, dir string) error {
	var worlds []*world
	defer func() {
		for _, w := range worlds { // those that an error or a signal left behind
			w.end()
		}
	}()
	begun, told := time.Now(), time.Now()
	for _, c := range cases {
		w, err := start(c, filepath.Join(dir, c.Variant))
		if err != nil {
			return err
		}
		worlds = append(worlds, w)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(startUp):
	}
	for _, w := range worlds {
		w.send(syscall.SIGSTOP)
	}
	for len(worlds) > 0 {
		for _, w := range slices.Clone(worlds) {
			ended, err := w.run(ctx, turn(len(cases)))
			if err != nil {
				return err
			}
			if ended {
				worlds = slices.DeleteFunc(worlds, func(other *world) bool { return other == w })
			}
			if time.Since(told) > 30*time.Second {
				told = time.Now()
				fmt.Fprintf(out, "  %s: %.0f s, %s at work\n", cases[0].comparison(), time.Since(begun).Seconds(), names(worlds))
			}
		}
	}
	return nil
}

func names(worlds []*world) string {
	var all []string
	for _, w := range worlds {
		all = append(all, w.testCase.Variant)
	}
	return strings.Join(all, ", ")
}

// tail is the last part of a log.
func tail(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-3000):])
}

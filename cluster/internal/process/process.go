// Package process starts, watches and stops detached processes through pid files.
//
// A pid alone proves nothing: after an unclean stop the number may belong to somebody else. So every process
// gets a mark in its environment, and only a live process with that mark counts as ours. Linux only (/proc).
package process

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// markName is the environment variable that carries the mark. Not BERTH_...: the service reads those as its settings.
const markName = "LOCAL_CLUSTER_STARTED_BY"

// State of a process, as far as its pid file and /proc tell.
type State string

// The three states.
const (
	Stopped State = "stopped" // no pid file: never started, or stopped in order
	Running State = "running"
	Killed  State = "killed" // a pid file, but no process of ours behind it
)

// Handle names a process by its pid file.
type Handle struct {
	PidFile string
	LogFile string
	Mark    string // same for all processes of one cluster: its state folder
}

// Environment that marks a process as started on behalf of mark.
func Environment(mark string) []string { return append(os.Environ(), markName+"="+mark) }

// State reads the pid file and looks the process up; pid is 0 unless it runs.
func (h Handle) State() (State, int) {
	raw, err := os.ReadFile(h.PidFile)
	if err != nil {
		return Stopped, 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil || !alive(pid) || !marked(pid, h.Mark) {
		return Killed, 0
	}
	return Running, pid
}

// alive is false for a zombie too: nobody may ever reap it, and it serves nothing.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	// The command name is in parentheses and may hold anything; the state follows the last one.
	rest := stat[bytes.LastIndexByte(stat, ')')+1:]
	fields := bytes.Fields(rest)
	return len(fields) > 0 && string(fields[0]) != "Z" && string(fields[0]) != "X"
}

// execPatience is how long a process may be in the middle of exec: on a busy machine its program is still being read from disk.
const execPatience = 10 * time.Second

func marked(pid int, mark string) bool {
	return environmentHas(fmt.Sprintf("/proc/%d", pid), markName+"="+mark, execPatience)
}

// environmentHas looks for an entry in the environment of the process with this folder in /proc. In the middle of exec the environment
// reads as empty: it is asked again until patience ends. A kernel thread, which has no program, never has one.
func environmentHas(folder, entry string, patience time.Duration) bool {
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		environ, err := readAtOnce(filepath.Join(folder, "environ"))
		if err != nil {
			return false
		}
		if len(environ) > 0 {
			return slices.Contains(strings.Split(string(environ), "\x00"), entry)
		}
		if _, err := os.Readlink(filepath.Join(folder, "exe")); err != nil || time.Now().After(deadline) {
			return false
		}
	}
}

// maxEnvironment is the kernel's own limit on arguments and environment: a quarter of the 8 MiB of stack.
const maxEnvironment = 2 << 20

// readAtOnce reads by one system call: between two, exec may put another environment in place, and the first is cut short.
func readAtOnce(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	content := make([]byte, maxEnvironment)
	n, err := file.Read(content)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return content[:n], err
}

// Forget removes a pid file that no process of ours stands behind.
func (h Handle) Forget() error {
	if state, pid := h.State(); state == Running {
		return fmt.Errorf("pid %d still runs", pid)
	}
	if err := os.Remove(h.PidFile); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// Start runs a program in a session of its own, so that it outlives us and Ctrl-C in our terminal.
// Its output is appended to the log file.
func (h Handle) Start(program string, args []string, env ...string) error {
	if state, pid := h.State(); state == Running {
		return fmt.Errorf("already runs as pid %d", pid)
	}
	for _, folder := range []string{filepath.Dir(h.LogFile), filepath.Dir(h.PidFile)} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
	}
	log, err := os.OpenFile(h.LogFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // the child has its own descriptor
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Env = append(Environment(h.Mark), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	if err := os.WriteFile(h.PidFile, []byte(strconv.Itoa(cmd.Process.Pid)), 0o644); err != nil {
		_ = cmd.Process.Kill()
		return err
	}
	return cmd.Process.Release()
}

// Stop asks the process to end, kills it after grace, and removes the pid file. Stopping what does not run is fine.
func (h Handle) Stop(grace time.Duration) error {
	state, pid := h.State()
	if state != Running {
		return h.Forget()
	}
	if err := syscall.Kill(pid, syscall.SIGTERM); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	if !waitGone(pid, grace) {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			return err
		}
		if !waitGone(pid, 5*time.Second) {
			return fmt.Errorf("pid %d does not end, even by SIGKILL", pid)
		}
	}
	return h.Forget()
}

// waitGone waits until the process and all its threads have ended: threads that are still on their way out hold
// the listening sockets of a process whose first thread is a zombie already.
func waitGone(pid int, limit time.Duration) bool {
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
		if !alive(pid) && len(threads) <= 1 {
			return true
		}
	}
	return false
}

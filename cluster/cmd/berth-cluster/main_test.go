package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhatACommandDoesNotTakeIsRefusedInOneLineBeforeAnythingIsDone(t *testing.T) {
	for line, want := range map[string]string{
		"up --with berth":                            "up takes no --with",
		"up --config my.yaml":                        "up takes no --config",
		"stop prometheus --delete":                   "stop takes no --delete",
		"restart node_exporter --new-day":            "restart node_exporter takes no --new-day",
		"restart node_exporter --usage-seed 0":       "restart node_exporter takes no --usage-seed",
		"restart node_exporter --with berth --json":  "takes no --json",
		"--json down":                                "down takes no --json",
		"restart-scheduler --with stock --delete":    "restart-scheduler takes no --delete",
		"start usage-exporter --new-day":             "start takes no --new-day",
		"status foo bar":                             "cannot make sense of 'status foo bar'",
		"down everything":                            "cannot make sense of 'down everything'",
		"start":                                      "cannot make sense of 'start'",
		"usage-exporter restart --new-day":           "cannot make sense of 'usage-exporter restart'",
		"up --wiht berth":                            "-wiht",
		"restart usage-exporter --usage-seed strong": "-usage-seed",
		"restart-scheduler":                          "there is no scheduler \"\": choose stock or berth",
		"restart-scheduler --with default":           "there is no scheduler \"default\"",
		"":                                           "name a command",
	} {
		t.Run(line, func(t *testing.T) {
			state := filepath.Join(t.TempDir(), "state")
			nothing := t.TempDir() // to start, should it come to that
			err := run(context.Background(), append(strings.Fields(line), "--state", state, "--root", nothing))
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("want %q, got %v", want, err)
			}
			if got := exitCode(err, io.Discard); got != 2 {
				t.Errorf("exit code %d", got)
			}
			if _, err := os.Stat(state); !os.IsNotExist(err) {
				t.Error("the state folder was touched")
			}
		})
	}
}

func TestWhatNoClusterCanDoIsRefusedBeforeAnythingIsDone(t *testing.T) {
	for want, line := range map[string][]string{
		"choose a folder without a space":                  {"up", "--state", filepath.Join(t.TempDir(), "my state")},
		`"etcd" cannot be started or stopped alone: choos`: {"start", "etcd", "--state", filepath.Join(t.TempDir(), "state")},
	} {
		err := run(context.Background(), append(line, "--root", rootWithSettings(t)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
		if got := exitCode(err, io.Discard); got != 2 {
			t.Errorf("%v: exit code %d", line, got)
		}
		state := line[len(line)-1]
		if _, err := os.Stat(state); !os.IsNotExist(err) {
			t.Errorf("%s was touched", state)
		}
	}
}

// rootWithSettings is a repository with the shipped settings and nothing to start.
func rootWithSettings(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	shipped, err := os.ReadFile("../../cluster.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "cluster"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "cluster", "cluster.yaml"), shipped, 0o600); err != nil {
		t.Fatal(err)
	}
	return root
}

func TestAPortBaseInTheEnvironmentThatIsNoneMakesNoSense(t *testing.T) {
	t.Setenv("CLUSTER_PORT_BASE", "many")
	if err := run(context.Background(), []string{"status"}); err == nil || exitCode(err, io.Discard) != 2 {
		t.Errorf("got %v", err)
	}
}

func TestWhatACommandTakesReachesIt(t *testing.T) {
	for _, line := range []string{
		"up", "status", "status --json", "--json status", "down", "down --delete", "start service", "stop service", "restart service",
		"restart usage-exporter", "restart usage-exporter --new-day --usage-seed 7", "restart-scheduler --with berth --config my.yaml",
	} {
		err := run(context.Background(), append(strings.Fields(line), "--settings", "/nowhere.yaml", "--port-base", "19080"))
		if err == nil || !strings.Contains(err.Error(), "/nowhere.yaml") || exitCode(err, io.Discard) != 1 {
			t.Errorf("%s: want the missing settings, got %v", line, err)
		}
	}
}

func TestAnInterruptIsCalledThatAndIsNoSuccess(t *testing.T) {
	var said strings.Builder
	code := exitCode(fmt.Errorf("creating node node-0: %w", context.Canceled), &said)
	if code != 1 || said.String() != "berth-cluster: interrupted: `berth-cluster status` says what runs, `make up` goes on from there\n" {
		t.Errorf("exit code %d, it says %q", code, said.String())
	}
}

func TestAFailureIsSaidOnceAndATableThatSaidWhyIsNot(t *testing.T) {
	var said strings.Builder
	if code := exitCode(errors.New("no"), &said); code != 1 || said.String() != "berth-cluster: no\n" {
		t.Errorf("exit code %d, it says %q", code, said.String())
	}
	said.Reset()
	if code := exitCode(errNotWell, &said); code != 1 || said.String() != "" {
		t.Errorf("exit code %d, it says %q", code, said.String())
	}
	if code := exitCode(nil, &said); code != 0 || said.String() != "" {
		t.Errorf("exit code %d, it says %q", code, said.String())
	}
}

// Command berth-cluster starts, inspects and stops a local Kubernetes cluster with fake nodes.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"

	"berth.dev/cluster/internal/cluster"
	"berth.dev/cluster/internal/settings"
)

const usage = `berth-cluster runs a real Kubernetes control plane with fake nodes on this machine (loopback only).

  berth-cluster up                                  start what does not run; mends a damaged cluster
  berth-cluster status [--json]                     what runs, where, and its log; exit code 1 unless all is well (with --json 0: look at the states)
  berth-cluster start|stop|restart COMPONENT        one of kube-scheduler, prometheus, node_exporter, usage-exporter, service
  berth-cluster restart usage-exporter --new-day    the fake nodes' usage begins at hour zero again; with --usage-seed N another usage
  berth-cluster restart-scheduler --with stock|berth [--config FILE]
  berth-cluster down [--delete]                     stop what was started here; with --delete also remove its data

Exit codes: 0, 1 for what failed, 2 for a command or an option that makes no sense.

--port-base, --root, --settings and --state go with every command, the others with those that they name:
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(exitCode(run(ctx, os.Args[1:]), os.Stderr))
}

// exitCode says what went wrong; as with bin/berth it is 2 where the command line makes no sense.
func exitCode(err error, say io.Writer) int {
	code, message := 1, fmt.Sprint(err)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errNotWell):
		return code
	case errors.Is(err, context.Canceled):
		message = "interrupted: `berth-cluster status` says what runs, `make up` goes on from there"
	case errors.As(err, new(misuse)):
		code = 2
	}
	_, _ = fmt.Fprintln(say, "berth-cluster: "+message)
	return code
}

// errNotWell ends status with exit code 1; the table has said why.
var errNotWell = errors.New("not everything runs")

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("berth-cluster", flag.ContinueOnError)
	settingsFile := flags.String("settings", "", "settings file (default cluster/cluster.yaml of the repository)")
	state := flags.String("state", os.Getenv("CLUSTER_STATE"), "state folder, instead of the one in the settings; also $CLUSTER_STATE")
	port, err := strconv.Atoi(cmp.Or(os.Getenv("CLUSTER_PORT_BASE"), "0"))
	if err != nil {
		return misused("CLUSTER_PORT_BASE is %q: set it to a port such as 19080", os.Getenv("CLUSTER_PORT_BASE"))
	}
	portBase := flags.Int("port-base", port, "first port, instead of the one in the settings; also $CLUSTER_PORT_BASE")
	root := flags.String("root", "", "the repository (default: found from the working directory)")
	asJSON := flags.Bool("json", false, "status: print JSON")
	remove := flags.Bool("delete", false, "down: remove the data too")
	with := flags.String("with", "", "restart-scheduler: stock or berth")
	config := flags.String("config", "", "restart-scheduler: a KubeSchedulerConfiguration instead of the shipped one")
	newDay := flags.Bool("new-day", false, "restart usage-exporter: its clock reads zero now")
	var usageSeed *int64
	flags.Func("usage-seed", "restart usage-exporter: seed of what owners use, instead of the one in the settings", func(text string) error {
		seed, err := strconv.ParseInt(text, 10, 64)
		usageSeed = &seed
		return err
	})
	flags.SetOutput(io.Discard) // a mistake is told in a line, not by all there is to know
	words, err := parse(flags, args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Print(usage)
		flags.SetOutput(os.Stdout)
		flags.PrintDefaults()
		return nil
	}
	if err != nil {
		return err
	}
	if words[0] == "restart-scheduler" {
		if err := cluster.CheckKind(*with); err != nil {
			return misused("%w", err)
		}
	}
	c, err := describe(*settingsFile, *state, *root, *portBase)
	if err != nil {
		return err
	}
	if len(words) == 2 {
		if err := c.CheckComponent(words[1]); err != nil {
			return misused("%w", err)
		}
	}
	if words[0] == "status" {
		return status(ctx, c, *asJSON)
	}
	unlock, err := c.Lock()
	if err != nil {
		return err
	}
	defer unlock()
	switch words[0] {
	case "up":
		return c.Up(ctx)
	case "down":
		return c.Down(*remove)
	case "restart-scheduler":
		return c.RestartScheduler(ctx, *with, *config)
	case "start":
		return c.Start(ctx, words[1])
	case "stop":
		return c.Stop(words[1])
	}
	if err := c.Stop(words[1]); err != nil {
		return err
	}
	if *newDay {
		if err := c.NewDay(); err != nil {
			return err
		}
	}
	if usageSeed != nil {
		if err := c.DrawUsage(*usageSeed); err != nil {
			return err
		}
	}
	return c.Start(ctx, words[1])
}

func describe(file, state, root string, portBase int) (*cluster.Cluster, error) {
	root, err := repository(root)
	if err != nil {
		return nil, err
	}
	if file == "" {
		file = filepath.Join(root, "cluster", "cluster.yaml")
	}
	s, err := settings.Load(file, root)
	if err != nil {
		return nil, err
	}
	if state != "" {
		if s.State, err = filepath.Abs(state); err != nil {
			return nil, err
		}
	}
	if portBase != 0 {
		s.PortBase = portBase
	}
	if err := s.Check(); err != nil {
		return nil, misused("%w", err) // the file's own values have been checked
	}
	return cluster.New(s, root, filepath.Join(root, ".build", "bin"), os.Stdout), nil
}

// repository is the given folder, or the nearest above the working directory, or the one this program was built into.
func repository(given string) (string, error) {
	if given != "" {
		return filepath.Abs(given)
	}
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; folder != "/"; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "cluster", "cluster.yaml")); err == nil {
			return folder, nil
		}
	}
	self, err := os.Executable() // <root>/.build/bin/berth-cluster
	return filepath.Dir(filepath.Dir(filepath.Dir(self))), err
}

func status(ctx context.Context, c *cluster.Cluster, asJSON bool) error {
	s := c.Status(ctx)
	if ctx.Err() != nil { // all seem unhealthy then
		return ctx.Err()
	}
	if asJSON { // for programs, which look at the states: only what cannot be told fails

		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", "  ")
		return encoder.Encode(s)
	}
	for _, line := range s.Components {
		pid := "-"
		if line.Pid != 0 {
			pid = fmt.Sprint(line.Pid)
		}
		fmt.Printf("  %-24s %-10s pid %-8s %-26s %s\n", line.Name, line.State, pid, line.URL, line.Log)
		if line.Detail != "" {
			fmt.Printf("  %-24s %s\n", "", line.Detail)
		}
	}
	fmt.Printf("scheduler: %s   kubeconfig: %s\n", s.Scheduler, s.Kubeconfig)
	for _, remedy := range s.Remedies() {
		fmt.Println(remedy)
	}
	if !s.Running() {
		return errNotWell
	}
	return nil
}

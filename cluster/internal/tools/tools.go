// Package tools builds the programs that the cluster consists of from pinned Go modules, only when missing or changed.
package tools

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Group is a set of programs that one Go module builds in one go.
type Group struct {
	Name     string
	Module   string   // folder of the go.mod, from the repository's root
	Packages []string // main packages; the program is named by the last part of the path
	Program  string   // its name, when a single package should be called otherwise
	Tags     string
	// Version is the module whose version is stamped into component-base's version package, if any.
	Version string
}

// Groups in building order. The Kubernetes programs share the plugin's module: one module, one compilation.
var Groups = []Group{
	{
		Name: "Kubernetes and KWOK", Module: "scheduler-plugin-go", Version: "k8s.io/kubernetes",
		Packages: []string{
			"k8s.io/kubernetes/cmd/kube-apiserver", "k8s.io/kubernetes/cmd/kube-controller-manager",
			"k8s.io/kubernetes/cmd/kube-scheduler", "k8s.io/kubernetes/cmd/kubectl", "k8s.io/kubernetes/cmd/kubeadm",
			"sigs.k8s.io/kwok/cmd/kwok", "sigs.k8s.io/kwok/cmd/kwokctl",
		},
	},
	{Name: "etcd", Module: "cluster/etcd", Packages: []string{"go.etcd.io/etcd/server/v3"}, Program: "etcd"},
	{
		// Every service discovery of Prometheus triples the time and memory of its build; file, http and static ones stay.
		Name: "Prometheus and node_exporter", Module: "cluster/monitoring", Tags: "remove_all_sd",
		Packages: []string{
			"github.com/prometheus/prometheus/cmd/prometheus", "github.com/prometheus/prometheus/cmd/promtool",
			"github.com/prometheus/node_exporter",
		},
	},
}

// Programs are the names of what a group builds.
func (g Group) Programs() []string {
	if g.Program != "" {
		return []string{g.Program}
	}
	var names []string
	for _, p := range g.Packages {
		names = append(names, path.Base(p))
	}
	return names
}

// Environment of every Go build in this repository. Another value of any of these compiles Kubernetes a second time.
func Environment() []string {
	return append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath -buildvcs=false", "GOTOOLCHAIN=local")
}

// Builder builds groups of the repository at Root into Bin.
type Builder struct {
	Root, Bin string
	GoVersion string
	Say       io.Writer
	Terminal  bool
}

// Missing lists the groups whose programs are absent or were built from something else.
func (b Builder) Missing(groups []Group) ([]Group, error) {
	var missing []Group
	for _, g := range groups {
		want, err := b.stamp(g)
		if err != nil {
			return nil, err
		}
		have, err := os.ReadFile(b.stampFile(g))
		absent := slices.ContainsFunc(g.Programs(), func(name string) bool {
			_, err := os.Stat(filepath.Join(b.Bin, name))
			return err != nil
		})
		if err != nil || absent || string(have) != want {
			missing = append(missing, g)
		}
	}
	return missing, nil
}

// Build compiles one group with a progress line and notes what it was built from.
func (b Builder) Build(g Group, title string) error {
	stamp, err := b.stamp(g)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(b.stampFile(g)), 0o755); err != nil {
		return err
	}
	ldflags, err := b.ldflags(g)
	if err != nil {
		return err
	}
	out := b.Bin + string(filepath.Separator)
	if g.Program != "" {
		out = filepath.Join(b.Bin, g.Program)
	}
	args := append([]string{"build", "-v", "-tags=" + g.Tags, "-ldflags=" + ldflags, "-o", out}, g.Packages...)
	progress := &progress{title: title, say: b.Say, terminal: b.Terminal, total: b.stale(g, ldflags)}
	cmd := b.command(g, args...)
	cmd.Stderr = progress
	progress.start()
	err = cmd.Run()
	progress.stop(err)
	if err != nil {
		return fmt.Errorf("building %s failed: %w\n%s", g.Name, err, progress.complaints())
	}
	return os.WriteFile(b.stampFile(g), []byte(stamp), 0o644)
}

// stale counts the packages that must be compiled; 0 when that cannot be told. It also fetches the modules.
func (b Builder) stale(g Group, ldflags string) int {
	args := append([]string{"list", "-deps", "-tags=" + g.Tags, "-ldflags=" + ldflags, "-f", "{{if .Stale}}x{{end}}"}, g.Packages...)
	_, _ = fmt.Fprintf(b.Say, "  %s: fetching modules, counting packages\n", g.Name)
	output, err := b.command(g, args...).Output()
	if err != nil {
		return 0
	}
	return strings.Count(string(output), "x")
}

func (b Builder) command(g Group, args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = filepath.Join(b.Root, g.Module)
	cmd.Env = Environment()
	return cmd
}

// ldflags strips symbols (a third of the size) and stamps the version that kubectl and kube-apiserver report.
func (b Builder) ldflags(g Group) (string, error) {
	if g.Version == "" {
		return "-s -w", nil
	}
	mod, err := os.ReadFile(filepath.Join(b.Root, g.Module, "go.mod"))
	if err != nil {
		return "", err
	}
	found := regexp.MustCompile(`(?m)^\s*(?:require )?` + regexp.QuoteMeta(g.Version) + ` (v(\d+)\.(\d+)\S*)`).FindSubmatch(mod)
	if found == nil {
		return "", errors.New(g.Module + "/go.mod does not require " + g.Version)
	}
	const v = "-X k8s.io/component-base/version."
	return fmt.Sprintf("-s -w %sgitVersion=%s %sgitMajor=%s %sgitMinor=%s", v, found[1], v, found[2], v, found[3]), nil
}

// stamp is a hash of everything that decides what the programs are.
func (b Builder) stamp(g Group) (string, error) {
	ldflags, err := b.ldflags(g)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	_, _ = fmt.Fprintf(hash, "%s\n%s\n%s\n%s\n%s\n", b.GoVersion, g.Tags, ldflags, g.Packages, g.Program)
	for _, file := range []string{"go.mod", "go.sum"} {
		raw, err := os.ReadFile(filepath.Join(b.Root, g.Module, file))
		if err != nil {
			return "", err
		}
		_, _ = hash.Write(raw)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

func (b Builder) stampFile(g Group) string {
	return filepath.Join(filepath.Dir(b.Bin), "stamps", strings.ReplaceAll(g.Name, " ", "-"))
}

package check

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// kind drives its container engine by running `docker`. The test binary, linked under that name, plays the engine: it notes which
// containers kind starts and which files kind writes into them, and refuses every command it does not know. kind is all real.
const fakeDockerDir = "BERTH_FAKE_DOCKER_DIR"

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "docker" {
		if err := fakeDocker(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, "fake docker:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	log.SetLogger(logr.Discard()) // envtest's own
	code := m.Run()
	if shared != nil {
		if err := shared.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "control plane:", err)
			code = 1
		}
	}
	if imageRoot != "" {
		_ = os.RemoveAll(imageRoot)
	}
	os.Exit(code)
}

// container is one `docker run`, in kind's own words.
type container struct {
	Name string
	Args []string
}

// flag returns the values of an argument given as --name value or --name=value.
func (c container) flag(name string) []string {
	var values []string
	for i, arg := range c.Args {
		if arg == "--"+name {
			values = append(values, c.Args[i+1])
		} else if value, ok := strings.CutPrefix(arg, "--"+name+"="); ok {
			values = append(values, value)
		}
	}
	return values
}

func (c container) image() string { return c.Args[len(c.Args)-1] }

// label is the value of a label, empty when it is not set.
func (c container) label(key string) string {
	for _, l := range c.flag("label") {
		if value, ok := strings.CutPrefix(l, key+"="); ok {
			return value
		}
	}
	return ""
}

// version is the tag of the node image, which is what /kind/version holds in the published images.
func (c container) version() string {
	_, tagged, _ := strings.Cut(c.image(), ":")
	tag, _, _ := strings.Cut(tagged, "@")
	return tag
}

func containers(dir string) ([]container, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.container"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	var all []container
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var c container
		if err := json.Unmarshal(raw, &c); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func fakeDocker(args []string) error {
	dir := os.Getenv(fakeDockerDir)
	all, err := containers(dir)
	if err != nil {
		return err
	}
	find := func(name string) (container, error) {
		for _, c := range all {
			if c.Name == name {
				return c, nil
			}
		}
		return container{}, fmt.Errorf("no such container: %s", name)
	}
	line := strings.Join(args, " ")
	last := args[len(args)-1]
	switch {
	case line == "info --format {{json .}}":
		fmt.Println(`{"CgroupDriver":"systemd","CgroupVersion":"2","MemoryLimit":true,"PidsLimit":true,"CPUShares":true}`)
	case line == "info -f {{.Driver}}":
		fmt.Println("overlay2")
	case strings.HasPrefix(line, "info "): // driver status, security options: nothing special
		fmt.Println("[]")
	case args[0] == "ps":
		for _, c := range all {
			fmt.Println(c.Name)
		}
	case strings.HasPrefix(line, "inspect --type=image"): // every image is present
	case strings.HasPrefix(line, "network ls"):
		fmt.Println("0123456789ab")
	case strings.HasPrefix(line, "run --name "):
		raw, err := json.Marshal(container{Name: args[2], Args: args[3:]})
		if err != nil {
			return err
		}
		file := filepath.Join(dir, args[2]+".container")
		if err := os.WriteFile(file+".part", raw, 0o600); err != nil {
			return err
		}
		return os.Rename(file+".part", file) // kind starts its containers all at once: no half-written file may be listed
	case strings.HasPrefix(line, "logs -f "):
		fmt.Println("[  OK  ] Reached target multi-user.target - Multi-User System.")
	case args[0] == "inspect" && strings.Contains(line, "io.x-k8s.kind.role"):
		c, err := find(last)
		if err != nil {
			return err
		}
		fmt.Println(c.label("io.x-k8s.kind.role"))
	case args[0] == "inspect" && strings.Contains(line, "IPAddress"):
		index := slices.IndexFunc(all, func(c container) bool { return c.Name == last })
		fmt.Printf("172.18.0.%d,\n", index+2)
	case args[0] == "exec" && strings.HasSuffix(line, " cat /kind/version"):
		c, err := find(args[2])
		if err != nil {
			return err
		}
		fmt.Println(c.version())
	case args[0] == "exec" && strings.Contains(line, " mkdir -p "):
	case args[0] == "exec" && strings.Contains(line, " cp /dev/stdin "):
		content, err := io.ReadAll(os.Stdin)
		if err != nil {
			return err
		}
		node := args[3] // exec --privileged -i NODE cp /dev/stdin FILE
		return os.WriteFile(filepath.Join(dir, node+strings.ReplaceAll(last, "/", "_")), content, 0o600)
	case args[0] == "rm":
	default:
		return fmt.Errorf("unknown command: %s", line)
	}
	return nil
}

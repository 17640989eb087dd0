package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
)

// Loaded by Docker Compose's own loader: schema, interpolation and references between services.
func TestComposeLoadsAndEveryFileItMountsExists(t *testing.T) {
	options, err := cli.NewProjectOptions([]string{filepath.Join(repository, "compose.yaml")}, cli.WithWorkingDirectory(repository))
	if err != nil {
		t.Fatal(err)
	}
	project, err := options.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, service := range project.Services {
		for _, volume := range service.Volumes {
			if !strings.HasPrefix(volume.Source, repository) {
				continue
			}
			if _, err := os.Stat(volume.Source); err != nil {
				t.Errorf("service %s: %v", name, err)
			}
		}
		for _, volume := range service.Volumes {
			// Docker Desktop, WSL and machines without systemd do not share /: the engine refuses any propagation there.
			if volume.Bind != nil && volume.Bind.Propagation != "" {
				t.Errorf("service %s mounts %s with propagation %s", name, volume.Source, volume.Bind.Propagation)
			}
		}
		for _, port := range service.Ports {
			if port.HostIP != "127.0.0.1" {
				t.Errorf("service %s publishes %s on every interface of the machine", name, port.Published)
			}
		}
	}
}

package perf

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"k8s.io/klog/v2"
)

// serviceCommand runs the service; it is the product's own unless BERTH_SERVICE names another command.
const serviceCommand = "../../bin/berth serve"

var listening = regexp.MustCompile(`listening on (http://\S+) for the scheduler`)

// startService runs a service in a process of its own until ctx ends, with nothing known of any cluster before. It shares the
// cores with the scheduler, the API server and etcd.
func startService(ctx context.Context) (url, tokenFile string, err error) {
	dir, err := os.MkdirTemp("", "berth-perf")
	if err != nil {
		return "", "", err
	}
	words := strings.Fields(serviceCommand)
	if own := os.Getenv("BERTH_SERVICE"); own != "" {
		words = strings.Fields(own)
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return "", "", err
	}
	defer log.Close()
	service := exec.Command(words[0], words[1:]...)
	service.Stdout, service.Stderr = log, log
	service.Env = append(os.Environ(),
		"BERTH_STATE_FOLDER="+dir, "BERTH_SERVER_PORT=0", "BERTH_SERVER_SCHEDULER_PORT=0", "BERTH_PROMETHEUS_URL=")
	if err := service.Start(); err != nil {
		return "", "", err
	}
	ended := make(chan struct{})
	go func() {
		_ = service.Wait()
		close(ended)
	}()
	go func() {
		select {
		case <-ctx.Done():
			_ = service.Process.Signal(syscall.SIGTERM)
			<-ended
		case <-ended:
		}
		klog.InfoS("Service ended", "cpu", service.ProcessState.UserTime()+service.ProcessState.SystemTime())
		_ = os.RemoveAll(dir)
	}()
	for {
		text, err := os.ReadFile(log.Name())
		if err != nil {
			return "", "", err
		}
		if found := listening.FindSubmatch(text); found != nil {
			return string(found[1]), filepath.Join(dir, "token"), nil
		}
		select {
		case <-ended:
			return "", "", fmt.Errorf("%s ended:\n%s", strings.Join(words, " "), text)
		case <-ctx.Done():
			return "", "", ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

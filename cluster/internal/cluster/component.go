package cluster

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"berth.dev/cluster/internal/process"
)

// Component is one process of the cluster.
type Component struct {
	process.Handle

	Name string
	Port int
	// Ports that it listens on besides.
	more []int
	// Path that answers 200 when the component is well.
	healthPath string
	secure     bool
	// program and args are empty for what kwokctl starts (etcd, kube-apiserver, kube-controller-manager, kwok).
	program string
	args    []string
	env     []string
	// onDemand components start by name only; `up` mends them when they were killed.
	onDemand bool
	// logFrom is where in its log the words of this start begin.
	logFrom int64
}

// URL of the component on loopback.
func (c Component) URL() string {
	if c.secure {
		return fmt.Sprintf("https://127.0.0.1:%d", c.Port)
	}
	return fmt.Sprintf("http://127.0.0.1:%d", c.Port)
}

// healthy asks once.
func (c Component) healthy(ctx context.Context, client *http.Client) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URL()+c.healthPath, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	body, _ := io.ReadAll(io.LimitReader(response.Body, 2000))
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s%s answers %s: %s", c.URL(), c.healthPath, response.Status, complaint(string(body)))
	}
	return nil
}

// complaint is one line of what a health page says, without the checks that are well.
func complaint(page string) string {
	const longest = 200
	var lines []string
	for line := range strings.Lines(page) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "[+]") {
			lines = append(lines, line)
		}
	}
	return fmt.Sprintf("%.*s", longest, strings.Join(lines, "; "))
}

// waitHealthy polls until the component is well. When its process ends or patience does, the error shows the log's last lines.
func (c Component) waitHealthy(ctx context.Context, client *http.Client, patience time.Duration) error {
	deadline := time.Now().Add(patience)
	for {
		attempt, cancel := context.WithTimeout(ctx, 2*time.Second)
		err := c.healthy(attempt, client)
		cancel()
		if err == nil {
			return nil
		}
		if state, _ := c.State(); state != process.Running {
			return fmt.Errorf("%s ended while starting\n%s", c.Name, c.logTail())
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s is not healthy after %v: %w\n%s", c.Name, patience, err, c.logTail())
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// beforeStart notes how long the log is that other processes wrote.
func (c *Component) beforeStart() {
	if info, err := os.Stat(c.LogFile); err == nil {
		c.logFrom = info.Size()
	}
}

// logTail is the end of what this start wrote into the log, with its path, for error messages.
func (c Component) logTail() string {
	const keep = 5
	raw, err := os.ReadFile(c.LogFile)
	if err != nil {
		return "its log " + c.LogFile + " cannot be read: " + err.Error()
	}
	if c.logFrom <= int64(len(raw)) { // else the log began anew
		raw = raw[c.logFrom:]
	}
	if len(raw) == 0 {
		return "it wrote nothing into its log " + c.LogFile
	}
	lines := strings.Split(strings.TrimRight(string(raw), "\n"), "\n")
	if len(lines) > keep {
		lines = lines[len(lines)-keep:]
	}
	return "last lines of " + c.LogFile + ":\n  " + strings.Join(lines, "\n  ")
}

// loopbackClient talks to components on this machine. Their serving certificates are their own (self-signed in
// memory), so they are not verified; the client certificate is for kube-apiserver and may be absent.
func loopbackClient(certificate *tls.Certificate) *http.Client {
	config := &tls.Config{InsecureSkipVerify: true} //nolint:gosec // loopback only, see above
	if certificate != nil {
		config.Certificates = []tls.Certificate{*certificate}
	}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: config, Proxy: nil}, Timeout: 10 * time.Second}
}

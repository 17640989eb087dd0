package cluster

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"time"

	"berth.dev/cluster/internal/process"
)

// kwokctlPatience is how long kwokctl may take after an interrupt.
const kwokctlPatience = 30 * time.Second

// startControlPlane lets kwokctl start those of its four components that do not run.
func (c *Cluster) startControlPlane(ctx context.Context) error {
	args := []string{"--name", clusterName, "start", "cluster", "--timeout", "0s"}
	if _, err := os.Stat(c.kwokFolder("kwok.yaml")); errors.Is(err, os.ErrNotExist) {
		config, err := c.render("kwok.yaml")
		if err != nil {
			return err
		}
		if err := os.WriteFile(c.path("kwok.yaml"), config, 0o644); err != nil {
			return err
		}
		args = []string{"--name", clusterName, "create", "cluster", "--config", c.path("kwok.yaml"), "--kubeconfig", c.Kubeconfig()}
	}
	var output bytes.Buffer
	cmd := exec.CommandContext(ctx, c.tool("kwokctl"), args...)
	cmd.Env = append(process.Environment(c.settings.State), "KWOK_WORKDIR="+c.path("kwok"), "KUBECONFIG="+c.Kubeconfig())
	cmd.Stdout, cmd.Stderr = &output, &output
	// Ctrl-C is not for it: a cluster of which it made one half it never completes. It ends within seconds by itself.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel, cmd.WaitDelay = func() error { return nil }, kwokctlPatience
	if err := cmd.Run(); ctx.Err() != nil {
		return ctx.Err()
	} else if err != nil {
		return fmt.Errorf("kwokctl %v failed: %w\n%s", args[2:4], err, output.String())
	}
	return nil
}

// adminClient authenticates as the cluster's administrator with the keys that kwokctl made.
func (c *Cluster) adminClient() (*http.Client, error) {
	pair, err := tls.LoadX509KeyPair(c.kwokFolder("pki", "admin.crt"), c.kwokFolder("pki", "admin.key"))
	if err != nil {
		return nil, fmt.Errorf("the administrator's keys cannot be read (`berth-cluster down --delete` makes new ones at the next start): %w", err)
	}
	return loopbackClient(&pair), nil
}

// prepareControlPlane creates the nodes that do not exist and waits for what pods need before they can be created.
func (c *Cluster) prepareControlPlane(ctx context.Context) error {
	client, err := c.adminClient()
	if err != nil {
		return err
	}
	server, _ := c.component(APIServer)
	created := 0
	for _, node := range nodes(c.settings) {
		body, err := json.Marshal(node)
		if err != nil {
			return err
		}
		switch code, reply, err := call(ctx, client, http.MethodPost, server.URL()+"/api/v1/nodes", body); {
		case err != nil:
			return fmt.Errorf("creating node %s: %w", node.Metadata.Name, err)
		case code == http.StatusCreated:
			created++
		case code == http.StatusConflict: // exists from an earlier start
		default:
			return fmt.Errorf("kube-apiserver refuses node %s: %s", node.Metadata.Name, reply)
		}
	}
	if err := c.awaitServiceAccount(ctx, client, server.URL()); err != nil {
		return err
	}
	if created > 0 {
		c.sayf("  %-24s %d created", "nodes", created)
	}
	return nil
}

// awaitServiceAccount waits for the default one: without it a namespace refuses every pod. The controller manager makes it a
// moment after start.
func (c *Cluster) awaitServiceAccount(ctx context.Context, client *http.Client, server string) error {
	deadline := time.Now().Add(c.patience())
	for {
		code, reply, err := call(ctx, client, http.MethodGet, server+"/api/v1/namespaces/default/serviceaccounts/default", nil)
		if err == nil && code == http.StatusOK {
			return nil
		}
		if time.Now().After(deadline) {
			manager, _ := c.component(ControllerManager)
			return fmt.Errorf("the default ServiceAccount does not appear (%v %s): kube-controller-manager makes it\n%s", err, reply, manager.logTail())
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func call(ctx context.Context, client *http.Client, method, url string, body []byte) (int, string, error) {
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = response.Body.Close() }()
	reply, err := io.ReadAll(io.LimitReader(response.Body, 10_000))
	return response.StatusCode, string(reply), err
}

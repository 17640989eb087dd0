package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// controlPlane is a real etcd and kube-apiserver on loopback, RBAC on, stopped when the test ends.
type controlPlane struct {
	t          *testing.T
	server     string
	kubeconfig string
}

func startControlPlane(t *testing.T) controlPlane {
	t.Helper()
	environment := &envtest.Environment{
		BinaryAssetsDirectory:    filepath.Dir(tool(t, "kube-apiserver")),
		ControlPlaneStartTimeout: 2 * time.Minute,
		ControlPlaneStopTimeout:  time.Minute,
	}
	arguments := environment.ControlPlane.GetAPIServer().Configure()
	arguments.Set("service-cluster-ip-range", "10.96.0.0/16") // kind's
	arguments.Set("allow-privileged", "true")                 // kubeadm's default
	// No controllers run here: nothing would make service accounts for pods or take taints from nodes.
	arguments.Set("disable-admission-plugins", "ServiceAccount", "TaintNodesByCondition")
	if _, err := environment.Start(); err != nil {
		t.Fatalf("control plane: %v", err)
	}
	t.Cleanup(func() {
		if err := environment.Stop(); err != nil {
			t.Error(err)
		}
	})
	admin, err := environment.AddUser(envtest.User{Name: "admin", Groups: []string{"system:masters"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := admin.KubeConfig()
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig := filepath.Join(t.TempDir(), "admin.kubeconfig")
	if err := os.WriteFile(kubeconfig, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return controlPlane{t: t, server: environment.Config.Host, kubeconfig: kubeconfig}
}

// kubectl runs as cluster admin and fails the test when the command fails; it returns standard output and error together.
func (c controlPlane) kubectl(stdin string, args ...string) string {
	c.t.Helper()
	cmd := exec.Command(tool(c.t, "kubectl"), append([]string{"--kubeconfig", c.kubeconfig}, args...)...)
	cmd.Stdin = strings.NewReader(stdin)
	return run(c.t, cmd)
}

// may asks the real authorizer whether a service account has a right.
func (c controlPlane) may(account string, right ...string) bool {
	cmd := exec.Command(tool(c.t, "kubectl"), append([]string{
		"--kubeconfig", c.kubeconfig, "--as", "system:serviceaccount:" + account, "auth", "can-i", "--quiet"}, right...)...)
	return cmd.Run() == nil
}

package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// controlPlane is a real etcd and kube-apiserver on loopback, RBAC on.
type controlPlane struct {
	t           *testing.T
	environment *envtest.Environment
	kubeconfig  string // cluster admin
}

// shared is the control plane of the tests that only apply manifests: each applies what it needs, whatever is there already, and a start
// takes seven seconds. Stopped by TestMain.
var shared *envtest.Environment

func sharedControlPlane(t *testing.T) controlPlane {
	t.Helper()
	if shared == nil {
		shared = startEnvironment(t)
	}
	return newControlPlane(t, shared)
}

// startControlPlane is one of the test's own, stopped when the test ends.
func startControlPlane(t *testing.T) controlPlane {
	t.Helper()
	environment := startEnvironment(t)
	t.Cleanup(func() {
		if err := environment.Stop(); err != nil {
			t.Error(err)
		}
	})
	return newControlPlane(t, environment)
}

func newControlPlane(t *testing.T, environment *envtest.Environment) controlPlane {
	t.Helper()
	cluster := controlPlane{t: t, environment: environment}
	cluster.kubeconfig = cluster.asUser("admin", "system:masters")
	return cluster
}

func startEnvironment(t *testing.T) *envtest.Environment {
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
	return environment
}

// asUser is a kubeconfig with a client certificate for that user and these groups.
func (c controlPlane) asUser(name string, groups ...string) string {
	c.t.Helper()
	user, err := c.environment.AddUser(envtest.User{Name: name, Groups: groups}, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	raw, err := user.KubeConfig()
	if err != nil {
		c.t.Fatal(err)
	}
	return c.write(raw)
}

// token is what a pod of that service account would find in its file system.
func (c controlPlane) token(namespace, account string) string {
	c.t.Helper()
	return strings.TrimSpace(c.kubectl("", "--namespace", namespace, "create", "token", account))
}

// as is a kubeconfig with the rights of a service account.
func (c controlPlane) as(namespace, account string) string {
	c.t.Helper()
	config := api.NewConfig()
	config.Clusters["here"] = &api.Cluster{Server: "https://" + strings.TrimPrefix(c.environment.Config.Host, "https://"),
		CertificateAuthorityData: c.environment.Config.CAData}
	config.AuthInfos["account"] = &api.AuthInfo{Token: c.token(namespace, account)}
	config.Contexts["it"] = &api.Context{Cluster: "here", AuthInfo: "account"}
	config.CurrentContext = "it"
	raw, err := clientcmd.Write(*config)
	if err != nil {
		c.t.Fatal(err)
	}
	return c.write(raw)
}

func (c controlPlane) write(kubeconfig []byte) string {
	path := filepath.Join(c.t.TempDir(), "kubeconfig")
	if err := os.WriteFile(path, kubeconfig, 0o600); err != nil {
		c.t.Fatal(err)
	}
	return path
}

// kubectl runs as cluster admin and fails the test when the command fails; it returns standard output and error together.
func (c controlPlane) kubectl(stdin string, args ...string) string {
	c.t.Helper()
	cmd := exec.Command(tool(c.t, "kubectl"), append([]string{"--kubeconfig", c.kubeconfig}, args...)...)
	cmd.Stdin = strings.NewReader(stdin)
	return run(c.t, cmd)
}

// tries runs kubectl with the rights of a kubeconfig and says whether it was let.
func (c controlPlane) tries(kubeconfig string, args ...string) bool {
	c.t.Helper()
	return exec.Command(tool(c.t, "kubectl"), append([]string{"--kubeconfig", kubeconfig}, args...)...).Run() == nil
}

// may asks the real authorizer whether a service account has a right.
func (c controlPlane) may(account string, right ...string) bool {
	cmd := exec.Command(tool(c.t, "kubectl"), append([]string{
		"--kubeconfig", c.kubeconfig, "--as", "system:serviceaccount:" + account, "auth", "can-i", "--quiet"}, right...)...)
	return cmd.Run() == nil
}

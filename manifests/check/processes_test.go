package check

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
)

// process is a server of ours on loopback, stopped by its own pid when the test ends.
type process struct {
	t    *testing.T
	name string
	log  lockedBuffer
}

// lockedBuffer is written by the process while the test reads it.
type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}

func start(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{t: t, name: filepath.Base(cmd.Path)}
	cmd.Stdout, cmd.Stderr = &p.log, &p.log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			t.Errorf("%s did not stop within 20 s of SIGTERM", p.name)
			_ = cmd.Process.Kill()
		}
		if t.Failed() {
			t.Logf("%s said:\n%s", p.name, p.log.String())
		}
	})
	return p
}

func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

// get returns the body of a page that answers 200, or an error.
func get(client *http.Client, url, token string) (string, error) {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	reply, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err == nil && reply.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", url, reply.Status, body)
	}
	return string(body), err
}

var imageRoot string // set once serviceImage was asked for

// serviceImage is a folder laid out as the Dockerfile lays out the target `service`, with its own Java runtime. Made once for all tests,
// removed by TestMain.
var serviceImage = sync.OnceValues(func() (string, error) {
	root, err := os.MkdirTemp("", "berth-image-")
	if err != nil {
		return "", err
	}
	imageRoot = root
	script := `set -eu
		mkdir -p opt/berth/bin
		cp "$1/service/image/berth" opt/berth/bin/
		cp -r "$1/service/image/target/native" "$1/service/image/target/lib" opt/berth/
		if command -v strip > /dev/null; then strip --strip-unneeded opt/berth/native/*; fi
		"$1/service/image/runtime" opt/java
		PATH=$PWD/opt/java/bin:$PATH BERTH_STATE_FOLDER=$PWD/state BERTH_SERVER_PORT=0 BERTH_SERVER_SCHEDULER_PORT=0 \
			JAVA_OPTS=-XX:ArchiveClassesAtExit=$PWD/opt/berth/classes.jsa "$PWD/opt/berth/bin/berth" serve --check
		rm -r state`
	layOut := exec.Command("sh", "-c", script, "sh", repository)
	layOut.Dir = root
	if out, err := layOut.CombinedOutput(); err != nil {
		return root, fmt.Errorf("laying out the image (run `make check-deploy`, which builds its parts): %w\n%s", err, out)
	}
	return root, nil
})

// berthCommand runs the command line as a container of that image would.
func berthCommand(t *testing.T, arguments ...string) *exec.Cmd {
	t.Helper()
	root, err := serviceImage()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(root, "opt/berth/bin/berth"), arguments...)
	// Neither a home nor a /tmp: a library that unpacks itself at run time would fail here, as it does where /tmp is noexec.
	nowhere := filepath.Join(root, "nowhere")
	cmd.Env = []string{"PATH=" + filepath.Join(root, "opt/java/bin") + ":/usr/bin:/bin", "HOME=" + nowhere,
		"JAVA_OPTS=-Duser.home=" + nowhere + " -Djava.io.tmpdir=" + nowhere}
	return cmd
}

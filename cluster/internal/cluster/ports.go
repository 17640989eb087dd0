package cluster

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// checkPort reports who holds a loopback port, or nil when it is free. The holder gets a few seconds: if it was just
// killed, its last threads may still be on their way out; a kube-apiserver was once seen with its name and its port
// for a moment after it was reaped as dead. One that cannot be named is surely going, and gets longer.
func checkPort(port int) error {
	const namedMayStay, unnamedMayStay = 2 * time.Second, 5 * time.Second
	for start := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			return l.Close()
		}
		who, known := holder(port)
		stays := time.Since(start)
		if (known && stays > namedMayStay) || stays > unnamedMayStay {
			return fmt.Errorf("port %d is taken by %s", port, who)
		}
	}
}

// holder names the process that listens on a port: its socket's inode is in /proc/net/tcp*, and the process
// that has the socket open has a link with that inode in its fd folder.
func holder(port int) (who string, known bool) {
	inode := listeningInode(port)
	if inode == "" {
		return "a connection that is still closing", false
	}
	links, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, link := range links {
		if target, _ := os.Readlink(link); target == "socket:["+inode+"]" {
			pid := strings.Split(link, "/")[2]
			name, _ := os.ReadFile("/proc/" + pid + "/comm")
			return fmt.Sprintf("process %s (%s)", pid, strings.TrimSpace(string(name))), true
		}
	}
	return "a process of another user", false
}

func listeningInode(port int) string {
	const listen = "0A" // the state column of a listening socket
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(table)
		if err != nil {
			continue
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			fields := strings.Fields(lines.Text())
			if len(fields) > 9 && strings.HasSuffix(fields[1], fmt.Sprintf(":%04X", port)) && fields[3] == listen {
				_ = f.Close()
				return fields[9]
			}
		}
		_ = f.Close()
	}
	return ""
}

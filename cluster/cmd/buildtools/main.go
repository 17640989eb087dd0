// Command buildtools builds every program of the local cluster that is missing or whose pins changed.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"berth.dev/cluster/internal/tools"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: buildtools REPOSITORY")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "buildtools: "+err.Error())
		os.Exit(1)
	}
}

func run(root string) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	bin := filepath.Join(root, ".build", "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return err
	}
	lock, err := os.OpenFile(filepath.Join(root, ".build", "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil { // waits for a second make
		return err
	}
	terminal, _ := os.Stdout.Stat()
	b := tools.Builder{
		Root: root, Bin: bin, GoVersion: runtime.Version(), Say: os.Stdout,
		Terminal: terminal != nil && terminal.Mode()&os.ModeCharDevice != 0,
	}
	missing, err := b.Missing(tools.Groups)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		fmt.Printf("building %d of %d groups of programs into .build/bin (all of them from nothing: about ten minutes on two cores)\n",
			len(missing), len(tools.Groups))
	}
	for i, g := range missing {
		title := fmt.Sprintf("[%d/%d] %s (%s)", i+1, len(missing), g.Name, strings.Join(g.Programs(), ", "))
		if err := b.Build(g, title); err != nil {
			return err
		}
	}
	return nil
}

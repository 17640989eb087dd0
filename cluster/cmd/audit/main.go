// Command audit judges govulncheck's findings in all Go modules of this repository by one allow list; audit.sh runs it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"berth.dev/cluster/internal/audit"
)

func main() {
	allow := flag.String("allow", "audit-allow.txt", "the vulnerabilities that are left as they are, and why")
	check := flag.Bool("check", false, "only read the allow list")
	flag.Parse()
	if err := run(*allow, *check, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "audit:", err)
		os.Exit(1)
	}
}

// run reads each of the files, the output of govulncheck -format json of the module MODULE named by MODULE=FILE.
func run(allow string, check bool, scans []string) error {
	list, err := os.Open(allow)
	if err != nil {
		return err
	}
	defer list.Close()
	allowed, err := audit.ReadAllow(filepath.Base(allow), list)
	if err != nil || check {
		return err
	}
	if len(scans) == 0 {
		return errors.New("usage: audit [-allow FILE] MODULE=FILE...")
	}
	var read []audit.Scan
	for _, scan := range scans {
		name, file, ok := strings.Cut(scan, "=")
		if !ok {
			return fmt.Errorf("%q is not MODULE=FILE", scan)
		}
		r, err := os.Open(file)
		if err != nil {
			return err
		}
		s, err := audit.ReadScan(name, r)
		r.Close()
		if err != nil {
			return err
		}
		read = append(read, s)
	}
	if n := audit.Judge(os.Stdout, read, allowed, time.Now()); n > 0 {
		return fmt.Errorf("%d to mend, see above; what cannot be mended here goes into %s with a day and a reason", n, allow)
	}
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// runner compiles mutants and runs tests in the copy.
type runner struct {
	tree      *tree
	overlay   string // classes and resources of the mutant, before all others
	classpath string
	patience  time.Duration
}

func classpath(flag string) (string, error) {
	file, isFile := strings.CutPrefix(flag, "@")
	if !isFile {
		return flag, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("-classpath: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}

// mutant breaks the copy, runs the mutant's test, and mends the copy again.
func (r *runner) mutant(ctx context.Context, m mutant) (outcome result, err error) {
	files, err := m.applied(r.tree.root)
	if err != nil {
		return result{}, err
	}
	var java []string
	resources := map[string]string{}
	for name, text := range files {
		path := filepath.Join(r.tree.root, name)
		original, err := os.ReadFile(path)
		if err != nil {
			return result{}, err
		}
		if err := r.tree.write(name, []byte(text)); err != nil {
			return result{}, err
		}
		defer func() { err = errors.Join(err, r.tree.write(name, original)) }()
		if strings.HasSuffix(name, ".java") {
			java = append(java, path)
		} else if _, resource, is := strings.Cut(name, "/src/main/resources/"); is {
			resources[resource] = text
		}
	}
	if trouble, err := r.compile(ctx, java); trouble != "" || err != nil {
		return result{Trouble: trouble}, err
	}
	if err := r.lay(resources); err != nil {
		return result{}, err
	}
	return r.tests(ctx, []test{m.test})
}

// compile fills the overlay with the classes of the given sources.
func (r *runner) compile(ctx context.Context, sources []string) (trouble string, err error) {
	if err := errors.Join(os.RemoveAll(r.overlay), os.MkdirAll(r.overlay, 0o755)); err != nil || len(sources) == 0 {
		return "", err
	}
	options := []string{"-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-nowarn", "-proc:none", "-Xlint:none", "-d", r.overlay, "-cp", r.classpath}
	out, ended, err := r.command(ctx, r.tree.root, "javac", append(options, sources...)...)
	if err == nil && ended != 0 {
		return "does not compile: " + firstLine(out), nil
	}
	return "", err
}

// lay puts resources where classes of the mutant are.
func (r *runner) lay(resources map[string]string) error {
	for name, text := range resources {
		path := filepath.Join(r.overlay, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			return err
		}
	}
	return nil
}

// tests runs tests of one group.
func (r *runner) tests(ctx context.Context, group []test) (result, error) {
	if group[0].goPackage() {
		return r.goTests(ctx, group)
	}
	return r.junit(ctx, group)
}

var (
	junitCount  = regexp.MustCompile(`\[\s*(\d+) (tests|containers) (successful|failed)\s*]`)
	junitFailed = regexp.MustCompile(`(?m)^\s+JUnit Jupiter:(.*)$`)
)

func (r *runner) junit(ctx context.Context, group []test) (result, error) {
	source := r.tree.java[group[0].unit][0]
	options := []string{
		"-Xmx2g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.awt.headless=true",
		"-Dberth.root=" + r.tree.root,
		"-cp", r.overlay + ":" + r.classpath, "org.junit.platform.console.ConsoleLauncher", "execute",
		"--disable-banner", "--details=summary", "--disable-ansi-colors",
	}
	var classes, methods []string
	all := false // the methods of some class
	for _, one := range group {
		_, path, _ := strings.Cut(r.tree.java[one.unit][0], "/src/test/java/")
		class := "--select-class=" + strings.ReplaceAll(strings.TrimSuffix(path, ".java"), "/", ".")
		if !slices.Contains(classes, class) {
			classes = append(classes, class)
		}
		all = all || one.only == ""
		methods = append(methods, one.only)
	}
	if !all {
		classes = append(classes, `--include-methodname=.*#(`+strings.Join(methods, "|")+`)(\(.*)?`)
	}
	out, ended, err := r.command(ctx, filepath.Join(r.tree.root, module(source)), "java", append(options, classes...)...)
	if err != nil {
		return result{}, err
	}
	var v result
	broken := 0
	for _, count := range junitCount.FindAllStringSubmatch(out, -1) {
		n, _ := strconv.Atoi(count[1])
		switch {
		case count[3] == "failed":
			broken += n
		case count[2] == "tests":
			v.Passed = n
		}
	}
	for _, failed := range junitFailed.FindAllStringSubmatch(out, -1) {
		name := strings.TrimSpace(failed[1])
		v.Failed = append(v.Failed, name[strings.LastIndex(name, ":")+1:])
	}
	v.output = out
	if broken == 0 && v.Passed == 0 || broken == 0 && ended != 0 || broken > 0 && len(v.Failed) == 0 {
		v.Trouble = fmt.Sprintf("no test ran (exit %d): %s", ended, firstLine(out))
	}
	return v, nil
}

var goVerdict = regexp.MustCompile(`(?m)^\s*--- (PASS|FAIL): (\S+)`)

func (r *runner) goTests(ctx context.Context, group []test) (result, error) {
	var names []string
	for _, one := range group {
		if one.only == "" {
			names = []string{"."}
			break
		}
		function, sub, isSub := strings.Cut(one.only, "/")
		name := "^" + function + "$"
		if isSub && len(group) == 1 {
			name += "/" + sub
		}
		names = append(names, name)
	}
	out, ended, err := r.command(ctx, filepath.Join(r.tree.root, group[0].unit), "go", "test", "-count=1", "-vet=off", "-v", "-run", strings.Join(names, "|"), ".")
	if err != nil {
		return result{}, err
	}
	v := result{output: out}
	for _, verdict := range goVerdict.FindAllStringSubmatch(out, -1) {
		if verdict[1] == "FAIL" {
			v.Failed = append(v.Failed, verdict[2])
		} else {
			v.Passed++
		}
	}
	switch {
	case strings.Contains(out, "[build failed]"):
		v.Trouble = "does not compile: " + firstLine(out)
	case ended != 0 && len(v.Failed) == 0 && strings.Contains(out, "\npanic: ") && !strings.Contains(out, "panic: test timed out"):
		v.Failed = []string{"panic"}
	case ended != 0 && len(v.Failed) == 0, v.Passed+len(v.Failed) == 0:
		v.Trouble = fmt.Sprintf("no test ran (exit %d): %s", ended, firstLine(out))
	}
	return v, nil
}

// command returns what was printed and the exit code, -1 for one that did not end in time; an error where it could not
// be run or was interrupted.
func (r *runner) command(ctx context.Context, folder, name string, args ...string) (out string, code int, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.patience)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = folder
	c.Env = append(os.Environ(), "KUBEBUILDER_ASSETS="+filepath.Join(r.tree.root, ".build", "bin"))
	c.WaitDelay = 5 * time.Second
	text, err := c.CombinedOutput()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Sprintf("%s has not ended after %v", name, r.patience), -1, nil
	}
	if ctx.Err() != nil {
		return "", 0, ctx.Err()
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return string(text), exit.ExitCode(), nil
	}
	return string(text), 0, err
}

func firstLine(text string) string {
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "WARNING") {
			return line[:min(len(line), 200)]
		}
	}
	return "(nothing printed)"
}

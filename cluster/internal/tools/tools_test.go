package tools

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// repository is a folder with one Go module of one program that needs nothing from outside.
func repository(t *testing.T) (Builder, Group, *bytes.Buffer) {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"hello/go.mod":  "module example.test/hello\n\ngo 1.26.0\n",
		"hello/go.sum":  "",
		"hello/main.go": "package main\n\nfunc main() { println(\"hello\") }\n",
	} {
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	var said bytes.Buffer
	b := Builder{Root: root, Bin: filepath.Join(root, ".build", "bin"), GoVersion: "go-of-the-test", Say: &said}
	return b, Group{Name: "hello", Module: "hello", Packages: []string{"example.test/hello"}}, &said
}

func missing(t *testing.T, b Builder, g Group) bool {
	t.Helper()
	groups, err := b.Missing([]Group{g})
	if err != nil {
		t.Fatal(err)
	}
	return len(groups) == 1
}

func TestAProgramIsBuiltOnceAndAgainWhenItsPinsOrTheCompilerChange(t *testing.T) {
	b, g, said := repository(t)
	if !missing(t, b, g) {
		t.Error("nothing is built yet, but nothing is missing")
	}
	if err := b.Build(g, "[1/1] hello"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said.String(), "[1/1] hello: done") {
		t.Errorf("progress says %q", said)
	}
	if missing(t, b, g) {
		t.Error("missing right after the build")
	}
	newer := b
	newer.GoVersion = "go-next"
	if !missing(t, newer, g) {
		t.Error("another compiler changes nothing")
	}
	if err := os.WriteFile(filepath.Join(b.Root, "hello", "go.sum"), []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if !missing(t, b, g) {
		t.Error("another go.sum changes nothing")
	}
}

func TestARemovedProgramIsMissing(t *testing.T) {
	b, g, _ := repository(t)
	if err := b.Build(g, "hello"); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(b.Bin, "hello")); err != nil {
		t.Fatal(err)
	}
	if !missing(t, b, g) {
		t.Error("the stamp is believed although the program is gone")
	}
}

func TestABrokenBuildShowsTheCompilersWordsAndStaysMissing(t *testing.T) {
	b, g, _ := repository(t)
	if err := os.WriteFile(filepath.Join(b.Root, "hello", "main.go"), []byte("package main\n\nfunc main() { nonsense() }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.Build(g, "hello"); err == nil || !strings.Contains(err.Error(), "undefined: nonsense") {
		t.Errorf("error is %v", err)
	}
	if !missing(t, b, g) {
		t.Error("a failed build counts as built")
	}
}

func TestTheShippedGroupsNameEveryProgramAndTheirPins(t *testing.T) {
	b := Builder{Root: "../../..", Bin: t.TempDir()}
	for _, g := range Groups {
		if _, err := b.stamp(g); err != nil {
			t.Errorf("%s: %v", g.Name, err)
		}
	}
	flags, err := b.ldflags(Groups[0])
	if err != nil || !strings.Contains(flags, "gitVersion=v1.") {
		t.Errorf("version flags are %q, %v", flags, err)
	}
}

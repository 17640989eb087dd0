package check

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/dockerfile2llb"
)

var version = regexp.MustCompile(`-[0-9][-0-9A-Za-z.]*\.jar$`)

// The image serves and nothing else: a dependency or a package that strays into it must be written into the list, by hand.
func TestTheServiceImageHoldsWhatItsListSays(t *testing.T) {
	root, err := serviceImage()
	if err != nil {
		t.Fatal(err)
	}
	contents := map[string]bool{}
	for _, folder := range []string{"lib", "native"} {
		files, err := os.ReadDir(filepath.Join(root, "opt/berth", folder))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			contents[folder+"/"+version.ReplaceAllString(file.Name(), ".jar")] = true
		}
	}
	jars, err := filepath.Glob(filepath.Join(root, "opt/berth/lib/*.jar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, jar := range jars {
		archive, err := zip.OpenReader(jar)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.File {
			if strings.HasPrefix(file.Name, "dev/berth/") && strings.HasSuffix(file.Name, ".class") {
				rooms := strings.Split(filepath.Dir(file.Name), "/")
				if rooms[2] != "service" { // a library: which rooms it has is its own affair
					rooms = rooms[:3]
				}
				contents[strings.Join(rooms, ".")] = true
			}
		}
		archive.Close()
	}
	list := filepath.Join(repository, "service/image/contents.txt")
	raw, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, line := range strings.Fields(string(raw)) {
		listed[line] = true
	}
	for _, name := range sorted(contents) {
		if !listed[name] {
			t.Errorf("%s is in the image and not in service/image/contents.txt", name)
		}
	}
	for _, name := range sorted(listed) {
		if !contents[name] {
			t.Errorf("%s is in service/image/contents.txt and not in the image", name)
		}
	}
}

// The machine that runs this test may have a library that the image has not (libquadmath was such a one, and no image could learn):
// what lies in the image's folder must be found there.
func TestTheImagesLibrariesFindEachOther(t *testing.T) {
	root, err := serviceImage()
	if err != nil {
		t.Fatal(err)
	}
	native := filepath.Join(root, "opt/berth/native")
	files, err := os.ReadDir(native)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		list := exec.Command("/lib64/ld-linux-x86-64.so.2", "--list", filepath.Join(native, file.Name()))
		list.Env = environmentOfJava(t, root)
		for _, line := range strings.Split(run(t, list), "\n") {
			name, found, needed := strings.Cut(strings.TrimSpace(line), " => ")
			if _, err := os.Stat(filepath.Join(native, name)); needed && err == nil && !strings.HasPrefix(found, native+"/") {
				t.Errorf("%s takes %s from %q, not from beside it", file.Name(), name, found)
			}
		}
	}
	_, image, _, _, err := dockerfile2llb.Dockerfile2LLB(t.Context(), dockerfile(t), options("workbench"))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(image.Config.Env, "LD_LIBRARY_PATH=/opt/berth/native") {
		t.Errorf("target workbench does not name the folder of its libraries in LD_LIBRARY_PATH: %v", image.Config.Env)
	}
}

// environmentOfJava is what the image's launcher gives to java.
func environmentOfJava(t *testing.T, root string) []string {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "java"), []byte("#!/bin/sh\nexec /usr/bin/env\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	launcher := exec.Command(filepath.Join(root, "opt/berth/bin/berth"))
	launcher.Env = []string{"PATH=" + folder + ":/usr/bin:/bin"}
	return strings.Split(strings.TrimSpace(run(t, launcher)), "\n")
}

func sorted(set map[string]bool) []string {
	var names []string
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

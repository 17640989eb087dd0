package check

import (
	"archive/zip"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
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
				contents[strings.ReplaceAll(filepath.Dir(file.Name), "/", ".")] = true
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

func TestTheServiceImageIsSmallerThan150MB(t *testing.T) {
	root, err := serviceImage()
	if err != nil {
		t.Fatal(err)
	}
	total := 24_000_000 // what the Dockerfile takes of Debian: bash, the C library and what they need
	err = filepath.WalkDir(root, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		file, err := entry.Info()
		if err == nil {
			total += int(file.Size())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d MB", total/1_000_000)
	if total > 150_000_000 {
		t.Errorf("the service's image is %d MB, want no more than 150: what has strayed into it?", total/1_000_000)
	}
}

// The archive is used only with the class path, jars and runtime it was made of; without it the service works, but starts later.
func TestTheServiceStartsFromItsArchiveOfClasses(t *testing.T) {
	cmd := berthCommand(t, "--version")
	cmd.Env = append(cmd.Env, "JAVA_OPTS=-Xshare:on -Xlog:class+load")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !regexp.MustCompile(`dev\.berth\.service\.cli\.Berth source: shared objects file \(top\)`).Match(out) {
		t.Errorf("the command line's class is not from the archive:\n%.2000s", out)
	}
}

func sorted(set map[string]bool) []string {
	var names []string
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

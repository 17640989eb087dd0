package scheme

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The generators write into a copy of this module: 9 s of processor time once they are compiled, which go test spends only when a file of
// the module has changed.
func TestTheGeneratedFilesAreWhatTheGeneratorsWrite(t *testing.T) {
	const module = "../../../.."
	again := t.TempDir()
	if err := os.CopyFS(again, os.DirFS(module)); err != nil {
		t.Fatal(err)
	}
	generate := exec.Command("go", "generate", "./pkg/apis/...")
	generate.Dir = again
	if out, err := generate.CombinedOutput(); err != nil {
		t.Fatalf("go generate: %v\n%s", err, out)
	}
	count := 0
	for _, pattern := range []string{"pkg/apis/*/zz_generated.*.go", "pkg/apis/*/*/zz_generated.*.go"} {
		files, err := filepath.Glob(filepath.Join(again, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			name, _ := filepath.Rel(again, file)
			want, _ := os.ReadFile(file)
			got, err := os.ReadFile(filepath.Join(module, name))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("%s (-generated,+in the tree; run 'go generate ./pkg/apis/...'):\n%s", name, diff)
			}
			count++
		}
	}
	if count < 4 {
		t.Errorf("only %d generated files were compared", count)
	}
}

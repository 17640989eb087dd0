package check

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/moby/buildkit/client/llb/sourceresolver"
	"github.com/moby/buildkit/frontend/dockerfile/dockerfile2llb"
	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"github.com/moby/buildkit/frontend/dockerui"
	"github.com/moby/patternmatcher"
	"github.com/moby/patternmatcher/ignorefile"
	"github.com/opencontainers/go-digest"
	ocispecs "github.com/opencontainers/image-spec/specs-go/v1"
)

func dockerfile(t *testing.T) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(repository, "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// baseImages answers for the registry: every base image exists, on this platform, with an empty configuration.
type baseImages struct{}

func (baseImages) ResolveImageConfig(_ context.Context, ref string, _ sourceresolver.Opt) (string, digest.Digest, []byte, error) {
	config, err := json.Marshal(ocispecs.Image{Platform: ocispecs.Platform{OS: "linux", Architecture: "amd64"}})
	return ref, digest.FromBytes(config), config, err
}

func options(target string) dockerfile2llb.ConvertOpt {
	return dockerfile2llb.ConvertOpt{
		Config:         dockerui.Config{Target: target},
		TargetPlatform: &ocispecs.Platform{OS: "linux", Architecture: "amd64"},
		MetaResolver:   baseImages{},
	}
}

func TestBuildKitFindsNothingToWarnOf(t *testing.T) {
	for _, target := range []string{"scheduler", "service", "workbench"} {
		option := options(target)
		option.Warn = func(rule, _, _, message string, at []parser.Range) {
			t.Errorf("target %s, line %d: %s: %s", target, at[0].Start.Line, rule, message)
		}
		if _, _, _, _, err := dockerfile2llb.Dockerfile2LLB(t.Context(), dockerfile(t), option); err != nil {
			t.Errorf("target %s: %v", target, err)
		}
	}
}

func TestEveryTargetConvertsAndRunsAsNonRoot(t *testing.T) {
	for target, entrypoint := range map[string]string{
		"scheduler": "/usr/local/bin/kube-scheduler",
		"service":   "/opt/berth/bin/berth",
		"workbench": "/opt/berth/bin/berth",
	} {
		_, image, _, _, err := dockerfile2llb.Dockerfile2LLB(t.Context(), dockerfile(t), options(target))
		if err != nil {
			t.Fatalf("target %s: %v", target, err)
		}
		if got := image.Config.User; got != "65532:65532" {
			t.Errorf("target %s runs as %q, want 65532:65532", target, got)
		}
		if got := image.Config.Entrypoint; !slices.Equal(got, []string{entrypoint}) {
			t.Errorf("target %s starts %v, want %s", target, got, entrypoint)
		}
	}
}

// Every file that COPY takes from the checkout must be there and must pass .dockerignore, or the build fails after minutes.
func TestEveryCopiedPathIsInTheBuildContext(t *testing.T) {
	ignored, err := os.Open(filepath.Join(repository, ".dockerignore"))
	if err != nil {
		t.Fatal(err)
	}
	defer ignored.Close()
	patterns, err := ignorefile.ReadAll(ignored)
	if err != nil {
		t.Fatal(err)
	}
	matcher, err := patternmatcher.New(patterns)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.Parse(strings.NewReader(string(dockerfile(t))))
	if err != nil {
		t.Fatal(err)
	}
	stages, _, err := instructions.Parse(parsed.AST, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, stage := range stages {
		for _, command := range stage.Commands {
			copied, ok := command.(*instructions.CopyCommand)
			if !ok || copied.From != "" {
				continue
			}
			for _, source := range copied.SourcePaths {
				source = strings.TrimSuffix(source, "/")
				if _, err := os.Stat(filepath.Join(repository, source)); err != nil {
					t.Errorf("line %d: %v", command.Location()[0].Start.Line, err)
				}
				if excluded, err := matcher.MatchesOrParentMatches(source); err != nil || excluded {
					t.Errorf("line %d: COPY %s, but .dockerignore leaves it out (%v)", command.Location()[0].Start.Line, source, err)
				}
			}
		}
	}
}

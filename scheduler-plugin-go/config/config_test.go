// Package config holds the shipped scheduler configuration; its tests load every configuration of the repository the
// way kube-scheduler does.
package config

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/klog/v2"
	"k8s.io/kubernetes/cmd/kube-scheduler/app/options"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/validation"

	"berth.dev/scheduler-plugin/pkg/berth"
)

func shipped(t *testing.T) []string {
	t.Helper()
	files := []string{"scheduler.yaml"}
	err := filepath.WalkDir("../../manifests", func(path string, _ os.DirEntry, err error) error {
		if filepath.Base(path) == "scheduler-config.yaml" {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 3 {
		t.Fatalf("want the sample and those of two overlays, found %v", files)
	}
	return files
}

func TestEveryShippedConfigurationLoadsAsKubeSchedulerLoadsIt(t *testing.T) {
	for _, file := range shipped(t) {
		t.Run(file, func(t *testing.T) {
			cfg, err := options.LoadConfigFromFile(klog.Background(), file)
			if err != nil {
				t.Fatal(err)
			}
			cfg.ClientConnection.Kubeconfig = "/dev/null" // comes from the deployment
			if err := validation.ValidateKubeSchedulerConfiguration(cfg); err != nil {
				t.Error(err)
			}
			if *cfg.PercentageOfNodesToScore != 100 {
				t.Errorf("percentageOfNodesToScore is %d, want 100", *cfg.PercentageOfNodesToScore)
			}
			if cfg.ClientConnection.QPS <= 50 {
				t.Errorf("client QPS is the default %v: it must be set in the file", cfg.ClientConnection.QPS)
			}
			for _, p := range cfg.Profiles {
				checkProfile(t, p)
			}
		})
	}
}

// The seed of this project enabled Score without PreScore, and failed every pod.
func checkProfile(t *testing.T, p config.KubeSchedulerProfile) {
	t.Helper()
	enabled := false
	for _, plugin := range p.Plugins.MultiPoint.Enabled {
		if plugin.Name == berth.Name {
			enabled = true
			if plugin.Weight < 20 {
				t.Errorf("%s: weight %d lets the stock scorers outvote Berth, want at least 20", p.SchedulerName, plugin.Weight)
			}
		}
	}
	if !enabled {
		t.Errorf("%s: Berth is not enabled at every extension point (multiPoint)", p.SchedulerName)
	}
	if len(p.Plugins.Bind.Enabled) == 0 || p.Plugins.Bind.Enabled[0].Name != berth.Name {
		t.Errorf("%s: Berth is not the first Bind plugin: pods that ask for GPUs would stay pending", p.SchedulerName)
	}
	for _, c := range p.PluginConfig {
		if c.Name == berth.Name {
			if _, err := berth.ParseArgs(c.Args); err != nil {
				t.Error(err)
			}
			return
		}
	}
	t.Errorf("%s: no arguments for Berth", p.SchedulerName)
}

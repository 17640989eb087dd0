// berth-scheduler is kube-scheduler with the Berth plugin compiled in.
package main

import (
	"os"

	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"          // --logging-format=json
	_ "k8s.io/component-base/metrics/prometheus/clientgo" // REST client metrics
	_ "k8s.io/component-base/metrics/prometheus/version"  // build_info metric
	"k8s.io/kubernetes/cmd/kube-scheduler/app"

	"berth.dev/scheduler-plugin/pkg/berth"
)

func main() {
	os.Exit(cli.Run(app.NewSchedulerCommand(app.WithPlugin(berth.Name, berth.Factory()))))
}

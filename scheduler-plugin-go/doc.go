// Package schedulerplugin is the root of the Go side: the Berth plugin, the kube-scheduler that contains it, and the
// pins of the Kubernetes programs that the local cluster runs (one module, so that Kubernetes compiles once).
package schedulerplugin

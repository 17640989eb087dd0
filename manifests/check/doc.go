// Package check holds the proofs for everything that is deployed: kind's own loader, kubeadm's own rendering, BuildKit's own
// linter, promtool, and a real API server with the real scheduler under the rights that the manifests grant.
// It is tests only, in a module of its own, so that none of these tools can move a version of the scheduler.
package check

// Package perf measures pods per second of the real scheduler with scheduler_perf, the harness of Kubernetes itself:
// the default profile, a plugin that does nothing, and Berth asking a service over HTTP about every candidate. Run by
// `make bench-scheduler`; `go test ./...` only checks that it compiles. Nothing depends on it.
package perf

// Command differential replays a recorded simulator run through the default profile of the real
// kube-scheduler, in process: the same filters and scorers, fed from the scheduler's own cache. It
// says how often the simulator's model of that profile picked a node the real one ranks first, and
// fails below a threshold. Used by `make differential`; nothing depends on it.
package main

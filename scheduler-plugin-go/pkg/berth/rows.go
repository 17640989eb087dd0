package berth

import (
	fwk "k8s.io/kube-scheduler/framework"
)

// rowTable keeps what a question says of each node until the scheduler's snapshot gives the node another generation, which
// it does whenever the node or a pod on it changes: one pod changes one node of thousands. Rows never move, so questions
// name the same nodes in the same order, and the service need not read the names again.
//
// Written in PreScore only, which is serial; Score, which comes after it in the same cycle, reads.
type rowTable struct {
	index    map[string]int32
	rows     []row
	last     int32    // row of the node looked up last: mostly the one after it comes next
	asked    []uint64 // by row, the last question that the node is a candidate of
	question uint64
}

// row is what a question says of a node.
type row struct {
	name, zone, rack              string
	generation                    int64
	cpuMilli, memoryBytes         int64
	podLimit, podCount            int64
	cpuRequested, memoryRequested int64
}

// rowsKept is how many rows of nodes that have left the cluster are no reason to start anew.
const rowsKept = 1000

func newRowTable() *rowTable { return &rowTable{index: map[string]int32{}, last: -1} }

// full says that more nodes have left the cluster than are in it.
func (t *rowTable) full(nodes int) bool { return len(t.rows) > 2*nodes+rowsKept }

// of returns the index of a node's row, which says what its NodeInfo does.
func (t *rowTable) of(info fwk.NodeInfo, args *Args) int32 {
	name := info.Node().Name
	i, known := t.last+1, true
	if int(i) >= len(t.rows) || t.rows[i].name != name { // comparing a name costs a fifth of looking it up
		i, known = t.index[name]
	}
	if !known {
		i = int32(len(t.rows))
		t.rows, t.asked = append(t.rows, row{name: name}), append(t.asked, 0)
		t.index[name] = i
	}
	t.last = i
	r := &t.rows[i]
	// A NodeInfo that the scheduler's cache did not make has no generation.
	if generation := info.GetGeneration(); !known || generation == 0 || generation != r.generation {
		r.generation = generation
		r.read(info, args)
	}
	return i
}

func (r *row) read(info fwk.NodeInfo, args *Args) {
	node, allocatable, requested := info.Node(), info.GetAllocatable(), info.GetRequested()
	r.cpuMilli, r.memoryBytes = capacity(allocatable.GetMilliCPU()), capacity(allocatable.GetMemory())
	r.podLimit = min(capacity(int64(allocatable.GetAllowedPodNumber())), maxCount)
	r.cpuRequested = within(requested.GetMilliCPU(), r.cpuMilli)
	r.memoryRequested = within(requested.GetMemory(), r.memoryBytes)
	r.podCount = int64(len(info.GetPods()))
	r.zone, r.rack = node.Labels[args.ZoneLabel], node.Labels[args.RackLabel]
}

// candidates calls add for the row of every node, in the order of the rows.
func (t *rowTable) candidates(nodes []fwk.NodeInfo, args *Args, add func(i int32)) {
	t.question++
	for _, info := range nodes {
		i := t.of(info, args)
		t.asked[i] = t.question
	}
	for i, asked := range t.asked {
		if asked == t.question {
			add(int32(i))
		}
	}
}

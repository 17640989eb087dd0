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
	index       map[string]int32
	rows        []row
	generations []int64  // by row, of the node it was read from
	asked       []uint64 // by row, the last question that the node is a candidate of
	question    uint64
	// runs are the rows that the scheduler's runs through the nodes have come to: it filters several stretches of them at a
	// time, and in each the row after the last comes next.
	runs [runsKept]int32
	turn int
	// wire holds the names one after the other as the binary form has them; ends says where each row's ends.
	wire []byte
	ends []int32
}

// row is what a question says of a node.
type row struct {
	name, zone, rack              string
	cpuMilli, memoryBytes         int64
	podLimit, podCount            int64
	cpuRequested, memoryRequested int64
}

// rowsKept is how many rows of nodes that have left the cluster are no reason to start anew.
const rowsKept = 1000

const runsKept = 4

func newRowTable() *rowTable {
	return &rowTable{index: map[string]int32{}, runs: [runsKept]int32{-1, -1, -1, -1}}
}

// full says that more nodes have left the cluster than are in it.
func (t *rowTable) full(nodes int) bool { return len(t.rows) > 2*nodes+rowsKept }

// of returns the index of a node's row, which says what its NodeInfo does. All nodes take their generations from one counter
// (framework/types.go of the pinned release), so one that is known says which node it is, too: of thousands of nodes the one
// or two that have changed are looked at. A NodeInfo that the scheduler's cache did not make has none.
func (t *rowTable) of(info fwk.NodeInfo, args *Args) int32 {
	generation := info.GetGeneration()
	if generation != 0 {
		for run, last := range t.runs {
			if i := last + 1; int(i) < len(t.generations) && t.generations[i] == generation {
				t.runs[run] = i
				return i
			}
		}
	}
	name := info.Node().Name
	i, known := t.index[name]
	if !known {
		i = t.add(name)
	}
	if !known || generation == 0 || generation != t.generations[i] {
		t.generations[i] = generation
		t.rows[i].read(info, args)
	}
	t.came(i)
	return i
}

func (t *rowTable) add(name string) int32 {
	i := int32(len(t.rows))
	t.index[name] = i
	t.rows = append(t.rows, row{name: name})
	t.generations, t.asked = append(t.generations, 0), append(t.asked, 0)
	t.wire = appendText(t.wire, name)
	t.ends = append(t.ends, int32(len(t.wire)))
	return i
}

// came notes that a run through the nodes has come to a row: the one that was before it, or a new one.
func (t *rowTable) came(i int32) {
	for run, last := range t.runs {
		if last+1 == i {
			t.runs[run] = i
			return
		}
	}
	t.runs[t.turn] = i
	t.turn = (t.turn + 1) % runsKept
}

// appendNames writes the names of some rows as the binary form has them, rows that lie together at once.
func (t *rowTable) appendNames(b []byte, rows []int32) []byte {
	for i := 0; i < len(rows); {
		first := rows[i]
		last := first
		for i++; i < len(rows) && rows[i] == last+1; i++ {
			last++
		}
		from := int32(0)
		if first > 0 {
			from = t.ends[first-1]
		}
		b = append(b, t.wire[from:t.ends[last]]...)
	}
	return b
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

// candidates appends the rows of the nodes, in the order of the rows.
func (t *rowTable) candidates(nodes []fwk.NodeInfo, args *Args, rows []int32) []int32 {
	t.question++
	for _, info := range nodes {
		t.asked[t.of(info, args)] = t.question
	}
	for i, asked := range t.asked {
		if asked == t.question {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

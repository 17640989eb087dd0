package berth

import (
	"slices"
	"strconv"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"berth.dev/scheduler-plugin/pkg/apis/config"
	"berth.dev/scheduler-plugin/pkg/appendjson"
)

// columns are the candidates in the order of the question; entry i of every slice is candidate i.
type columns struct {
	rows                          []int32 // in the table of rows
	names                         []string
	wire                          []byte // the names as the binary form has them
	cpuMilli, memoryBytes         []int64
	podLimit                      []int64
	cpuRequested, memoryRequested []int64
	podCount                      []int64
	pendingCPU, pendingMemory     []int64
	pendingPods                   []int64
	zones, racks, gpuModels       []string
	gpuFree                       [][]int
	hasZones, hasRacks, hasGPUs   bool
	pendingBuffer                 []pendingSum
}

// columns reads the candidates from the scheduler's own snapshot, so that the service can restart at any moment
// and the next question still tells it all. The slices are used again for the next pod.
func (b *Berth) columns(pod *v1.Pod, gpu gpuRequest, nodes []fwk.NodeInfo) *columns {
	return b.columnsInto(&b.encoder.columns, pod, gpu, nodes)
}

func (b *Berth) columnsInto(c *columns, pod *v1.Pod, gpu gpuRequest, nodes []fwk.NodeInfo) *columns {
	c.reset()
	b.table(len(nodes))
	if gpu.count > 0 {
		for _, info := range nodes {
			c.rows = append(c.rows, b.rows.of(info, &b.args))
			b.addCards(c, pod, info)
		}
	} else {
		c.rows = b.rows.candidates(nodes, &b.args, c.rows)
	}
	c.read(b.rows)
	c.pendingBuffer = b.pending.sums(c.names, b.clock.Now(), c.pendingBuffer[:0])
	for i, p := range c.pendingBuffer {
		c.pendingCPU[i] = within(p.cpuMilli, c.cpuMilli[i])
		c.pendingMemory[i] = within(p.memoryBytes, c.memoryBytes[i])
		c.pendingPods[i] = int64(p.pods)
	}
	return c
}

// table is the one of rows, begun anew when most of its nodes have left the cluster.
func (b *Berth) table(nodes int) *rowTable {
	if b.rows == nil || b.rows.full(max(nodes, int(b.cluster.Load()))) {
		b.rows = newRowTable()
	}
	return b.rows
}

// addCards is for pods that ask for cards only: what others wrote of their cards is no part of any other question.
func (b *Berth) addCards(c *columns, pod *v1.Pod, info fwk.NodeInfo) {
	cards := b.cards(info, pod.UID, b.nominatedBefore(pod, info.Node().Name))
	c.gpuModels = append(c.gpuModels, cards.model)
	c.gpuFree = append(c.gpuFree, cards.free)
	c.hasGPUs = c.hasGPUs || len(cards.free) > 0
	if cards.overdrawn > 0 {
		gpuOverdrawn.Add(float64(cards.overdrawn))
	}
	if cards.unoffered > 0 {
		gpuUnoffered.Add(float64(cards.unoffered))
	}
}

// capacity is what a node says it has; a quantity beyond an int64 comes out of its conversion as a negative one.
func capacity(allocatable int64) int64 {
	if allocatable < 0 || allocatable > maxAmount {
		valuesClamped.Inc()
		return maxAmount
	}
	return allocatable
}

// within keeps a sum over pods inside what the node has: pods bound past the scheduler, or by a profile without
// NodeResourcesFit, may ask for anything, and some huge requests overflow to a negative sum.
func within(requested, allocatable int64) int64 {
	if requested < 0 || requested > allocatable {
		valuesClamped.Inc()
		return allocatable
	}
	return requested
}

// read fills in what the table says of the rows; what is pending is not in it.
func (c *columns) read(t *rowTable) {
	c.wire = t.appendNames(c.wire, c.rows)
	n := len(c.rows)
	c.names, c.zones, c.racks = sized(c.names, n), sized(c.zones, n), sized(c.racks, n)
	c.cpuMilli, c.memoryBytes, c.podLimit = sized(c.cpuMilli, n), sized(c.memoryBytes, n), sized(c.podLimit, n)
	c.cpuRequested, c.memoryRequested, c.podCount = sized(c.cpuRequested, n), sized(c.memoryRequested, n), sized(c.podCount, n)
	c.pendingCPU, c.pendingMemory, c.pendingPods = sized(c.pendingCPU, n), sized(c.pendingMemory, n), sized(c.pendingPods, n)
	for i, at := range c.rows {
		r := &t.rows[at]
		c.names[i], c.zones[i], c.racks[i] = r.name, r.zone, r.rack
		c.cpuMilli[i], c.memoryBytes[i], c.podLimit[i] = r.cpuMilli, r.memoryBytes, r.podLimit
		c.cpuRequested[i], c.memoryRequested[i], c.podCount[i] = r.cpuRequested, r.memoryRequested, r.podCount
		c.hasZones = c.hasZones || r.zone != ""
		c.hasRacks = c.hasRacks || r.rack != ""
	}
}

// sized returns n elements in the memory of a slice whose own are needed no more; growing one by one cost more than filling.
func sized[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

func (c *columns) reset() {
	*c = columns{
		rows: c.rows[:0], names: c.names, wire: c.wire[:0], cpuMilli: c.cpuMilli, memoryBytes: c.memoryBytes, podLimit: c.podLimit,
		cpuRequested: c.cpuRequested, memoryRequested: c.memoryRequested, podCount: c.podCount,
		pendingCPU: c.pendingCPU, pendingMemory: c.pendingMemory, pendingPods: c.pendingPods,
		zones: c.zones, racks: c.racks, gpuModels: c.gpuModels[:0], gpuFree: c.gpuFree[:0],
		pendingBuffer: c.pendingBuffer[:0],
	}
}

// requestEncoder writes the score request of api/openapi.yaml by hand: reflection over ten columns of 5,000 entries
// would cost more than the rest of the call. Not safe for concurrent use; PreScore is serial.
type requestEncoder struct {
	columns      columns
	buffer, more []byte
	wire         []byte
}

// contractRevision is the revision of api/openapi.yaml that this plugin speaks; first in the question, so that a service that
// is too old for it says just that.
const contractRevision = "2"

// encode returns the question; the bytes are valid until the next call.
// More are fields of their own, each with a comma before it; empty where there are none. Without columns there are no nodes.
func (e *requestEncoder) encode(decision, scheduler string, told config.Mode, p podView, more []byte, c *columns) []byte {
	b := e.buffer[:0]
	b = appendjson.Field(b, `{"contract":`+contractRevision+`,"decision":`, decision)
	b = appendjson.Field(b, `,"scheduler":`, scheduler)
	b = appendjson.Field(b, `,"mode":`, string(told))
	b = appendjson.Field(b, `,"pod":{"uid":`, p.uid)
	b = appendjson.Field(b, `,"name":`, p.name)
	b = appendjson.Field(b, `,"namespace":`, p.namespace)
	b = appendjson.Field(b, `,"owner":`, p.owner)
	b = strconv.AppendInt(append(b, `,"priority":`...), int64(p.priority), 10)
	b = strconv.AppendInt(append(b, `,"cpuMilli":`...), p.cpuMilli, 10)
	b = strconv.AppendInt(append(b, `,"memoryBytes":`...), p.memoryBytes, 10)
	if p.gpu.count > 0 {
		b = strconv.AppendInt(append(b, `,"gpu":{"count":`...), int64(p.gpu.count), 10)
		b = strconv.AppendInt(append(b, `,"milli":`...), int64(p.gpu.milli), 10)
		b = append(appendStrings(b, `,"models":`, p.gpu.models), '}')
	}
	if p.softLatency != "" || p.hardLatency != "" {
		b = append(b, `,"annotations":{`...)
		if p.softLatency != "" {
			b = appendjson.Field(b, `"`+softLatencyAnnotation+`":`, p.softLatency)
		}
		if p.hardLatency != "" {
			separator := ""
			if p.softLatency != "" {
				separator = ","
			}
			b = appendjson.Field(b, separator+`"`+hardLatencyAnnotation+`":`, p.hardLatency)
		}
		b = append(b, '}')
	}
	b = append(append(b, '}'), more...)
	if c == nil {
		e.buffer = append(b, '}')
		return e.buffer
	}
	b = appendStrings(b, `,"nodes":{"names":`, c.names)
	b = appendInts(b, `,"cpuMilli":`, c.cpuMilli)
	b = appendInts(b, `,"memoryBytes":`, c.memoryBytes)
	b = appendInts(b, `,"podLimit":`, c.podLimit)
	b = appendInts(b, `,"cpuRequestedMilli":`, c.cpuRequested)
	b = appendInts(b, `,"memoryRequestedBytes":`, c.memoryRequested)
	b = appendInts(b, `,"podCount":`, c.podCount)
	b = appendInts(b, `,"pendingCpuMilli":`, c.pendingCPU)
	b = appendInts(b, `,"pendingMemoryBytes":`, c.pendingMemory)
	b = appendInts(b, `,"pendingPods":`, c.pendingPods)
	if c.hasZones {
		b = appendStrings(b, `,"zones":`, c.zones)
	}
	if c.hasRacks {
		b = appendStrings(b, `,"racks":`, c.racks)
	}
	if c.hasGPUs {
		b = appendStrings(b, `,"gpuModels":`, c.gpuModels)
		b = append(b, `,"gpuFreeMilli":[`...)
		for i, cards := range c.gpuFree {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, '[')
			for j, free := range cards {
				if j > 0 {
					b = append(b, ',')
				}
				b = strconv.AppendInt(b, int64(free), 10)
			}
			b = append(b, ']')
		}
		b = append(b, ']')
	}
	e.buffer = append(b, "}}"...)
	return e.buffer
}

func appendStrings(b []byte, key string, values []string) []byte {
	b = append(append(b, key...), '[')
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendjson.String(b, v)
	}
	return append(b, ']')
}

func appendInts(b []byte, key string, values []int64) []byte {
	b = append(append(b, key...), '[')
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, v, 10)
	}
	return append(b, ']')
}

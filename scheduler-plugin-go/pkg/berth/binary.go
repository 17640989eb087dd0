package berth

import (
	"encoding/binary"
	"slices"
)

// binaryForm begins a question whose nodes are binary columns; see api/README.md.
const binaryForm = "BQ1\n"

// encodeBinary writes the question that encode wrote without its nodes, and these as columns of numbers as they lie in
// memory: of the time that 5,000 candidates took, writing and reading JSON was a quarter (docs/performance.md). For pods
// that ask for no cards. The bytes are valid until the next call.
func (e *requestEncoder) encodeBinary(head []byte, c *columns) []byte {
	b := append(e.wire[:0], binaryForm...)
	b = append(binary.LittleEndian.AppendUint32(b, uint32(len(head))), head...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(c.names)))
	b = append(binary.LittleEndian.AppendUint32(b, uint32(len(c.wire))), c.wire...)
	for _, column := range [][]int64{
		c.cpuMilli, c.memoryBytes, c.podLimit, c.cpuRequested, c.memoryRequested, c.podCount, c.pendingCPU, c.pendingMemory, c.pendingPods,
	} {
		b = appendNumbers(b, column)
	}
	b = appendLabels(b, c.zones, c.hasZones)
	e.wire = appendLabels(b, c.racks, c.hasRacks)
	return e.wire
}

// appendText takes names and labels of Kubernetes, which are never longer than two bytes can say.
func appendText(b []byte, text string) []byte {
	return append(binary.LittleEndian.AppendUint16(b, uint16(len(text))), text...)
}

// appendNumbers writes a column in as few bytes a number as the largest needs: none where all are the same. No number is
// negative.
func appendNumbers(b []byte, values []int64) []byte {
	bits, differ := int64(0), int64(0) // of all, and between the first and any other
	for _, v := range values {
		bits |= v
		differ |= v ^ values[0]
	}
	switch {
	case differ == 0:
		return binary.LittleEndian.AppendUint64(append(b, 0), uint64(bits))
	case bits < 1<<8:
		b = append(slices.Grow(b, len(values)+1), 1)
		for _, v := range values {
			b = append(b, byte(v))
		}
	case bits < 1<<16:
		b = append(slices.Grow(b, 2*len(values)+1), 2)
		for _, v := range values {
			b = binary.LittleEndian.AppendUint16(b, uint16(v))
		}
	case bits < 1<<32:
		b = append(slices.Grow(b, 4*len(values)+1), 4)
		for _, v := range values {
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		}
	default:
		b = append(slices.Grow(b, 8*len(values)+1), 8)
		for _, v := range values {
			b = binary.LittleEndian.AppendUint64(b, uint64(v))
		}
	}
	return b
}

// appendLabels writes the different labels, then which of them each node has.
func appendLabels(b []byte, values []string, present bool) []byte {
	if !present {
		return binary.LittleEndian.AppendUint32(b, 0)
	}
	start := len(b)
	b = append(b, 0, 0, 0, 0)
	var first []string // of the different ones: a few are compared faster than one is looked up
	known := map[string]int64{}
	index := make([]int64, len(values))
	for i, value := range values {
		at := int64(slices.Index(first, value))
		if at < 0 {
			var there bool
			if at, there = known[value]; !there {
				at = int64(len(known))
				known[value] = at
				b = appendText(b, value)
				if len(first) < labelsCompared {
					first = append(first, value)
				}
			}
		}
		index[i] = at
	}
	binary.LittleEndian.PutUint32(b[start:], uint32(len(known)))
	return appendNumbers(b, index)
}

// labelsCompared is more than a region has zones.
const labelsCompared = 6

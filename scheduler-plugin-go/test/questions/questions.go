// Package questions reads, for services that tests make up, what the plugin asks. It is written from api/README.md and not
// from the plugin, so that the two check each other.
package questions

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

var numbers = []string{"cpuMilli", "memoryBytes", "podLimit", "cpuRequestedMilli", "memoryRequestedBytes", "podCount", "pendingCpuMilli",
	"pendingMemoryBytes", "pendingPods"}

// Read returns a request's message as encoding/json has it, whatever form it came in.
func Read(r *http.Request) (message map[string]any, err error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	return Decode(r.Header.Get("Content-Type"), body)
}

// Decode is Read of a body.
func Decode(form string, body []byte) (message map[string]any, err error) {
	if form != "application/vnd.berth.columns" {
		return message, json.Unmarshal(body, &message)
	}
	defer func() {
		if wrong := recover(); wrong != nil {
			err = fmt.Errorf("the body is shorter than its layout: %v", wrong)
		}
	}()
	in := reader(body)
	if magic := string(in.take(4)); magic != "BQ1\n" {
		return nil, fmt.Errorf("the body begins with %q", magic)
	}
	if err := json.Unmarshal(in.take(in.count(4)), &message); err != nil {
		return nil, err
	}
	n := in.count(4)
	names := reader(in.take(in.count(4)))
	nodes := map[string]any{"names": names.texts(n)}
	for _, column := range numbers {
		nodes[column] = in.numbers(n)
	}
	for _, column := range []string{"zones", "racks"} {
		if labels := in.texts(in.count(4)); len(labels) > 0 {
			of := make([]any, n)
			for i, at := range in.numbers(n) {
				of[i] = labels[int(at.(float64))]
			}
			nodes[column] = of
		}
	}
	if len(in)+len(names) > 0 {
		return nil, fmt.Errorf("%d bytes are left over", len(in)+len(names))
	}
	message["nodes"] = nodes
	return message, nil
}

type reader []byte

func (r *reader) take(n int) []byte {
	taken := (*r)[:n]
	*r = (*r)[n:]
	return taken
}

func (r *reader) count(width int) int {
	var number [8]byte
	copy(number[:], r.take(width))
	return int(binary.LittleEndian.Uint64(number[:]))
}

func (r *reader) texts(n int) []any {
	texts := make([]any, n)
	for i := range texts {
		texts[i] = string(r.take(r.count(2)))
	}
	return texts
}

func (r *reader) numbers(n int) []any {
	width, same := r.count(1), 0
	if width == 0 {
		same = r.count(8)
	}
	column := make([]any, n)
	for i := range column {
		column[i] = float64(same + r.count(width))
	}
	return column
}

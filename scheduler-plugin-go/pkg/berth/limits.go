package berth

import (
	"math"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// What the service takes at most; api/openapi.yaml has the table, and contract_test.go holds the messages against it. A pod
// that asks for more is told as one that asks for as much: no machine has it either way.
var (
	maxCPU    = resource.NewMilliQuantity(1_000_000_000, resource.DecimalSI) // a million cores
	maxMemory = resource.NewQuantity(maxAmount, resource.BinarySI)
)

// The same of a node: an exbibyte, or as many milli-cores; and as many pods as an int holds.
const maxAmount, maxCount = 1 << 60, math.MaxInt32

// Longest texts that are passed on, in bytes: what Kubernetes allows for names of objects and values of labels. An owner is
// a namespace, a kind and a name, far below what the service takes. A pod may name so many models of cards.
const (
	nameLength  = 253
	labelLength = 63
	maxModels   = 16
)

// kubernetesBegan bounds times from below: before it nobody started a pod.
var kubernetesBegan = time.Date(2014, 1, 1, 0, 0, 0, 0, time.UTC)

func atMost(q, most *resource.Quantity) *resource.Quantity {
	if q.Cmp(*most) > 0 {
		return most
	}
	return q
}

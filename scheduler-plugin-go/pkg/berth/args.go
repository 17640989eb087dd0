package berth

import (
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"berth.dev/scheduler-plugin/pkg/apis/config"
	"berth.dev/scheduler-plugin/pkg/apis/config/scheme"
	"berth.dev/scheduler-plugin/pkg/apis/config/validation"
)

// Args are a profile's arguments.
type Args struct {
	config.BerthArgs
	GPU GPUArgs
}

// ParseArgs reads, defaults and checks the arguments.
func ParseArgs(obj runtime.Object) (*Args, error) {
	decoded, err := scheme.Decode(obj)
	if err != nil {
		return nil, fmt.Errorf("plugin %s: args: %w", Name, err)
	}
	if err := validation.BerthArgs(decoded, field.NewPath("args")); err != nil {
		return nil, fmt.Errorf("plugin %s: %w", Name, err)
	}
	return &Args{*decoded, GPUArgs(decoded.GPU)}, nil
}

// sharesWith returns an error unless two profiles can share one connection and one set of tables.
func (a *Args) sharesWith(other *Args) error {
	if reflect.DeepEqual(a.shared(), other.shared()) {
		return nil
	}
	return fmt.Errorf("args differ from those of another profile: profiles may differ in mode, canary, timeout, zoneLabel and " +
		"rackLabel; all else must be the same, for they share one connection, one queue and one breaker")
}

func (a *Args) shared() config.BerthArgs {
	s := a.BerthArgs
	s.TypeMeta, s.Timeout, s.Mode, s.Canary, s.ZoneLabel, s.RackLabel = metav1.TypeMeta{}, metav1.Duration{}, "", config.CanaryArgs{}, "", ""
	return s
}

// Package scheme reads the plugin's arguments: strictly, with defaults, from whatever version they are written in.
package scheme

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"berth.dev/scheduler-plugin/pkg/apis/config"
	"berth.dev/scheduler-plugin/pkg/apis/config/v1alpha1"
)

// kind of the arguments: kube-scheduler asks for the plugin's name and Args.
const kind = "BerthArgs"

// Scheme knows every version of the arguments.
var Scheme = runtime.NewScheme()

// strict refuses unknown and doubled fields: kube-scheduler's own decoder lets them pass for a kind it does not know.
var strict = serializer.NewCodecFactory(Scheme, serializer.EnableStrict)

func init() { AddToScheme(Scheme) }

// AddToScheme adds every version.
func AddToScheme(s *runtime.Scheme) {
	utilruntime.Must(config.AddToScheme(s))
	utilruntime.Must(v1alpha1.AddToScheme(s))
}

// Decode reads what the framework hands over as a plugin's arguments. Without apiVersion and kind it is v1alpha1; nil
// is a configuration without arguments.
func Decode(obj runtime.Object) (*config.BerthArgs, error) {
	raw := []byte("{}")
	switch o := obj.(type) {
	case nil:
	case *config.BerthArgs:
		return o, nil
	case *runtime.Unknown:
		if len(o.Raw) > 0 {
			raw = o.Raw
		}
	default:
		return nil, fmt.Errorf("want args as YAML or JSON of kind %s, got %T", kind, obj)
	}
	gvk := v1alpha1.SchemeGroupVersion.WithKind(kind)
	decoded, found, err := strict.UniversalDecoder().Decode(raw, &gvk, nil)
	if err != nil {
		return nil, fmt.Errorf("%w (scheduler-plugin-go/README.md lists the arguments; text that YAML takes for something else is quoted, mode: \"off\", and a time has its unit, timeout: 20ms)", err)
	}
	args, ok := decoded.(*config.BerthArgs)
	if !ok {
		return nil, fmt.Errorf("want args of kind %s, got %s", kind, found)
	}
	return args, nil
}

package v1alpha1

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"berth.dev/scheduler-plugin/pkg/apis/config"
)

// SchemeGroupVersion is what a configuration names as apiVersion.
var SchemeGroupVersion = schema.GroupVersion{Group: config.GroupName, Version: "v1alpha1"}

var (
	schemeBuilder = runtime.NewSchemeBuilder(
		func(s *runtime.Scheme) error {
			s.AddKnownTypes(SchemeGroupVersion, &BerthArgs{})
			return nil
		},
		RegisterDefaults,
	)
	// localSchemeBuilder is what the generated conversions register with.
	localSchemeBuilder = &schemeBuilder
	// AddToScheme adds the version with its defaults and conversions. A function and not a method value, so that it
	// sees what the generated files' init functions added.
	AddToScheme = func(s *runtime.Scheme) error { return schemeBuilder.AddToScheme(s) }
)

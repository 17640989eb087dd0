package config

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupName is that of every plugin's arguments.
const GroupName = "kubescheduler.config.k8s.io"

var (
	schemeGroupVersion = schema.GroupVersion{Group: GroupName, Version: runtime.APIVersionInternal}
	schemeBuilder      = runtime.NewSchemeBuilder(func(s *runtime.Scheme) error {
		s.AddKnownTypes(schemeGroupVersion, &BerthArgs{})
		return nil
	})
	// AddToScheme adds the internal version.
	AddToScheme = schemeBuilder.AddToScheme
)

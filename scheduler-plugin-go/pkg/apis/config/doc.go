// Package config holds the plugin's arguments as the code uses them (the internal version: every field has a value).
// What users write is v1alpha1; scheme reads it, validation checks it. `go generate ./pkg/apis/...` writes the zz_generated
// files.
//
// +k8s:deepcopy-gen=package
// +groupName=kubescheduler.config.k8s.io
package config

//go:generate go tool deepcopy-gen --go-header-file /dev/null --output-file zz_generated.deepcopy.go . ./v1alpha1
//go:generate go tool defaulter-gen --go-header-file /dev/null --output-file zz_generated.defaults.go ./v1alpha1
//go:generate go tool conversion-gen --go-header-file /dev/null --output-file zz_generated.conversion.go ./v1alpha1

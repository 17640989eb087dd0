// Package v1alpha1 is what users write as the plugin's arguments.
//
// +k8s:deepcopy-gen=package
// +k8s:defaulter-gen=TypeMeta
// +k8s:conversion-gen=berth.dev/scheduler-plugin/pkg/apis/config
// +groupName=kubescheduler.config.k8s.io
package v1alpha1

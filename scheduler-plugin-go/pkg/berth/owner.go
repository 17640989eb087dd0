package berth

import (
	"strconv"
	"strings"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ownerKey names the pod's top controller, namespace/kind/name, so that what was learned of an owner survives its
// rollouts and its runs: a ReplicaSet that a Deployment made is named after the Deployment, a Job that a CronJob made
// after the CronJob. Both are read off the name that the controller gave. Without a controller, pods of one generateName are
// alike (workflow engines make them so); its dash at the end tells it from a pod's name. api/examples/owners.json has the cases.
func ownerKey(pod *v1.Pod) string {
	controller := metav1.GetControllerOf(pod)
	if controller == nil {
		if pod.GenerateName != "" {
			return pod.Namespace + "/Pod/" + bounded(pod.GenerateName, nameLength)
		}
		return pod.Namespace + "/Pod/" + pod.Name
	}
	kind, name := controller.Kind, controller.Name
	switch kind {
	case "ReplicaSet":
		hash := pod.Labels["pod-template-hash"]
		if deployment, found := strings.CutSuffix(name, "-"+hash); hash != "" && found {
			kind, name = "Deployment", deployment
		}
	case "Job":
		if cronJob, found := cutMinute(name); found {
			kind, name = "CronJob", cronJob
		}
	}
	return pod.Namespace + "/" + bounded(kind, labelLength) + "/" + bounded(name, nameLength)
}

// cutMinute cuts the minute of the run, counted since 1970, that the CronJob controller ends a Job's name with (since
// 1.21, that is minute 27 million; it is what tells it from a date such as 20260131).
func cutMinute(job string) (cronJob string, found bool) {
	dash := strings.LastIndexByte(job, '-')
	if dash < 1 || len(job)-dash-1 != 8 {
		return "", false
	}
	minute, err := strconv.ParseUint(job[dash+1:], 10, 32)
	return job[:dash], err == nil && minute >= 27_000_000
}

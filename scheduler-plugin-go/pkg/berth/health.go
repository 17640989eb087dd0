package berth

import (
	"os"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"berth.dev/scheduler-plugin/pkg/client"
)

// noteLength keeps an Event's note below the API's limit of 1024 bytes.
const noteLength = 500

// tellHealth writes one line when calls begin to fail and one when they work again, and the same as an Event on the
// scheduler's own pod, where its deployment says which that is.
func (p *process) tellHealth(logger klog.Logger, h client.Health) {
	if h.Failing {
		logger.Error(h.Err, "Berth's service does not answer as it should: the other plugins decide until it does",
			"reason", client.Reason(h.Err), "url", p.args.URL, "address", h.Address)
		p.event(v1.EventTypeWarning, "BerthServiceFailing", "calls to "+p.args.URL+" ("+h.Address+") fail, the other plugins decide: "+bounded(h.Err.Error(), noteLength))
		return
	}
	logger.Info("Berth's service answers again", "url", p.args.URL, "address", h.Address)
	p.event(v1.EventTypeNormal, "BerthServiceAnswers", p.args.URL+" ("+h.Address+") answers again")
}

// event concerns the scheduler itself. A plugin cannot find its own pod (a static pod on the host's network does not
// even have its name for a host name), so the deployment has to name it by the downward API; without that the log
// line is all there is.
func (p *process) event(kind, reason, note string) {
	name, namespace := os.Getenv("POD_NAME"), os.Getenv("POD_NAMESPACE")
	if name == "" || namespace == "" {
		return
	}
	self := &v1.ObjectReference{APIVersion: "v1", Kind: "Pod", Name: name, Namespace: namespace}
	p.handle.EventRecorder().Eventf(self, nil, kind, reason, "Score", "%s", note)
}

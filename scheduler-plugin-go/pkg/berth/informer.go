package berth

import (
	"context"
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"berth.dev/scheduler-plugin/pkg/outcome"
)

// watchPods reports pods that end, and pods that others bind; and sends full lists when they are wanted.
func (p *process) watchPods(ctx context.Context) error {
	informer := p.handle.SharedInformerFactory().Core().V1().Pods()
	lister := informer.Lister()
	registration, err := informer.Informer().AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(obj any, initial bool) {
			if initial {
				p.podKnown(obj) // the full list of the start tells of it
			} else {
				p.podSeen(obj)
			}
		},
		UpdateFunc: func(_, obj any) { p.podSeen(obj) },
		DeleteFunc: func(obj any) { p.podDeleted(obj) },
	})
	if err != nil {
		return fmt.Errorf("watch pods: %w", err)
	}
	go func() {
		if !cache.WaitForCacheSync(ctx.Done(), registration.HasSynced) {
			return
		}
		if !electionConfigured() {
			p.leads()
		}
		for {
			select {
			case <-ctx.Done():
				return
			case <-p.outcomes.ListWanted():
			}
			if err := p.reportAll(ctx, lister); err != nil && ctx.Err() == nil {
				klog.FromContext(ctx).Error(err, "Berth cannot tell the service of all running pods")
			}
		}
	}()
	return nil
}

// podKnown notes a pod of the informer's first list without reporting it.
func (p *process) podKnown(obj any) {
	if pod, ok := obj.(*v1.Pod); ok && assignedAndAlive(pod) {
		p.pods.assigned(string(pod.UID), pod.Spec.NodeName)
	}
}

func assignedAndAlive(pod *v1.Pod) bool {
	return pod.Spec.NodeName != "" && pod.Status.Phase != v1.PodSucceeded && pod.Status.Phase != v1.PodFailed
}

func (p *process) podSeen(obj any) {
	pod, ok := obj.(*v1.Pod)
	if !ok || pod.Spec.NodeName == "" {
		return
	}
	if !assignedAndAlive(pod) {
		p.podGone(pod)
		return
	}
	if p.pods.assigned(string(pod.UID), pod.Spec.NodeName) {
		p.outcomes.Add(p.assigned(pod))
	}
}

// podDeleted accepts the tombstone that the informer hands over when it missed the deletion itself: the pod as it was when last
// seen, perhaps before it was bound.
func (p *process) podDeleted(obj any) {
	tombstone, missed := obj.(cache.DeletedFinalStateUnknown)
	if missed {
		obj = tombstone.Obj
	}
	if pod, ok := obj.(*v1.Pod); ok && (missed || pod.Spec.NodeName != "") {
		p.podGone(pod)
	}
}

func (p *process) podGone(pod *v1.Pod) {
	p.gpu.release(pod.UID)
	if node := p.pods.remove(string(pod.UID)); node != "" {
		p.pending.remove(string(pod.UID))
		p.outcomes.Add(p.gone(string(pod.UID), node))
	}
}

func (p *process) gone(uid, node string) outcome.Event {
	return outcome.Event{Type: outcome.Gone, At: p.clock.Now().UTC(), Node: node, UID: uid}
}

func (p *process) assigned(pod *v1.Pod) outcome.Event {
	return outcome.Event{
		Type: outcome.Assigned,
		At:   p.scheduledAt(pod),
		Node: pod.Spec.NodeName,
		Pod:  p.describePod(pod).outcome(),
	}
}

// scheduledAt is since when the pod is on its node: a list of old pods must not look like a burst of new ones. Whoever may
// write a pod's status may write times that cannot be, even such that have no form in JSON: these are passed over.
func (p *process) scheduledAt(pod *v1.Pod) time.Time {
	now := p.clock.Now().UTC()
	possible := func(at *metav1.Time) bool { return at != nil && at.After(kubernetesBegan) && at.Time.Before(now) }
	for i := range pod.Status.Conditions {
		c := &pod.Status.Conditions[i]
		if c.Type == v1.PodScheduled && c.Status == v1.ConditionTrue && possible(&c.LastTransitionTime) {
			return c.LastTransitionTime.UTC()
		}
	}
	if possible(pod.Status.StartTime) {
		return pod.Status.StartTime.UTC()
	}
	return now
}

// reportAll sends the full list, waiting for room in the queue: what it does not name the service takes for gone.
// Therefore it begins before it looks, at the reservations first (one that is bound meanwhile is in the informer's
// list), and a pod that appears later is reported on its own, after the begin.
func (p *process) reportAll(ctx context.Context, lister corelisters.PodLister) error {
	list, err := p.outcomes.BeginList(ctx)
	if err != nil {
		return err
	}
	events := p.pods.inFlight()
	reserved := len(events)
	pods, err := lister.List(labels.Everything())
	if err != nil {
		return fmt.Errorf("list pods: %w", err)
	}
	for _, pod := range pods {
		if assignedAndAlive(pod) {
			events = append(events, p.assigned(pod))
		}
	}
	named := 0
	for i, e := range events {
		if p.pods.on(e.Pod.UID) == "" {
			continue
		}
		if err := list.Add(ctx, e); err != nil {
			return err
		}
		named++
		p.catchUp(e, i < reserved)
	}
	logger := klog.FromContext(ctx)
	return list.End(ctx, func() { logger.Info("Berth's service knows all running pods", "pods", named) })
}

// catchUp reports what became of a pod while a list that names it waited for room, again: it may have been reported before.
func (p *process) catchUp(e outcome.Event, reservation bool) {
	for {
		now := p.clock.Now().UTC() // a reservation that comes after the look is a later one
		switch node := p.pods.on(e.Pod.UID); node {
		case e.Node:
			return
		case "":
			end := outcome.Event{Type: outcome.Gone, At: now, Node: e.Node, UID: e.Pod.UID}
			if reservation { // perhaps only taken back, and of a pod that is told as gone the service takes no further word
				end.Type = outcome.Unreserved
			}
			p.outcomes.Add(end)
			return
		default: // tried again elsewhere
			e.Node, e.At = node, now
			p.outcomes.Add(e)
		}
	}
}

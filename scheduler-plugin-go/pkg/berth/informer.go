package berth

import (
	"context"
	"fmt"
	"sync"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"berth.dev/scheduler-plugin/pkg/outcome"
)

// shadowTimeout bounds a question nobody waits for.
const shadowTimeout = time.Second

// watchPods reports pods that end, and pods that others bound; and tells the service of all assigned pods at the
// start and whenever another instance of it answers.
func (b *Berth) watchPods(ctx context.Context) error {
	informer := b.handle.SharedInformerFactory().Core().V1().Pods()
	lister := informer.Lister()
	registration, err := informer.Informer().AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(obj any, initial bool) {
			if initial {
				b.podKnown(obj) // the full list, below, tells of it
			} else {
				b.podSeen(obj)
			}
		},
		UpdateFunc: func(_, obj any) { b.podSeen(obj) },
		DeleteFunc: func(obj any) { b.podDeleted(obj) },
	})
	if err != nil {
		return fmt.Errorf("watch pods: %w", err)
	}
	report := func() {
		if cache.WaitForCacheSync(ctx.Done(), registration.HasSynced) {
			b.reportAll(ctx, lister)
		}
	}
	b.outcomes.OnNewInstance(report)
	go report()
	return nil
}

// podKnown notes a pod of the informer's first list without reporting it.
func (b *Berth) podKnown(obj any) {
	if pod, ok := obj.(*v1.Pod); ok && assignedAndAlive(pod) {
		b.pods.add(string(pod.UID), pod.Spec.NodeName)
	}
}

func assignedAndAlive(pod *v1.Pod) bool {
	return pod.Spec.NodeName != "" && pod.Status.Phase != v1.PodSucceeded && pod.Status.Phase != v1.PodFailed
}

func (b *Berth) podSeen(obj any) {
	pod, ok := obj.(*v1.Pod)
	if !ok || pod.Spec.NodeName == "" {
		return
	}
	if !assignedAndAlive(pod) {
		b.podGone(pod)
		return
	}
	if b.pods.add(string(pod.UID), pod.Spec.NodeName) {
		b.outcomes.Add(b.assigned(pod))
	}
}

// podDeleted accepts the tombstone that the informer hands over when it missed the deletion itself.
func (b *Berth) podDeleted(obj any) {
	if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = tombstone.Obj
	}
	if pod, ok := obj.(*v1.Pod); ok && pod.Spec.NodeName != "" {
		b.podGone(pod)
	}
}

func (b *Berth) podGone(pod *v1.Pod) {
	b.gpu.release(string(pod.UID))
	if b.pods.remove(string(pod.UID)) {
		b.pending.remove(string(pod.UID))
		b.outcomes.Add(outcome.Event{Type: outcome.Gone, At: b.clock.Now().UTC(), Node: pod.Spec.NodeName, UID: string(pod.UID)})
	}
}

func (b *Berth) assigned(pod *v1.Pod) outcome.Event {
	return outcome.Event{
		Type: outcome.Assigned,
		At:   b.scheduledAt(pod),
		Node: pod.Spec.NodeName,
		Pod:  b.describePod(pod).outcome(),
	}
}

// scheduledAt is since when the pod is on its node: a list of old pods must not look like a burst of new ones.
func (b *Berth) scheduledAt(pod *v1.Pod) time.Time {
	for i := range pod.Status.Conditions {
		c := &pod.Status.Conditions[i]
		if c.Type == v1.PodScheduled && c.Status == v1.ConditionTrue && !c.LastTransitionTime.IsZero() {
			return c.LastTransitionTime.UTC()
		}
	}
	if pod.Status.StartTime != nil {
		return pod.Status.StartTime.UTC()
	}
	return b.clock.Now().UTC()
}

// noteInstance makes the queue send the full list when another instance of the service answers.
func (b *Berth) noteInstance(instance string) { b.outcomes.NoteInstance(instance) }

// reportAll may wait for room in the queue: a dropped pod of this list would be unknown to the service for good.
func (b *Berth) reportAll(ctx context.Context, lister corelisters.PodLister) {
	logger := klog.FromContext(ctx)
	pods, err := lister.List(labels.Everything())
	if err != nil {
		logger.Error(err, "Berth cannot list pods for the service")
		return
	}
	var events []outcome.Event
	for _, pod := range pods {
		if assignedAndAlive(pod) {
			events = append(events, b.assigned(pod))
		}
	}
	known := func(e outcome.Event) bool { return b.pods.has(e.Pod.UID) }
	sent := b.outcomes.AddAll(ctx, events, known)
	// A pod that went between the look and the queue has its end reported before its beginning: report it again.
	for _, e := range sent {
		if !known(e) {
			b.outcomes.Add(outcome.Event{Type: outcome.Gone, At: b.clock.Now().UTC(), Node: e.Node, UID: e.Pod.UID})
		}
	}
	logger.Info("Berth told the service of all assigned pods", "pods", len(sent))
}

// reportedPods are the pods that the service was told of, so that each is reported once. Safe for concurrent use.
type reportedPods struct {
	mu   sync.Mutex
	node map[string]string
}

func newReportedPods() *reportedPods { return &reportedPods{node: map[string]string{}} }

// add returns whether the pod was not known on that node.
func (r *reportedPods) add(uid, node string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.node[uid] == node {
		return false
	}
	r.node[uid] = node
	return true
}

func (r *reportedPods) has(uid string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, known := r.node[uid]
	return known
}

// remove returns whether the pod was known.
func (r *reportedPods) remove(uid string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, known := r.node[uid]
	delete(r.node, uid)
	return known
}

// rateLimited lets one log line through per interval: a dead service must not fill the log.
type rateLimited struct {
	every time.Duration
	mu    sync.Mutex
	last  time.Time
}

func (r *rateLimited) allow(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.Sub(r.last) < r.every {
		return false
	}
	r.last = now
	return true
}

package main

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler"
	internalcache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/profile"
)

// defaultProfile is the real scheduler with an empty configuration, its cache fed by hand.
type defaultProfile struct {
	scheduler *scheduler.Scheduler
	framework framework.Framework
	snapshot  *internalcache.Snapshot
	logger    klog.Logger
}

// newDefaultProfile knows a ReplicaSet for every owner, as system default spreading asks for it.
func newDefaultProfile(ctx context.Context, owners []string) (*defaultProfile, error) {
	var objects []runtime.Object
	for _, owner := range owners {
		labels := map[string]string{ownerLabel: owner}
		objects = append(objects, &appsv1.ReplicaSet{
			ObjectMeta: metav1.ObjectMeta{Name: owner, Namespace: "default"},
			Spec:       appsv1.ReplicaSetSpec{Selector: &metav1.LabelSelector{MatchLabels: labels}},
		})
	}
	client := fake.NewClientset(objects...)
	factory := informers.NewSharedInformerFactory(client, 0)
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()})
	sched, err := scheduler.New(ctx, client, factory, nil, profile.NewRecorderFactory(broadcaster))
	if err != nil {
		return nil, fmt.Errorf("start the scheduler: %w", err)
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	f := sched.Profiles[v1.DefaultSchedulerName]
	snapshot, ok := f.SnapshotSharedLister().(*internalcache.Snapshot)
	if !ok {
		return nil, fmt.Errorf("the scheduler's snapshot is a %T now", f.SnapshotSharedLister())
	}
	return &defaultProfile{sched, f, snapshot, klog.FromContext(ctx)}, nil
}

// scores filters and scores one pod against the nodes of the cache.
func (p *defaultProfile) scores(ctx context.Context, pod *v1.Pod) (map[string]int64, error) {
	if err := p.scheduler.Cache.UpdateSnapshot(p.logger, p.snapshot); err != nil {
		return nil, err
	}
	nodes, err := p.snapshot.NodeInfos().List()
	if err != nil {
		return nil, err
	}
	state := framework.NewCycleState()
	if _, status, _ := p.framework.RunPreFilterPlugins(ctx, state, pod); !status.IsSuccess() {
		return nil, fmt.Errorf("PreFilter of %s: %w", pod.Name, status.AsError())
	}
	var feasible []fwk.NodeInfo
	for _, node := range nodes {
		if p.framework.RunFilterPlugins(ctx, state, pod, node).IsSuccess() {
			feasible = append(feasible, node)
		}
	}
	if status := p.framework.RunPreScorePlugins(ctx, state, pod, feasible); !status.IsSuccess() {
		return nil, fmt.Errorf("PreScore of %s: %w", pod.Name, status.AsError())
	}
	ranked, status := p.framework.RunScorePlugins(ctx, state, pod, feasible)
	if !status.IsSuccess() {
		return nil, fmt.Errorf("score of %s: %w", pod.Name, status.AsError())
	}
	out := map[string]int64{}
	for _, node := range ranked {
		out[node.Name] = node.TotalScore
	}
	return out, nil
}

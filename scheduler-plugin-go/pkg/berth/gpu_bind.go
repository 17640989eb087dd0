package berth

import (
	"context"
	"fmt"
	"slices"
	"time"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
)

// askAgain bounds how long a bind whose answer was lost keeps its cards.
const askAgain, askAgainEvery = 30 * time.Second, 250 * time.Millisecond

// Bind binds a pod that was given cards, and names them in the Binding's annotations: the API server merges these into
// the pod in the same write, so that no pod is bound without its cards and no cards are named for a pod that is not
// bound. Other pods are left to the next Bind plugin.
func (b *Berth) Bind(ctx context.Context, _ fwk.CycleState, pod *v1.Pod, node string) *fwk.Status {
	r, ok := b.gpu.of(pod.UID)
	if !ok {
		return fwk.NewStatus(fwk.Skip)
	}
	binding := &v1.Binding{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID, // not another pod of the same name
			Annotations: map[string]string{b.args.GPU.CardsKey: formatCards(r.cards)},
		},
		Target: v1.ObjectReference{Kind: "Node", Name: node},
	}
	if err := b.post(ctx, binding); err != nil && !b.boundAnyway(ctx, binding) {
		return fwk.AsStatus(fmt.Errorf("bind with annotation %s: %w", b.args.GPU.CardsKey, err))
	}
	return nil
}

// post does as the DefaultBinder does.
func (b *Berth) post(ctx context.Context, binding *v1.Binding) error {
	if cacher := b.handle.APICacher(); cacher != nil {
		done, err := cacher.BindPod(binding)
		if err != nil {
			return err
		}
		return cacher.WaitOnFinish(ctx, done)
	}
	return b.handle.ClientSet().CoreV1().Pods(binding.Namespace).Bind(ctx, binding, metav1.CreateOptions{})
}

// boundAnyway asks what became of a bind that failed: its answer may have been lost, and the next pod must not get
// cards that are in use. While the API server does not answer the cards stay taken.
func (b *Berth) boundAnyway(ctx context.Context, binding *v1.Binding) (bound bool) {
	_ = wait.PollUntilContextTimeout(ctx, askAgainEvery, askAgain, true, func(ctx context.Context) (bool, error) {
		pod, err := b.handle.ClientSet().CoreV1().Pods(binding.Namespace).Get(ctx, binding.Name, metav1.GetOptions{})
		if err != nil {
			return apierrors.IsNotFound(err), nil
		}
		bound = pod.UID == binding.UID && pod.Spec.NodeName == binding.Target.Name &&
			pod.Annotations[b.args.GPU.CardsKey] == binding.Annotations[b.args.GPU.CardsKey]
		return true, nil
	})
	return bound
}

// bindsCards says what is wrong with a profile in which another plugin binds first: it would not name the cards. The
// profile is complete only after the plugins were made, so this is asked with the first pod that wants cards.
func (b *Berth) bindsCards() error {
	profile, ok := b.profile.(interface{ ListPlugins() *config.Plugins })
	if !ok {
		return nil
	}
	binders := profile.ListPlugins().Bind.Enabled
	at := func(name string) int {
		return slices.IndexFunc(binders, func(p config.Plugin) bool { return p.Name == name })
	}
	if mine, others := at(Name), at(names.DefaultBinder); mine < 0 || others >= 0 && others < mine {
		return fmt.Errorf("%s must come before %s to write down which GPUs a pod was given: add 'bind: {enabled: [{name: %s}]}' to the profile's plugins",
			Name, names.DefaultBinder, Name)
	}
	return nil
}

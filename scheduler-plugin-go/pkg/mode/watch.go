package mode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/util/wait"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

const (
	// oneRead bounds how long the scheduler's start waits for the API server, without which it schedules nothing anyway.
	oneRead = 5 * time.Second
	// readAgain after a watch that failed where there was no ConfigMap: none of its events tells that it works again.
	readAgain = 2 * time.Second
)

// Change is what a Watch tells of: a mode that came into force, or why one did not.
type Change struct {
	// Mode in force; nil where the arguments of each profile say it.
	Mode *Mode
	// Err says why the ConfigMap does not count; Mode then is what stays.
	Err error
	// By and At are who changed it and when, as `berth mode` wrote it down; empty where somebody wrote past it. The API
	// server's own audit log is the proof.
	By, At string
}

// Watch follows one ConfigMap. Safe for concurrent use.
type Watch struct {
	namespace, name string
	tell            func(Change)
	current         atomic.Pointer[Mode]

	mu      sync.Mutex
	known   bool   // whether what is in force was read, or nothing is there to be read
	there   bool   // whether the ConfigMap was there when it was looked at last
	version string // its resourceVersion
	lastAt  string // its changed-at
	lastErr string // what was told of it, empty where all is well
}

// StartWatch reads the ConfigMap once and follows it until ctx ends. While it cannot be read for want of an answer,
// Berth only watches; where reading it is forbidden the arguments count, as they do where it does not exist.
func StartWatch(ctx context.Context, client kubernetes.Interface, namespace, name string, tell func(Change)) *Watch {
	w := &Watch{namespace: namespace, name: name, tell: tell}
	w.current.Store(OnlyWatch)
	found, err := w.read(ctx, client)
	switch {
	case err == nil:
		w.apply(found)
	case apierrors.IsNotFound(err):
		w.absent()
	default:
		w.failed(err)
	}
	go w.follow(ctx, client)
	return w
}

func (w *Watch) read(ctx context.Context, client kubernetes.Interface) (*v1.ConfigMap, error) {
	bounded, cancel := context.WithTimeout(ctx, oneRead)
	defer cancel()
	return client.CoreV1().ConfigMaps(w.namespace).Get(bounded, w.name, metav1.GetOptions{})
}

// Current mode; nil where the arguments say it.
func (w *Watch) Current() *Mode { return w.current.Load() }

func (w *Watch) follow(ctx context.Context, client kubernetes.Interface) {
	informer := coreinformers.NewFilteredConfigMapInformer(client, w.namespace, 0, cache.Indexers{}, func(o *metav1.ListOptions) {
		o.FieldSelector = fields.OneTermEqualSelector(metav1.ObjectNameField, w.name).String() // all that the Role grants
	})
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    w.apply,
		UpdateFunc: func(_, now any) { w.apply(now) },
		DeleteFunc: func(any) { w.absent() },
	})
	err = errors.Join(err, informer.SetWatchErrorHandlerWithContext(func(_ context.Context, _ *cache.Reflector, err error) { w.failed(err) }))
	if err != nil {
		w.failed(err)
		return
	}
	go informer.RunWithContext(ctx)
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return
	}
	if len(informer.GetStore().ListKeys()) == 0 {
		w.absent()
	}
	wait.UntilWithContext(ctx, func(ctx context.Context) {
		if w.unseen() {
			if _, err := w.read(ctx, client); apierrors.IsNotFound(err) { // one that is there the watch tells of
				w.stillAbsent()
			}
		}
	}, readAgain)
}

// unseen says that reading failed last, and that there was no ConfigMap before.
func (w *Watch) unseen() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.there && w.lastErr != ""
}

// apply takes in what the ConfigMap says; what makes no sense changes nothing.
func (w *Watch) apply(object any) {
	found, ok := object.(*v1.ConfigMap)
	if !ok || found.Name != w.name { // a fake API server knows no field selector
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	m, err := Parse(found.Data)
	problem := ""
	if err != nil {
		err = fmt.Errorf("ConfigMap %s/%s: %w", w.namespace, w.name, err)
		problem = err.Error()
	}
	if w.there && found.ResourceVersion == w.version && problem == w.lastErr {
		return // listed again
	}
	by, at := found.Data[keyBy], found.Data[keyAt]
	if w.there && at == w.lastAt && found.ResourceVersion != w.version {
		by, at = "", "" // left over from the change before
	}
	w.there, w.version, w.lastAt, w.lastErr = true, found.ResourceVersion, found.Data[keyAt], problem
	if err == nil {
		w.known = true
		w.current.Store(m)
	}
	w.tell(Change{Mode: w.current.Load(), Err: err, By: by, At: at})
}

func (w *Watch) absent() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.takeAway()
}

// stillAbsent leaves alone what the watch told of meanwhile.
func (w *Watch) stillAbsent() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.there {
		w.takeAway()
	}
}

// takeAway goes by the arguments. The caller holds mu.
func (w *Watch) takeAway() {
	if w.known && !w.there && w.lastErr == "" {
		return
	}
	news := w.there || w.lastErr != "" // that there never was one is none
	w.known, w.there, w.version, w.lastAt, w.lastErr = true, false, "", "", ""
	w.current.Store(nil)
	if news {
		w.tell(Change{})
	}
}

// failed tells, once, of a read or watch that does not work. What is known stays in force. Who may not read the ConfigMap
// has an installation from before there was one: then the arguments count.
func (w *Watch) failed(err error) {
	if apierrors.IsResourceExpired(err) || apierrors.IsGone(err) || errors.Is(err, io.EOF) {
		return // how watches end; another begins
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	problem := fmt.Errorf("cannot read ConfigMap %s/%s: %w", w.namespace, w.name, err)
	if apierrors.IsForbidden(err) {
		problem = fmt.Errorf("may not read ConfigMap %s/%s, berth mode changes nothing here: apply manifests/base/mode.yaml, whose Role lets schedulers read it: %w", w.namespace, w.name, err)
		if !w.known {
			w.current.Store(nil)
		}
	}
	if problem.Error() == w.lastErr {
		return
	}
	w.lastErr = problem.Error()
	w.tell(Change{Mode: w.current.Load(), Err: problem})
}

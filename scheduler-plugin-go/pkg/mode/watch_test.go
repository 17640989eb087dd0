package mode

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"berth.dev/scheduler-plugin/pkg/apis/config"
)

func configMap(version string, data ...string) *v1.ConfigMap {
	m := &v1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "berth-system", Name: "berth-mode", ResourceVersion: version}, Data: map[string]string{}}
	for i := 0; i < len(data); i += 2 {
		m.Data[data[i]] = data[i+1]
	}
	return m
}

// watch starts a Watch and hands over what it tells.
func watch(t *testing.T, client *fake.Clientset) (*Watch, chan Change) {
	t.Helper()
	told := make(chan Change, 100)
	return StartWatch(t.Context(), client, "berth-system", "berth-mode", func(c Change) { told <- c }), told
}

func next(t *testing.T, told chan Change) Change {
	t.Helper()
	select {
	case c := <-told:
		return c
	case <-time.After(10 * time.Second):
		t.Fatal("nothing was told within 10 s")
		return Change{}
	}
}

func kind(w *Watch) config.Mode {
	if m := w.Current(); m != nil {
		return m.Kind
	}
	return "args"
}

func TestTheModeOfTheConfigMapCountsFromTheStartAndWhenItChanges(t *testing.T) {
	client := fake.NewClientset(configMap("1", "mode", "off", "changed-by", "alice", "changed-at", "t1"))
	w, told := watch(t, client)
	if kind(w) != config.ModeOff {
		t.Fatalf("right after the start the mode is %s: a restarted scheduler would act", kind(w))
	}
	if c := next(t, told); c.By != "alice" || c.At != "t1" || c.Err != nil {
		t.Errorf("told %+v", c)
	}
	maps := client.CoreV1().ConfigMaps("berth-system")
	change := func(m *v1.ConfigMap) Change {
		if _, err := maps.Update(t.Context(), m, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		return next(t, told)
	}
	if c := change(configMap("2", "mode", "canary", "percent", "5", "changed-by", "bob", "changed-at", "t2")); c.By != "bob" || kind(w) != config.ModeCanary {
		t.Errorf("mode %s, told %+v", kind(w), c)
	}
	if c := change(configMap("3", "mode", "active", "changed-by", "bob", "changed-at", "t2")); c.By != "" || kind(w) != config.ModeActive {
		t.Errorf("a change past berth mode is laid at %q's door", c.By)
	}
	if err := maps.Delete(t.Context(), "berth-mode", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if next(t, told); kind(w) != "args" {
		t.Errorf("without the ConfigMap the mode is %s, want that of the arguments", kind(w))
	}
}

func TestNonsenseChangesNothingAndIsToldOnce(t *testing.T) {
	client := fake.NewClientset(configMap("1", "mode", "canary", "percent", "5"))
	w, told := watch(t, client)
	next(t, told)
	if _, err := client.CoreV1().ConfigMaps("berth-system").Update(t.Context(), configMap("2", "mode", "fast"), metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	c := next(t, told)
	if c.Err == nil || !strings.Contains(c.Err.Error(), `berth-system/berth-mode: mode is "fast"`) || c.Mode.Kind != config.ModeCanary {
		t.Errorf("told %+v", c)
	}
	if kind(w) != config.ModeCanary {
		t.Errorf("the last good mode was canary, now it is %s", kind(w))
	}
	w.apply(configMap("2", "mode", "fast")) // listed again
	if _, err := client.CoreV1().ConfigMaps("berth-system").Update(t.Context(), configMap("3", "mode", "off"), metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if c := next(t, told); c.Err != nil || kind(w) != config.ModeOff {
		t.Errorf("after the mend: mode %s, told %+v", kind(w), c)
	}
}

func TestNonsenseAtTheStartOnlyWatches(t *testing.T) {
	w, _ := watch(t, fake.NewClientset(configMap("1", "mode", "offf")))
	if kind(w) != config.ModeShadow {
		t.Errorf("the mode is %s: somebody wanted something, and acting is not what they may have wanted", kind(w))
	}
}

// failing answers reads with an error until it is mended.
func failing(client *fake.Clientset, err error) (mend func()) {
	broken := make(chan struct{})
	fail := func(clienttesting.Action) (bool, runtime.Object, error) {
		select {
		case <-broken:
			return false, nil, nil
		default:
			return true, nil, err
		}
	}
	client.PrependReactor("get", "configmaps", fail)
	client.PrependReactor("list", "configmaps", fail)
	return func() { close(broken) }
}

func TestAnInstallationWithoutTheRightToReadTheModeGoesByItsArguments(t *testing.T) {
	client := fake.NewClientset(configMap("1", "mode", "off"))
	mend := failing(client, apierrors.NewForbidden(schema.GroupResource{Resource: "configmaps"}, "berth-mode", errors.New("no")))
	w, told := watch(t, client)
	if c := next(t, told); kind(w) != "args" || c.Err == nil || !strings.Contains(c.Err.Error(), "manifests/base/mode.yaml") {
		t.Errorf("mode %s, told %+v", kind(w), c)
	}
	mend()
	if c := next(t, told); c.Err != nil || kind(w) != config.ModeOff {
		t.Errorf("once it may: mode %s, told %+v", kind(w), c)
	}
}

func TestWhileNobodyAnswersBerthOnlyWatches(t *testing.T) {
	client := fake.NewClientset()
	mend := failing(client, apierrors.NewServiceUnavailable("starting"))
	w, told := watch(t, client)
	if c := next(t, told); kind(w) != config.ModeShadow || c.Err == nil {
		t.Errorf("mode %s, told %+v", kind(w), c)
	}
	mend()
	if c := next(t, told); c.Err != nil || kind(w) != "args" {
		t.Errorf("once it is known that there is none: mode %s, told %+v", kind(w), c)
	}
}

func TestAnAPIServerThatGoesAwayTakesNoModeWithIt(t *testing.T) {
	w, told := watch(t, fake.NewClientset(configMap("1", "mode", "canary", "percent", "5")))
	next(t, told)
	w.failed(context.DeadlineExceeded)
	if c := next(t, told); c.Err == nil || kind(w) != config.ModeCanary {
		t.Errorf("mode %s, told %+v", kind(w), c)
	}
	w.apply(configMap("1", "mode", "canary", "percent", "5"))
	if c := next(t, told); c.Err != nil {
		t.Errorf("back again: told %+v", c)
	}
}

// No event of a watch tells of a ConfigMap that is not there: the alert would go on for ever.
func TestWithoutAConfigMapAnAPIServerThatCameBackIsToldOfToo(t *testing.T) {
	w, told := watch(t, fake.NewClientset())
	for range 2 { // the first may end with the watch's own first look
		w.failed(apierrors.NewServiceUnavailable("restarting"))
		if c := next(t, told); c.Err == nil || kind(w) != "args" {
			t.Errorf("mode %s, told %+v", kind(w), c)
		}
		if c := next(t, told); c.Err != nil || kind(w) != "args" {
			t.Errorf("back again: mode %s, told %+v", kind(w), c)
		}
	}
}

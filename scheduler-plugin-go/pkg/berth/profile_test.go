package berth

import (
	"context"
	"strings"
	"sync"
	"testing"

	"k8s.io/component-base/metrics/testutil"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// profileHandle is of a profile whose plugins a test names.
type profileHandle struct {
	*fakeHandle
	plugins *config.Plugins
}

func (h *profileHandle) ListPlugins() *config.Plugins { return h.plugins }

func wholeProfile(weight int32) *config.Plugins {
	mine := config.PluginSet{Enabled: []config.Plugin{{Name: Name, Weight: weight}}}
	score := config.PluginSet{Enabled: append([]config.Plugin{{Name: "NodeResourcesFit", Weight: 1}, {Name: "TaintToleration", Weight: 3}}, mine.Enabled...)}
	return &config.Plugins{PreScore: mine, Score: score, Reserve: mine, PostBind: mine}
}

func TestWhatKeepsAProfileFromFollowingTheScoresIsNamed(t *testing.T) {
	cases := map[string]struct {
		spoil func(*config.Plugins)
		want  map[string]string
	}{
		"all is well":             {func(*config.Plugins) {}, nil},
		"Score without PreScore":  {func(p *config.Plugins) { p.PreScore.Enabled = nil }, map[string]string{"preScore": "at preScore"}},
		"nothing is learned":      {func(p *config.Plugins) { p.PostBind.Enabled = nil }, map[string]string{"postBind": "at postBind"}},
		"as heavy as the others":  {func(p *config.Plugins) { p.Score.Enabled[2].Weight = 4 }, map[string]string{"weight": "weight 4, the other score plugins have 4"}},
		"without a score at all":  {func(p *config.Plugins) { p.Score.Enabled = nil }, map[string]string{"score": "at score", "weight": "weight 0"}},
		"reservations are missed": {func(p *config.Plugins) { p.Reserve.Enabled = p.Score.Enabled[:2] }, map[string]string{"reserve": "at reserve"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			plugins := wholeProfile(20)
			tc.spoil(plugins)
			for problem, said := range profileProblems(plugins) {
				if want, wrong := tc.want[problem]; wrong != (said != "") || !strings.Contains(said, want) {
					t.Errorf("%s is told as %q, want %q in it", problem, said, want)
				}
			}
		})
	}
}

func TestTheWeightThatIsAdvisedIsNotOutvoted(t *testing.T) {
	b := newPlugin(t, "http://127.0.0.1:1", "")
	t.Setenv("POD_NAME", "scheduler")
	t.Setenv("POD_NAMESPACE", "berth-system")
	handle := b.handle.(*fakeHandle)
	for others, advised := range map[int32]string{12: "weight: 20}", 30: "weight: 50}"} {
		profile := wholeProfile(10)
		profile.Score.Enabled[0].Weight = others - 3
		b.profile, b.profileChecked = &profileHandle{handle, profile}, sync.Once{}
		b.checkProfile()
		if said := <-handle.events.Events; !strings.Contains(said, advised) {
			t.Errorf("beside %d the advice is %s, want %s", others, said, advised)
		}
	}
}

func TestTheFirstPodShowsWhetherTheProfileFollowsTheScores(t *testing.T) {
	service := newFakeService(t, scores(1, 2))
	b := newPlugin(t, service.URL, "")
	t.Cleanup(func() { _ = b.Close() })
	b.profile = &profileHandle{newFakeHandle(), wholeProfile(3)}
	b.PreScore(context.Background(), framework.NewCycleState(), testPod("a"), testNodes("n1", "n2"))
	for problem, want := range map[string]float64{badWeight: 1, "preScore": 0} {
		got, err := testutil.GetGaugeMetricValue(profileProblem.WithLabelValues("default-scheduler", problem))
		if err != nil || got != want {
			t.Errorf("%s is %v (%v), want %v", problem, got, err, want)
		}
	}
}

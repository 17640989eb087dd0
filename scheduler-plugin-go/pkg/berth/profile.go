package berth

import (
	"fmt"
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
)

// badWeight is the problem of a profile whose other score plugins outvote Berth; the others are named by the extension point
// that Berth is missing at.
const badWeight = "weight"

// profileProblems says what in a profile keeps it from following Berth's scores, by name; empty where all is well.
func profileProblems(plugins *config.Plugins) map[string]string {
	problems := map[string]string{"preScore": "", "score": "", "reserve": "", "postBind": "", badWeight: ""}
	for point, set := range map[string]config.PluginSet{"preScore": plugins.PreScore, "score": plugins.Score, "reserve": plugins.Reserve, "postBind": plugins.PostBind} {
		if !slices.ContainsFunc(set.Enabled, func(p config.Plugin) bool { return p.Name == Name }) {
			problems[point] = "it does not enable Berth at " + point
		}
	}
	if mine, others := weights(plugins); mine <= others {
		problems[badWeight] = fmt.Sprintf("Berth has weight %d, the other score plugins have %d together and outvote it", mine, others)
	}
	return problems
}

func weights(plugins *config.Plugins) (mine, others int32) {
	for _, p := range plugins.Score.Enabled {
		if p.Name == Name {
			mine += p.Weight
		} else {
			others += p.Weight
		}
	}
	return mine, others
}

// shippedWeight is Berth's in the shipped configurations, beside stock scorers of 12 together: five to three.
const shippedWeight = 20

// checkProfile says once what is wrong with the profile as the scheduler put it together, whatever file that came from. It is
// complete only after the plugins were made, so this is asked with the first pod.
func (b *Berth) checkProfile() {
	b.profileChecked.Do(func() {
		profile, ok := b.profile.(interface{ ListPlugins() *config.Plugins })
		if !ok {
			return
		}
		var said []string
		for name, problem := range profileProblems(profile.ListPlugins()) {
			profileProblem.WithLabelValues(b.profile.ProfileName(), name).Set(0)
			if problem != "" {
				profileProblem.WithLabelValues(b.profile.ProfileName(), name).Set(1)
				said = append(said, problem)
			}
		}
		if len(said) == 0 {
			return
		}
		slices.Sort(said)
		_, others := weights(profile.ListPlugins())
		text := fmt.Sprintf("profile %s: %s: write 'multiPoint: {enabled: [{name: %s, weight: %d}]}'",
			b.profile.ProfileName(), strings.Join(said, "; "), Name, max(shippedWeight, 5*others/3))
		klog.ErrorS(nil, "Berth's scores do not count as they should", "problem", text)
		b.event(v1.EventTypeWarning, "BerthProfile", bounded(text, noteLength))
	})
}

package berth

import (
	"context"
	"maps"
	"strings"
	"sync"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"berth.dev/scheduler-plugin/pkg/apis/config"
	"berth.dev/scheduler-plugin/pkg/mode"
)

// mode in force for this profile. It may be another one for the next pod.
func (b *Berth) mode() *mode.Mode {
	if b.live != nil {
		if live := b.live.Current(); live != nil {
			return live
		}
	}
	return b.static
}

func (b *Berth) modeFor(pod *v1.Pod, owner string) config.Mode { return b.mode().For(pod, owner) }

// watchMode returns once it is known whether there is a ConfigMap, so that a restarted scheduler acts on no pod that it
// was told to leave alone.
func (p *process) watchMode(ctx context.Context) {
	namespace, name, found := strings.Cut(p.args.ModeConfigMap, "/")
	if !found {
		return
	}
	logger := klog.FromContext(ctx)
	p.live = mode.StartWatch(ctx, p.handle.ClientSet(), namespace, name, func(c mode.Change) { p.tellMode(logger, c) })
}

// tellMode says what came into force, or why it did not, where an operator looks: log, metrics, and an Event on the
// scheduler's own pod.
func (p *process) tellMode(logger klog.Logger, c mode.Change) {
	p.modes.setLive(c.Mode)
	stays := "that of the scheduler's configuration"
	if c.Mode != nil {
		stays = c.Mode.String()
	}
	if c.Err != nil {
		modeRefused.Set(1)
		logger.Error(c.Err, "Berth's mode stays as it is", "mode", stays, "configMap", p.args.ModeConfigMap)
		p.event(v1.EventTypeWarning, "BerthModeRefused", "mode stays "+bounded(stays, labelLength)+": "+bounded(c.Err.Error(), noteLength))
		return
	}
	modeRefused.Set(0)
	modeChanges.Inc()
	by, at := bounded(c.By, nameLength), bounded(c.At, labelLength)
	if by == "" {
		by = "unknown: the API server's audit log has it"
	}
	logger.Info("Berth's mode", "mode", stays, "by", by, "at", at, "configMap", p.args.ModeConfigMap)
	p.event(v1.EventTypeNormal, "BerthMode", "mode is "+bounded(stays, noteLength)+", by "+by)
}

// modeGauge shows the mode in force, from the ConfigMap or else of each profile. Safe for concurrent use.
type modeGauge struct {
	mu     sync.Mutex
	live   *mode.Mode
	static map[string]config.Mode
}

func (g *modeGauge) setLive(m *mode.Mode) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.live = m
	g.show()
}

func (p *process) setStaticMode(profile string, m *mode.Mode) {
	p.modes.mu.Lock()
	defer p.modes.mu.Unlock()
	if p.modes.static == nil {
		p.modes.static = map[string]config.Mode{}
	}
	p.modes.static[profile] = m.Kind
	p.modes.show()
}

func (g *modeGauge) show() {
	inForce := maps.Clone(g.static)
	modeInForce.Reset()
	for profile, kind := range inForce {
		source := "args"
		if g.live != nil {
			kind, source = g.live.Kind, "configmap"
		}
		modeInForce.WithLabelValues(profile, string(kind), source).Set(1)
	}
}

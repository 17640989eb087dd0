package mode

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"

	"berth.dev/scheduler-plugin/pkg/apis/config"
)

// Keys of the ConfigMap. The last three are the audit log of `berth mode`.
const (
	keyMode        = "mode"
	keyPercent     = "percent"
	keyNamespaces  = "namespaces"
	keySelector    = "selector"
	keyMaxPriority = "max-priority"
	keyClip        = "clip"
	keyBy          = "changed-by"
	keyAt          = "changed-at"
	keyLog         = "log"
)

var (
	keys       = []string{keyMode, keyPercent, keyNamespaces, keySelector, keyMaxPriority, keyClip, keyBy, keyAt, keyLog}
	canaryKeys = []string{keyPercent, keyNamespaces, keySelector, keyMaxPriority}
	kinds      = []config.Mode{config.ModeActive, config.ModeShadow, config.ModeCanary, config.ModeOff}
)

const (
	maxNamespaces = 1000
	maxSelector   = 1024
	maxDecimals   = 9
)

// decimal is how `berth mode` reads a number, too: no hexadecimal one.
var decimal = regexp.MustCompile(`^[+-]?[0-9]*\.?[0-9]*([eE][+-]?[0-9]{1,9})?$`)

// Parse reads the data of the ConfigMap. An error names the key, its value and what would be right.
func Parse(data map[string]string) (*Mode, error) {
	for key := range data {
		if !slices.Contains(keys, key) {
			return nil, fmt.Errorf("key %.64q is unknown: use %s", key, strings.Join(keys, ", "))
		}
	}
	m := &Mode{Kind: config.Mode(strings.TrimSpace(data[keyMode]))}
	if !slices.Contains(kinds, m.Kind) {
		return nil, fmt.Errorf("mode is %.64q: want active, canary, shadow or off", data[keyMode])
	}
	for _, key := range canaryKeys {
		if m.Kind != config.ModeCanary && data[key] != "" {
			return nil, fmt.Errorf("%s is %.64q and mode is %s: only a canary chooses pods, take the key out or make it a canary", key, data[key], m.Kind)
		}
	}
	for _, read := range []func(map[string]string) error{m.readPercent, m.readNamespaces, m.readSelector, m.readMaxPriority, m.readClip} {
		if err := read(data); err != nil {
			return nil, err
		}
	}
	if m.Kind == config.ModeCanary && data[keyPercent] == "" && len(m.Namespaces) == 0 {
		return nil, fmt.Errorf("mode is canary, and neither percent nor namespaces says of whom: add percent: \"5\" for 5 %% of the owners")
	}
	return m, nil
}

func (m *Mode) readPercent(data map[string]string) error {
	text := strings.TrimSpace(data[keyPercent])
	if text == "" {
		return nil
	}
	percent, err := strconv.ParseInt(text, 10, 32)
	if err != nil || percent < 0 || percent > 100 {
		return fmt.Errorf("percent is %.64q: want a whole number from 0 to 100", text)
	}
	m.Percent = int32(percent)
	return nil
}

func (m *Mode) readNamespaces(data map[string]string) error {
	for _, name := range strings.FieldsFunc(data[keyNamespaces], func(r rune) bool { return r == ',' || r == ' ' || r == '\n' }) {
		if problems := validation.IsDNS1123Label(name); len(problems) > 0 {
			return fmt.Errorf("namespaces has %.64q: %s", name, problems[0])
		}
		m.Namespaces = append(m.Namespaces, name)
	}
	if n := len(m.Namespaces); n > maxNamespaces {
		return fmt.Errorf("namespaces has %d names: want at most %d, or a percentage", n, maxNamespaces)
	}
	return nil
}

func (m *Mode) readSelector(data map[string]string) error {
	text := strings.TrimSpace(data[keySelector])
	if text == "" {
		return nil
	}
	if len(text) > maxSelector {
		return fmt.Errorf("selector has %d bytes: want at most %d, every pod is held against it", len(text), maxSelector)
	}
	selector, err := labels.Parse(text)
	if err != nil {
		return fmt.Errorf("selector is %.64q: want one as kubectl takes it, such as tier=batch,team in (a,b): %w", text, err)
	}
	m.Selector = selector
	return nil
}

func (m *Mode) readMaxPriority(data map[string]string) error {
	text := strings.TrimSpace(data[keyMaxPriority])
	if text == "" {
		return nil
	}
	priority, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return fmt.Errorf("max-priority is %.64q: want a pod priority such as 1000", text)
	}
	most := int32(priority)
	m.MaxPriority = &most
	return nil
}

func (m *Mode) readClip(data map[string]string) error {
	text := strings.TrimSpace(data[keyClip])
	if text == "" {
		return nil
	}
	clip, err := strconv.ParseFloat(text, 64)
	if err != nil || !decimal.MatchString(text) || !(clip >= 0 && clip <= 1) || decimals(text) > maxDecimals {
		return fmt.Errorf("clip is %.64q: want a share of a node's usage from 0 to 1, of %d decimals at most; 0 is the base alone", text, maxDecimals)
	}
	m.Clip = &clip
	return nil
}

// decimals of a number: 3 of 0.005 and of 5e-3.
func decimals(text string) int {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	e, _ := strconv.Atoi(exponent) // none is 0
	return len(fraction) - e
}

package scheme

import (
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"berth.dev/scheduler-plugin/pkg/apis/config"
	"berth.dev/scheduler-plugin/pkg/apis/config/v1alpha1"
)

var (
	row  = regexp.MustCompile("(?m)^\\| (`[a-z].*?) \\| (.*?) \\|")
	word = regexp.MustCompile("`([^`]+)`|none|\\(needed\\)")
)

// readme are the arguments of the README's table with the default that stands there; empty for none.
func readme(t *testing.T) map[string]string {
	text, err := os.ReadFile("../../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| argument | default |")
	table, _, _ = strings.Cut(table, "\n\n")
	arguments := map[string]string{}
	for _, cells := range row.FindAllStringSubmatch(table, -1) {
		names, values := word.FindAllStringSubmatch(cells[1], -1), word.FindAllStringSubmatch(cells[2], -1)
		if len(names) != len(values) {
			t.Fatalf("%s: %d arguments and %d defaults", cells[1], len(names), len(values))
		}
		group, _, _ := strings.Cut(names[0][1], ".")
		for i, name := range names {
			full := name[1]
			if strings.HasPrefix(full, ".") {
				full = group + full
			}
			arguments[full] = values[i][1]
		}
	}
	return arguments
}

func TestTheDefaultsInTheReadmeAreThoseOfAConfigurationThatLeavesThemOut(t *testing.T) {
	written := map[string]any{"url": "http://127.0.0.1:8766"}
	for name, value := range readme(t) {
		if value == "" {
			continue
		}
		into := written
		if group, inner, nested := strings.Cut(name, "."); nested {
			if written[group] == nil {
				written[group] = map[string]any{}
			}
			into, name = written[group].(map[string]any), inner
		}
		if number, err := strconv.Atoi(value); err == nil {
			into[name] = number
		} else {
			into[name] = value
		}
	}
	raw, err := json.Marshal(written)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(&runtime.Unknown{Raw: raw})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(defaults(func(*config.BerthArgs) {}), got); diff != "" {
		t.Errorf("(-without +as the README says)\n%s", diff)
	}
}

func TestTheReadmeNamesEveryArgument(t *testing.T) {
	want := fields("", reflect.TypeFor[v1alpha1.BerthArgs]())
	got := slices.Sorted(maps.Keys(readme(t)))
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-of the type +in the README)\n%s", diff)
	}
}

func fields(prefix string, of reflect.Type) (names []string) {
	for i := range of.NumField() {
		field := of.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Type.Kind() == reflect.Struct && name != "" && field.Type != reflect.TypeFor[metav1.Duration]() {
			names = append(names, fields(prefix+name+".", field.Type)...)
		} else if name != "" {
			names = append(names, prefix+name)
		}
	}
	return names
}

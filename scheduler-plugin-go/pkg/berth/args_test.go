package berth

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

func TestArgs(t *testing.T) {
	changed := func(change func(*Args)) *Args {
		a := DefaultArgs()
		a.URL = "http://127.0.0.1:8765"
		change(&a)
		return &a
	}
	cases := map[string]struct {
		json      string
		want      *Args
		wantError string
	}{
		"only the url is needed": {
			json: `{"url":"http://127.0.0.1:8765"}`,
			want: changed(func(*Args) {}),
		},
		"every kind of value is read": {
			json: `{"url":"unix:///run/berth.sock","timeout":"5ms","mode":"canary","canary":{"percent":10,"namespaces":["web"]},"breaker":{"failures":2}}`,
			want: changed(func(a *Args) {
				a.URL = "unix:///run/berth.sock"
				a.Timeout = metav1.Duration{Duration: 5 * time.Millisecond}
				a.Mode = ModeCanary
				a.Canary = CanaryArgs{Percent: 10, Namespaces: []string{"web"}}
				a.Breaker.Failures = 2
			}),
		},
		"a misspelt field is an error that names it": {
			json: `{"url":"http://127.0.0.1:8765","timout":"5ms"}`, wantError: `unknown field "timout"`,
		},
		"a field in the wrong case is unknown too":      {json: `{"url":"http://h:1","TimeOut":"5ms"}`, wantError: `unknown field "TimeOut"`},
		"a field given twice is an error that names it": {json: `{"url":"http://h:1","mode":"active","mode":"shadow"}`, wantError: `duplicate field "mode"`},
		"no url is an error that says what to give":     {json: `{}`, wantError: "url is missing"},
		"an address with the API's path is refused": {
			json: `{"url":"http://127.0.0.1:8765/v1/score"}`, wantError: "without a path",
		},
		"an unknown mode lists the modes": {
			json: `{"url":"http://h:1","mode":"on"}`, wantError: `mode "on": choose active, shadow or canary`,
		},
		"a deadline that would stall the loop is refused": {
			json: `{"url":"http://h:1","timeout":"3s"}`, wantError: "timeout 3s",
		},
		"a percentage above 100 is refused": {
			json: `{"url":"http://h:1","canary":{"percent":101}}`, wantError: "canary.percent 101",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := ParseArgs(&runtime.Unknown{Raw: []byte(tc.json)})
			if tc.wantError != "" {
				if err == nil || !strings.Contains(err.Error(), tc.wantError) {
					t.Fatalf("want an error with %q, got %v", tc.wantError, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("args (-want,+got):\n%s", diff)
			}
		})
	}
}

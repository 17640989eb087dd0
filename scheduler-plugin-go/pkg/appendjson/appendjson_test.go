package appendjson

import (
	"encoding/json"
	"testing"
)

func FuzzStringsSurviveEncoding(f *testing.F) {
	for _, seed := range []string{"", "plain", `quo"te`, `back\slash`, "tab\tnewline\n\x00", "snow ☃", "half \xed\xa0\x80 a surrogate, \xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want, got string
		reference, _ := json.Marshal(s)
		_ = json.Unmarshal(reference, &want)
		if err := json.Unmarshal(String(nil, s), &got); err != nil || got != want {
			t.Errorf("%q became %q, want %q (%v)", s, got, want, err)
		}
	})
}

package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
)

// explain says of a file that cannot be read which key is wrong and where, in the words of whoever wrote it: the parser's are
// of the JSON that it makes of the file.
func explain(raw []byte, err error) error {
	if found := unknownKey.FindStringSubmatch(err.Error()); found != nil {
		return fmt.Errorf("%sthere is no key %q, the nearest is %q (cluster/cluster.yaml lists every key)", place(raw, found[1]), found[1], nearest(found[1]))
	}
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		key := wrong.Field
		if key != "" { // it is empty where the whole file is wrong
			key += ": "
		}
		return fmt.Errorf("%swant %s, not %s", key, wanted(wrong.Type), wrong.Value)
	}
	for errors.Unwrap(err) != nil {
		err = errors.Unwrap(err)
	}
	return err
}

var unknownKey = regexp.MustCompile(`unknown field "(.*)"`)

// place of the first such key.
func place(raw []byte, key string) string {
	at := regexp.MustCompile(`(?m)(?:^|[\s{,])["']?(` + regexp.QuoteMeta(key) + `)["']?\s*:`).FindSubmatchIndex(raw)
	if at == nil {
		return ""
	}
	return fmt.Sprintf("line %d: ", 1+bytes.Count(raw[:at[2]], []byte("\n")))
}

func wanted(t reflect.Type) string {
	if t == reflect.TypeFor[Duration]() {
		return `a duration such as "5s"`
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Slice:
		return "a list"
	default:
		return "keys with values"
	}
}

// nearest of all keys.
func nearest(wrong string) (key string) {
	least := -1
	for _, of := range []reflect.Type{reflect.TypeFor[Settings](), reflect.TypeFor[NodeGroup]()} {
		for i := range of.NumField() {
			known, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			if d := distance(wrong, known); least < 0 || d < least {
				key, least = known, d
			}
		}
	}
	return key
}

// distance is how many letters are to be put in, left out or changed to make one word the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal, row[j+1] = row[j+1], min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

package berth

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// bounded cuts a text that anybody may have written, between two characters, and replaces what no name holds.
func bounded(text string, length int) string {
	if len(text) > length {
		for length > 0 && !utf8.RuneStart(text[length]) {
			length--
		}
		text = text[:length]
	}
	if strings.IndexFunc(text, unicode.IsControl) < 0 {
		return text
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return utf8.RuneError
		}
		return r
	}, text)
}

func boundedAll(texts []string) []string {
	texts = texts[:min(len(texts), maxModels)]
	for i, text := range texts {
		texts[i] = bounded(text, labelLength)
	}
	return texts
}

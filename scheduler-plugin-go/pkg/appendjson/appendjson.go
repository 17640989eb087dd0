// Package appendjson appends texts to JSON that is written by hand, where reflection would cost more than all else.
package appendjson

import "unicode/utf8"

// Field appends a key as it is written, with what is before it and its colon, and a text.
func Field(b []byte, key, value string) []byte { return String(append(b, key...), value) }

// String quotes. Kubernetes names never need an escape; annotation values may, and what is no UTF-8 (the
// API server takes it in protobuf) becomes U+FFFD, as encoding/json does.
func String(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			continue
		}
		if c >= utf8.RuneSelf {
			if r, size := utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || size > 1 {
				i += size - 1
				continue
			}
			b = append(append(b, s[start:i]...), "\uFFFD"...)
			start = i + 1
			continue
		}
		b = append(b, s[start:i]...)
		const hex = "0123456789abcdef"
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		start = i + 1
	}
	return append(append(b, s[start:]...), '"')
}

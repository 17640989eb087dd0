package client

import (
	"bytes"
	"fmt"
	"log"
	"net"
	"strings"
	"testing"
)

// answers writes the same to whoever asks, whatever HTTP says.
func answers(t *testing.T, reply string) (url string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				request := make([]byte, 4096)
				for {
					if _, err := conn.Read(request); err != nil {
						return
					}
					if _, err := conn.Write([]byte(reply)); err != nil {
						return
					}
				}
			}()
		}
	}()
	return "http://" + listener.Addr().String()
}

func ok(body string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

func TestWhateverAServiceWritesAFewWordsAreSaid(t *testing.T) {
	long := strings.Repeat("x\x1b", 5000) // less than maxReplyHeader
	for name, reply := range map[string]string{
		"a status":        "HTTP/1.1 500 " + long + "\r\n\r\n",
		"a version":       long + " 200 OK\r\n\r\n",
		"a header":        "HTTP/1.1 200 OK\r\n" + long + "\r\n\r\n",
		"a decision":      ok(`{"decision":"` + strings.ReplaceAll(long, "\x1b", "\\u001b") + `"}`),
		"what is no JSON": ok(long),
	} {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, answers(t, reply), func(o *Options) { o.MaxReplyBytes = 4 << 20 })
			_, err := c.Score(t.Context(), []byte(`{}`), "d", 2)
			if err == nil || len(err.Error()) > 600 {
				t.Fatalf("got %.700v", err)
			}
		})
	}
}

func TestBytesBehindRepliesFillNoLog(t *testing.T) {
	quiet()
	var said bytes.Buffer
	before := log.Writer()
	log.SetOutput(&quietLog{to: &said})
	c := newClient(t, answers(t, ok(good)+strings.Repeat("\x00", 4000)), nil)
	for range 100 {
		_, _ = c.Score(t.Context(), []byte(`{}`), "d", 2) // now and then what is behind is taken for the answer
	}
	log.Print("another line")
	c.CloseIdle()
	log.SetOutput(before)
	if n := said.Len(); n > 1000 {
		t.Errorf("100 answers wrote %d bytes", n)
	}
	if !strings.Contains(said.String(), unsolicited) || !strings.Contains(said.String(), "another line") {
		t.Errorf("the log has %q", said.String())
	}
}

func TestTheLogOfTheProcessIsQuiet(t *testing.T) {
	newClient(t, "http://127.0.0.1:1", nil)
	if _, ok := log.Writer().(*quietLog); !ok {
		t.Errorf("Go's log goes to a %T", log.Writer())
	}
}

func TestALongHeadIsNotRead(t *testing.T) {
	reply := strings.Replace(ok(good), "\r\n", "\r\nX: "+strings.Repeat("x", 100_000)+"\r\n", 1)
	if _, err := newClient(t, answers(t, reply), nil).Score(t.Context(), []byte(`{}`), "d", 2); err == nil {
		t.Error("a head of 100 kB was read")
	}
}

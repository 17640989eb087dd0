package client

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// certified makes a certificate for 127.0.0.1 that is its own CA.
func certified(t *testing.T, until time.Time) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: until,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func serveTLS(t *testing.T, certificate tls.Certificate) (url string) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, good) }))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL
}

// caFile writes a certificate, as if at that second.
func caFile(t *testing.T, file string, certificate tls.Certificate, second int64) {
	t.Helper()
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]})
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(file, time.Time{}, time.Unix(second, 0)); err != nil {
		t.Fatal(err)
	}
}

func TestTheServiceIsTrustedByItsCAAndTheFileIsReadAgainWhenItChanges(t *testing.T) {
	later := time.Now().Add(time.Hour)
	service, stranger := certified(t, later), certified(t, later)
	file := filepath.Join(t.TempDir(), "ca.crt")
	caFile(t, file, stranger, 1000)
	c := newClient(t, serveTLS(t, service), func(o *Options) { o.CAFile, o.Breaker.Window = file, 100 })
	look := func() { c.cas.file.checked = time.Time{} } // as if the second between two looks were over
	_, err := c.Score(t.Context(), nil, "d", 2)
	if Reason(err) != ReasonTLS || !strings.Contains(err.Error(), "no CA in caFile "+file+" has signed the service's certificate: put") {
		t.Fatalf("another CA: want an error that names the file and the fix, got %v", err)
	}
	caFile(t, file, service, 1001)
	look()
	if _, err := c.Score(t.Context(), nil, "d", 2); err != nil {
		t.Fatalf("the right CA is there now: %v", err)
	}
	caFile(t, file, stranger, 1002)
	look()
	if _, err := c.Score(t.Context(), nil, "d", 2); Reason(err) != ReasonTLS {
		t.Fatalf("the kept-alive connection outlives its CA: %v", err)
	}
	if err := os.WriteFile(file, []byte("half a certi"), 0o600); err != nil {
		t.Fatal(err)
	}
	look()
	if _, err := c.Score(t.Context(), nil, "d", 2); Reason(err) != ReasonTLS || !strings.Contains(err.Error(), "holds no certificate in PEM") {
		t.Fatalf("a file without a certificate: %v", err)
	}
	caFile(t, file, service, 1003)
	look()
	if _, err := c.Score(t.Context(), nil, "d", 2); err != nil {
		t.Fatalf("the right CA is there again: %v", err)
	}
}

func TestWhatIsWrongWithACertificateIsSaidWithItsMend(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ca.crt")
	service := certified(t, time.Now().Add(time.Hour))
	expired := certified(t, time.Now().Add(-24*time.Hour))
	url := serveTLS(t, service)
	cases := map[string]struct {
		url  string
		ca   tls.Certificate
		want string
	}{
		"for another host": {strings.Replace(url, "127.0.0.1", "localhost", 1), service, "is for other names than the host of url https://localhost"},
		"expired":          {serveTLS(t, expired), expired, "renew it, or set the clocks right"},
		"no TLS at all": {strings.Replace(serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, good) }), "http:", "https:", 1),
			service, "speaks no TLS there: begin url with http://"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			caFile(t, file, tc.ca, 1000)
			_, err := newClient(t, tc.url, func(o *Options) { o.CAFile = file }).Score(t.Context(), nil, "d", 2)
			if Reason(err) != ReasonTLS || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("want %q, got %v", tc.want, err)
			}
		})
	}
}

func TestACAFileThatCannotBeUsedStopsTheStart(t *testing.T) {
	garbage := filepath.Join(t.TempDir(), "ca.crt")
	if err := os.WriteFile(garbage, []byte("garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"a directory": t.TempDir(), "no certificate": garbage, "nothing": garbage + ".missing"} {
		_, err := New(Options{URL: "https://127.0.0.1:1", CAFile: path, Breaker: BreakerOptions{Window: 1}})
		if err == nil || !strings.Contains(err.Error(), "caFile: ") || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: want an error that names %s, got %v", name, path, err)
		}
	}
}

// The scheduler's image has no roots. Go reads those of the system once a process, hence a process of its own.
func TestWithoutAnyCATheStartIsRefused(t *testing.T) {
	if os.Getenv("BERTH_TEST_NO_ROOTS") != "" {
		_, err := New(Options{URL: "https://127.0.0.1:1", Breaker: BreakerOptions{Window: 1}})
		if err == nil || !strings.Contains(err.Error(), "set caFile") {
			t.Errorf("want an error that names caFile, got %v", err)
		}
		if _, err := New(Options{URL: "http://127.0.0.1:1", Breaker: BreakerOptions{Window: 1}}); err != nil {
			t.Errorf("without TLS none is needed: %v", err)
		}
		return
	}
	command := exec.Command(os.Args[0], "-test.run=^TestWithoutAnyCATheStartIsRefused$", "-test.v")
	command.Env = append(os.Environ(), "BERTH_TEST_NO_ROOTS=1", "SSL_CERT_FILE=/nonexistent", "SSL_CERT_DIR=/nonexistent")
	out, err := command.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Errorf("%v\n%s", err, out)
	}
}

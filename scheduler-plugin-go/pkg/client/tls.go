package client

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
)

// authorities are the CAs that may have signed the service's certificate: those of a file, else those of the system.
type authorities struct {
	file *watchedFile[*x509.CertPool] // nil: those of the system
}

// newAuthorities fails where no certificate could ever be accepted.
func newAuthorities(url, path string) (*authorities, error) {
	if path == "" {
		system, err := x509.SystemCertPool()
		if err != nil || system.Equal(x509.NewCertPool()) {
			return nil, fmt.Errorf("url %s is https and this system has no CA certificates (the scheduler's image has none): "+
				"set caFile to the certificate, in PEM, of the CA that signed the service's", url)
		}
		return &authorities{}, nil
	}
	a := &authorities{&watchedFile[*x509.CertPool]{argument: "caFile", path: path, parse: func(text []byte) (*x509.CertPool, error) {
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(text) {
			return nil, errors.New("holds no certificate in PEM ('BEGIN CERTIFICATE'): put that of the CA there which signed the service's")
		}
		return pool, nil
	}}}
	return a, a.file.check()
}

// pool is nil for those of the system.
func (a *authorities) pool() (*x509.CertPool, error) {
	if a == nil || a.file == nil {
		return nil, nil
	}
	return a.file.read()
}

// explain says of an error of a TLS connection what would mend it; nil for any other error.
func (a *authorities) explain(err error, url string) error {
	var record tls.RecordHeaderError
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &record):
		return fmt.Errorf("%w: the service speaks no TLS there: begin url with http://, or give the service server.tls", err)
	case errors.As(err, &unknown):
		if a == nil || a.file == nil {
			return fmt.Errorf("%w: no CA of this system has signed the service's certificate: set caFile to the one that has", err)
		}
		return fmt.Errorf("%w: no CA in caFile %s has signed the service's certificate: put the certificate, in PEM, of the one there that has", err, a.file.path)
	case errors.As(err, &host):
		return fmt.Errorf("%w: the service's certificate is for other names than the host of url %s: use one of them, or have that host in the certificate", err, url)
	case errors.As(err, &invalid):
		return fmt.Errorf("%w: the service's certificate cannot be used: renew it, or set the clocks right", err)
	}
	return nil
}

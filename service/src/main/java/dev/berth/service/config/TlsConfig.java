package dev.berth.service.config;

/** Certificate and key of both ports; read again when they change. */
public record TlsConfig(
    @Doc(
            "File with the certificate chain in PEM; empty serves plain HTTP. A renewed file counts"
                + " within a second or two, for new connections.")
        String cert,
    @Doc("File with its key in PEM, PKCS#8 (`BEGIN PRIVATE KEY`).") String key) {

  public TlsConfig {
    Check.that(
        cert.isEmpty() == key.isEmpty(),
        "cert and key",
        "given both or not at all",
        "'" + cert + "' and '" + key + "'");
  }

  static TlsConfig defaults() {
    return new TlsConfig("", "");
  }
}

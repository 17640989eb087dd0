package dev.berth.service.http;

import dev.berth.policy.file.FileTrouble;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * A certificate chain and its key, in PEM files that may be renewed while the service runs. New
 * connections get the new certificate, those that are open stay as they are.
 */
final class Tls implements Secrets.Watched {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----(.*?)-----END PRIVATE KEY-----", Pattern.DOTALL);
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519");
  private static final char[] NO_PASSWORD = new char[0];

  private final Path certFile;
  private final Path keyFile;
  private final SslContextFactory.Server context = new SslContextFactory.Server();
  private byte[] cert;
  private byte[] key;

  private Tls(Path certFile, Path keyFile) throws IOException {
    this.certFile = certFile;
    this.keyFile = keyFile;
    cert = Files.readAllBytes(certFile);
    key = Files.readAllBytes(keyFile);
    context.setKeyStore(store(cert, key));
    context.setKeyStorePassword("");
  }

  /**
   * @throws IllegalArgumentException naming the file and the fix
   * @throws UncheckedIOException naming the files and why one cannot be read
   */
  static Tls load(Path certFile, Path keyFile) {
    try {
      return new Tls(certFile, keyFile);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot read %s: %s (server.tls.cert and server.tls.key name the files)"
              .formatted(FileTrouble.file(e, certFile + " and " + keyFile), FileTrouble.reason(e)),
          e);
    }
  }

  SslContextFactory.Server context() {
    return context;
  }

  @Override
  public boolean look() throws IOException {
    byte[] nextCert = Files.readAllBytes(certFile);
    byte[] nextKey = Files.readAllBytes(keyFile);
    if (Arrays.equals(cert, nextCert) && Arrays.equals(key, nextKey)) {
      return false;
    }
    KeyStore store = store(nextCert, nextKey);
    try {
      context.reload(factory -> factory.setKeyStore(store));
    } catch (Exception e) {
      throw new IOException("the renewed certificate cannot be used: " + e.getMessage(), e);
    }
    cert = nextCert;
    key = nextKey;
    return true;
  }

  private KeyStore store(byte[] certPem, byte[] keyPem) throws IOException {
    try {
      Certificate[] chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(certPem))
              .toArray(Certificate[]::new);
      if (chain.length == 0) {
        throw new IllegalArgumentException(certFile + " holds no certificate in PEM");
      }
      PrivateKey privateKey = key(keyPem);
      if (!belongTogether(privateKey, chain[0].getPublicKey())) {
        throw new IllegalArgumentException(
            keyFile + " is not the key of the first certificate in " + certFile);
      }
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, NO_PASSWORD);
      store.setKeyEntry("server", privateKey, NO_PASSWORD, chain);
      return store;
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          certFile + " or " + keyFile + " cannot be used: " + e.getMessage(), e);
    }
  }

  private PrivateKey key(byte[] pem) {
    Matcher found = KEY.matcher(new String(pem, StandardCharsets.US_ASCII));
    if (found.find()) {
      byte[] der = Base64.getMimeDecoder().decode(found.group(1));
      for (String algorithm : ALGORITHMS) {
        try {
          return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
        } catch (GeneralSecurityException e) {
          continue; // of another algorithm
        }
      }
    }
    throw new IllegalArgumentException(
        keyFile
            + " must hold a PKCS#8 key in PEM ('BEGIN PRIVATE KEY', RSA, EC or Ed25519): 'openssl"
            + " pkcs8 -topk8 -nodes -in old.key' makes one, cert-manager with 'encoding: PKCS8'");
  }

  private static boolean belongTogether(PrivateKey key, PublicKey certified)
      throws GeneralSecurityException {
    if (!key.getAlgorithm().equals(certified.getAlgorithm())) {
      return false;
    }
    Signature signature =
        Signature.getInstance(
            switch (key.getAlgorithm()) {
              case "RSA" -> "SHA256withRSA";
              case "EC" -> "SHA256withECDSA";
              default -> "Ed25519";
            });
    byte[] text = {42};
    signature.initSign(key);
    signature.update(text);
    byte[] signed = signature.sign();
    signature.initVerify(certified);
    signature.update(text);
    return signature.verify(signed);
  }
}

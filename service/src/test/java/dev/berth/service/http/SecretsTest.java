package dev.berth.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.service.Given;
import dev.berth.service.Service;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tokens and certificates that change while the service runs. */
@Timeout(120)
class SecretsTest {
  private static final String OLD = "the-token-before-the-change";
  private static final String NEW = "the-token-after-the-change";
  private static final String READ = "a-token-for-reads-alone";
  @TempDir Path folder;
  private HttpClient client = HttpClient.newHttpClient();
  private String scheme = "http";

  @Test
  void aNewTokenIsTakenWithoutARestartAndTheOneBeforeForAWhile() throws Exception {
    Path file = Files.writeString(folder.resolve("token"), OLD + "\n");
    try (Service service = start(Map.of("BERTH_SERVER_TOKEN_OVERLAP", "4s"))) {
      assertThat(post(service, OLD)).isEqualTo(200);
      assertThat(post(service, NEW)).isEqualTo(401);
      Files.writeString(file, NEW + "\n");
      await(() -> post(service, NEW) == 200);
      assertThat(post(service, OLD)).as("within the overlap").isEqualTo(200);
      await(() -> post(service, OLD) == 401);
      assertThat(post(service, NEW)).isEqualTo(200);
    }
  }

  @Test
  void aTokenThatCannotBeUsedChangesNothingAndIsNamed() throws Exception {
    Path file = Files.writeString(folder.resolve("token"), OLD);
    try (Service service = start(Map.of())) {
      Files.writeString(file, "short");
      await(() -> get(service, "/readyz", "").body().contains("server.token-file"));
      assertThat(get(service, "/readyz", "").body()).contains("at least 16 characters");
      assertThat(post(service, OLD)).isEqualTo(200);
      Files.writeString(file, OLD);
      await(() -> !get(service, "/readyz", "").body().contains("server.token-file"));
    }
  }

  @Test
  void aFirstStartOnAFullDiskLeavesNoTokenThatLaterOnesStumbleOver() throws Exception {
    Path file = folder.resolve("token");
    Process full =
        new ProcessBuilder(
                "bash",
                "-c",
                "ulimit -f 0; exec \"$@\"",
                "bash",
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:-UsePerfData",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Maker.class.getName(),
                file.toString())
            .redirectErrorStream(true)
            .start();
    assertThat(new String(full.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("cannot read or make the token file " + file);
    assertThat(BearerToken.loadOrCreate(file, Duration.ZERO).matches(null)).isFalse();
    assertThat(Files.readString(file)).hasSizeGreaterThan(16);
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  /** A service's first start, as far as its token. */
  static final class Maker {
    public static void main(String[] args) {
      BearerToken.loadOrCreate(Path.of(args[0]), Duration.ZERO);
    }
  }

  @Test
  void aReadTokenReadsAndDoesNoMore() throws Exception {
    Files.writeString(folder.resolve("token"), OLD);
    Path reads = Files.writeString(folder.resolve("reads"), READ);
    try (Service service = start(Map.of("BERTH_SERVER_READ_TOKEN_FILE", reads.toString()))) {
      assertThat(get(service, "/v1/status", READ).statusCode()).isEqualTo(200);
      assertThat(get(service, "/v1/status", OLD).statusCode()).isEqualTo(200);
      assertThat(get(service, "/v1/status", "").statusCode()).isEqualTo(401);
      assertThat(post(service, READ)).isEqualTo(401);
    }
  }

  @ParameterizedTest
  @CsvSource({", , 200, 401", "false, , 401, 401", ", true, 200, 200", "false, true, 401, 200"})
  void whatNeedsNoTokenIsConfigured(
      @Nullable String openWhatIf, @Nullable String openReads, int whatIf, int others)
      throws Exception {
    Files.writeString(folder.resolve("token"), OLD);
    Map<String, String> settings = new HashMap<>();
    if (openWhatIf != null) {
      settings.put("BERTH_SERVER_OPEN_WHAT_IF", openWhatIf);
    }
    if (openReads != null) {
      settings.put("BERTH_SERVER_OPEN_READS", openReads);
    }
    try (Service service = start(settings)) {
      assertThat(get(service, "/score", "").statusCode()).isEqualTo(whatIf);
      for (String path : new String[] {"/v1/status", "/v1/nodes", "/v1/decisions?pod=x"}) {
        assertThat(get(service, path, "").statusCode()).as(path).isEqualTo(others);
      }
      assertThat(get(service, "/healthz", "").statusCode()).isEqualTo(200);
      assertThat(post(service, "")).as("outcomes").isEqualTo(401);
    }
  }

  @Test
  void bothPortsSpeakTlsAndARenewedCertificateIsServedWithoutARestart() throws Exception {
    Files.writeString(folder.resolve("token"), OLD);
    KeyStore first = certify("first", "RSA");
    KeyStore second = certify("second", "EC");
    write(first);
    scheme = "https";
    try (Service service =
        start(
            Map.of(
                "BERTH_SERVER_TLS_CERT", folder.resolve("tls.crt").toString(),
                "BERTH_SERVER_TLS_KEY", folder.resolve("tls.key").toString()))) {
      client = trusting(first);
      assertThat(post(service, OLD)).isEqualTo(200);
      assertThat(get(service, "/healthz", "").statusCode()).isEqualTo(200);

      Files.writeString(folder.resolve("tls.crt"), certificate(second));
      await(() -> insecure(service).contains("is not the key of the first certificate"));
      assertThat(subject(service, first)).contains("first");

      write(second);
      await(() -> subject(service, first, second).contains("second"));
      assertThat(get(service, "/readyz", "").body()).doesNotContain("server.tls");
    }
  }

  /** As probes, Prometheus and port-forwards ask; whether the name is right is theirs to say. */
  @Test
  void aCertificateOfANameIsServedByAddressToo() throws Exception {
    KeyStore named = certify("named", "EC", "dns:berth-service.berth-system.svc");
    write(named);
    try (Service service =
            start(
                Map.of(
                    "BERTH_SERVER_TLS_CERT", folder.resolve("tls.crt").toString(),
                    "BERTH_SERVER_TLS_KEY", folder.resolve("tls.key").toString()));
        Socket socket =
            trust(named)
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), service.readPort())) {
      String ask = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(ask.getBytes(StandardCharsets.US_ASCII));
      byte[] answer = socket.getInputStream().readAllBytes();
      assertThat(new String(answer, StandardCharsets.US_ASCII)).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void aKeyOfAnotherFormIsAnsweredWithTheCommandThatTurnsIt() throws Exception {
    write(certify("first", "RSA"));
    Path key = folder.resolve("tls.key");
    Files.writeString(key, Files.readString(key).replace("PRIVATE", "RSA PRIVATE"));
    assertThatThrownBy(
            () ->
                start(
                    Map.of(
                        "BERTH_SERVER_TLS_CERT", folder.resolve("tls.crt").toString(),
                        "BERTH_SERVER_TLS_KEY", key.toString())))
        .hasMessageContaining("openssl pkcs8 -topk8");
  }

  private String insecure(Service service) throws Exception {
    return get(service, "/readyz", "").body();
  }

  private String subject(Service service, KeyStore... trusted) throws Exception {
    client = trusting(trusted); // a connection of its own
    SSLSession session = get(service, "/healthz", "").sslSession().orElseThrow();
    return ((X509Certificate) session.getPeerCertificates()[0]).getSubjectX500Principal().getName();
  }

  private KeyStore certify(String name, String algorithm) throws Exception {
    return certify(name, algorithm, "ip:127.0.0.1");
  }

  private KeyStore certify(String name, String algorithm, String of) throws Exception {
    Path file = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                algorithm,
                "-dname",
                "CN=" + name,
                "-ext",
                "san=" + of,
                "-keystore",
                file.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                "secret")
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, "secret".toCharArray());
    }
    return store;
  }

  private void write(KeyStore store) throws Exception {
    String alias = store.aliases().nextElement();
    byte[] key = store.getKey(alias, "secret".toCharArray()).getEncoded();
    Files.writeString(folder.resolve("tls.key"), pem("PRIVATE KEY", key));
    Files.writeString(folder.resolve("tls.crt"), certificate(store));
  }

  private static String certificate(KeyStore store) throws Exception {
    return pem("CERTIFICATE", store.getCertificate(store.aliases().nextElement()).getEncoded());
  }

  private static String pem(String kind, byte[] der) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
  }

  private static HttpClient trusting(KeyStore... stores) throws Exception {
    return HttpClient.newBuilder()
        .sslContext(trust(stores))
        .version(HttpClient.Version.HTTP_1_1)
        .build();
  }

  private static SSLContext trust(KeyStore... stores) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    for (KeyStore store : stores) {
      String alias = store.aliases().nextElement();
      trusted.setCertificateEntry(alias, store.getCertificate(alias));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    return tls;
  }

  private Service start(Map<String, String> settings) {
    Map<String, String> environment = new HashMap<>();
    environment.put("BERTH_SCORING_POLICY", "predict-then-greedy");
    environment.putAll(settings);
    return Given.service(folder, environment);
  }

  private interface Check {
    boolean holds() throws Exception;
  }

  private static void await(Check check) throws Exception {
    while (!check.holds()) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private int post(Service service, String token) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri(service.schedulerPort(), "/v1/outcomes"))
            .header("Authorization", "Bearer " + token)
            .POST(BodyPublishers.ofString("{\"events\":[]}"))
            .build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }

  private HttpResponse<String> get(Service service, String path, String token) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(service.readPort(), path));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private URI uri(int port, String path) {
    return URI.create(scheme + "://127.0.0.1:" + port + path);
  }
}

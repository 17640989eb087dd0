package dev.berth.service.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.service.Given;
import dev.berth.service.Service;
import dev.berth.service.probe.KeptAliveClient;
import dev.berth.service.probe.SyntheticCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that are slow, by accident or on purpose, cost nobody else an answer. */
@Timeout(300)
class SlowClientsTest {
  private static final int CLIENTS = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private final HttpClient client = HttpClient.newHttpClient();
  private final SyntheticCluster cluster = new SyntheticCluster(5000);
  private final List<Socket> slow = new ArrayList<>();
  private Service service;
  private String token;

  @BeforeEach
  void start(@TempDir Path folder) throws IOException {
    service =
        Given.service(
            folder,
            Map.of(
                "BERTH_SERVER_THREADS",
                "8",
                "BERTH_SERVER_IDLE_TIMEOUT",
                "10m", // nobody is saved by it
                "BERTH_SCORING_POLICY",
                "predict-then-greedy"));
    token = Files.readString(folder.resolve("token")).strip();
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : slow) {
      socket.close();
    }
    service.close();
  }

  @Test
  void whoAsksForNodesAndDoesNotReadHoldsNobodyUp() throws Exception {
    scoreOnce();
    for (int i = 0; i < CLIENTS; i++) {
      Socket socket = connect(service.readPort());
      // Many requests, so that the answers fill every buffer on the way.
      for (int request = 0; request < 40; request++) {
        socket.getOutputStream().write(head("GET", "/v1/nodes", ""));
      }
    }
    everybodyElseIsAnswered();
  }

  @Test
  void whoSendsABodyByteByByteHoldsNobodyUp() throws Exception {
    for (int i = 0; i < CLIENTS; i++) {
      String path = i % 2 == 0 ? "/v1/score" : "/v1/outcomes";
      Socket socket = connect(service.schedulerPort());
      socket.getOutputStream().write(head("POST", path, "Content-Length: 100000\r\n"));
      socket.getOutputStream().write('{');
    }
    everybodyElseIsAnswered();
    for (Socket socket : slow) {
      socket.getOutputStream().write('"'); // still taken
    }
  }

  /** A thread would answer one after the other of these, and nobody else, as long as they come. */
  @Test
  void whoSendsQuestionsOneAfterTheOtherHoldsNobodyUp() throws Exception {
    scoreOnce();
    AtomicBoolean over = new AtomicBoolean();
    List<Thread> strangers = new ArrayList<>();
    for (int i = 0; i < 2 * CLIENTS; i++) {
      Thread stranger = new Thread(() -> askOnAndOn(over));
      stranger.start();
      strangers.add(stranger);
    }
    try {
      Thread.sleep(500);
      for (int i = 0; i < 10; i++) {
        long begun = System.nanoTime();
        HttpRequest probe =
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + service.readPort() + "/healthz"))
                .timeout(Duration.ofSeconds(30))
                .build();
        // On a connection of its own, as a kubelet's.
        assertThat(HttpClient.newHttpClient().send(probe, BodyHandlers.ofString()).statusCode())
            .isEqualTo(200);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(3));
      }
    } finally {
      over.set(true);
      for (Thread stranger : strangers) {
        stranger.join();
      }
    }
  }

  private void askOnAndOn(AtomicBoolean over) {
    byte[] many = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n".repeat(50).getBytes(US_ASCII);
    byte[] answers = new byte[1 << 16];
    while (!over.get()) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.readPort())) {
        socket.setSoTimeout(1_000);
        while (!over.get()) {
          socket.getOutputStream().write(many);
          if (socket.getInputStream().read(answers) < 0) {
            break;
          }
        }
      } catch (IOException closed) {
        // and comes again
      }
    }
  }

  @Test
  void nodesComeInPagesOfWhatOneConnectionMayKeep() throws Exception {
    scoreOnce();
    Set<String> names = new TreeSet<>();
    int pages = 0;
    // The table of nodes hears of the request a moment after its answer.
    while (names.size() < 5000) {
      pages = 0;
      for (String next = "/v1/nodes"; next != null; pages++) {
        HttpResponse<String> page = ask(next);
        for (JsonNode node : new ObjectMapper().readTree(page.body())) {
          names.add(node.get("name").asText());
        }
        next =
            page.headers()
                .firstValue("Link")
                .map(link -> link.replaceFirst("<(.*)>; rel=\"next\"", "$1"))
                .orElse(null);
      }
    }
    assertThat(pages).isEqualTo(11); // the last one is empty
  }

  @Test
  void whoHasNoTokenIsRefusedBeforeItsBodyIsThere() throws Exception {
    Socket socket = connect(service.schedulerPort());
    socket
        .getOutputStream()
        .write(
            "POST /v1/score HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{"
                .getBytes(StandardCharsets.US_ASCII));
    socket.setSoTimeout((int) PATIENCE.toMillis());
    byte[] status = socket.getInputStream().readNBytes(12);
    assertThat(new String(status, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 401");
  }

  /** Nobody reads it: gathered, it would be memory that any stranger may take. */
  @Test
  void aBodyThatNoRouteTakesIsNotWaitedFor() throws Exception {
    for (String line : List.of("GET /healthz", "GET /metrics", "GET /score", "POST /healthz")) {
      Socket socket = connect(service.readPort());
      socket
          .getOutputStream()
          .write(
              (line + " HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{")
                  .getBytes(StandardCharsets.US_ASCII));
      socket.setSoTimeout((int) PATIENCE.toMillis());
      byte[] status = socket.getInputStream().readNBytes(8);
      assertThat(new String(status, StandardCharsets.US_ASCII)).as(line).isEqualTo("HTTP/1.1");
    }
  }

  @Test
  void whenAllConnectionsAreTakenTheSilentOnesAreClosed() throws Exception {
    for (int port : new int[] {service.schedulerPort(), service.readPort()}) {
      for (int i = 0; i < 100; i++) { // server.connections is 64
        connect(port);
      }
    }
    everybodyElseIsAnswered();
  }

  /** A byte now and then is no silence. */
  @Test
  void whoeverDripsTheHeadOfARequestLosesItsPlace() throws Exception {
    for (int port : new int[] {service.schedulerPort(), service.readPort()}) {
      for (int i = 0; i < 70; i++) { // server.connections is 64
        connect(port).getOutputStream().write("GET /".getBytes(StandardCharsets.US_ASCII));
      }
    }
    everybodyElseIsAnsweredWhileAllSend("a");
  }

  /** Answered at once each time, by a port that everybody may ask or by a refusal. */
  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD"})
  void whoeverAsksOnAndOnLosesItsPlace(String method) throws Exception {
    for (int port : new int[] {service.schedulerPort(), service.readPort()}) {
      for (int i = 0; i < 70; i++) { // server.connections is 64
        connect(port);
      }
    }
    everybodyElseIsAnsweredWhileAllSend(method + " /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  }

  private void everybodyElseIsAnsweredWhileAllSend(String text) throws Exception {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    Thread sending =
        new Thread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                slow.forEach(socket -> send(socket, bytes));
              }
            });
    sending.start();
    try {
      everybodyElseIsAnswered();
    } finally {
      sending.interrupt();
      sending.join();
    }
  }

  private static void send(Socket socket, byte[] bytes) {
    try {
      Thread.sleep(3); // two a second for each
      socket.getOutputStream().write(bytes);
    } catch (IOException closed) {
      // it lost its place
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void everybodyElseIsAnswered() throws Exception {
    for (int i = 0; i < 5; i++) {
      for (String path : List.of("/healthz", "/readyz", "/metrics", "/v1/status")) {
        assertThat(get(path)).as(path).isEqualTo(200);
      }
      scoreOnce();
    }
  }

  private int get(String path) throws Exception {
    return ask(path).statusCode();
  }

  private HttpResponse<String> ask(String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.readPort() + path))
            .timeout(PATIENCE)
            .header("Authorization", "Bearer " + token)
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private void scoreOnce() throws IOException {
    try (KeptAliveClient scheduler =
        new KeptAliveClient(service.schedulerPort(), "/v1/score", token, PATIENCE)) {
      scheduler.send(scheduler.request(cluster.scoreRequest(1)));
    }
  }

  private Socket connect(int port) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    slow.add(socket);
    return socket;
  }

  private byte[] head(String method, String path, String more) {
    return "%s %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n%s\r\n"
        .formatted(method, path, token, more)
        .getBytes(StandardCharsets.US_ASCII);
  }
}

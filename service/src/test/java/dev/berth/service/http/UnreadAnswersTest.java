package dev.berth.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that nobody reads take a bounded memory. */
@Timeout(60)
class UnreadAnswersTest {
  private static final int LARGE = 16 << 20; // more than the kernel takes of it
  private static final LentBytes MEMORY = new LentBytes(LARGE + 1000);

  @Test
  void anAnswerThatIsNotReadLeavesNoRoomForAnotherLargeOneUntilItIs() throws Exception {
    Javalin server = Javalin.create(UnreadAnswersTest::large).start("127.0.0.1", 0);
    try (Socket slow = ask(server, "/large")) {
      slow.getInputStream().readNBytes(100); // it is on its way
      assertThat(status(server, "/large")).isEqualTo("503");
      assertThat(status(server, "/small")).isEqualTo("200");

      slow.getInputStream().readAllBytes();
      while (!status(server, "/large").equals("200")) { // given back a moment after its last byte
        TimeUnit.MILLISECONDS.sleep(20);
      }
    } finally {
      server.stop();
    }
  }

  private static void large(JavalinConfig app) {
    app.appData(Reply.UNREAD, MEMORY);
    app.http.compressionStrategy = CompressionStrategy.NONE;
    app.routes.get("/large", ctx -> Reply.json(ctx, new byte[LARGE]));
    app.routes.get("/small", ctx -> Reply.json(ctx, new byte[1 << 16]));
    app.routes.exception(Problem.class, (e, ctx) -> ctx.status(e.status()));
  }

  private static Socket ask(Javalin server, String path) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    String head = "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".formatted(path);
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static String status(Javalin server, String path) throws IOException {
    try (Socket socket = ask(server, path)) {
      byte[] answer = socket.getInputStream().readAllBytes();
      return new String(answer, 9, 3, StandardCharsets.US_ASCII);
    }
  }
}

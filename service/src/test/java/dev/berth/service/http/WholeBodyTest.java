package dev.berth.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.EagerContentHandler;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bodies on a real server that has memory for one of the largest and small ones. */
@Timeout(60)
class WholeBodyTest {
  private static final int LARGEST = 256 << 10;
  private static final int MIDDLE = 192 << 10;
  private final LentBytes lent = new LentBytes(LARGEST);
  private final BodyBuffers buffers = new BodyBuffers(LARGEST, lent);
  private final Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server);
  private final List<Socket> sockets = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    EagerContentHandler whole = new EagerContentHandler(WholeBody.into(buffers));
    whole.setHandler(new Teller());
    server.setHandler(whole);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.start();
  }

  @AfterEach
  void stop() throws Exception {
    for (Socket socket : sockets) {
      socket.close();
    }
    server.stop();
  }

  /** Says of a body what a route would find. */
  private static final class Teller extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      WholeBody body = (WholeBody) request.getAttribute(WholeBody.ATTRIBUTE);
      int sum = 0;
      for (int i = 0; i < body.length(); i++) {
        sum += body.bytes()[i];
      }
      String told =
          body.tooLarge()
              ? "too large"
              : body.crowdedOut() ? "crowded out" : body.length() + " bytes, sum " + sum;
      body.release(); // as a route does, before its answer
      response.write(
          true, ByteBuffer.wrap((told + "\n").getBytes(StandardCharsets.US_ASCII)), callback);
      return true;
    }
  }

  @Test
  void allOfABodyIsThereHoweverItCame() throws IOException {
    Socket slow = begin(LARGEST);
    send(slow, 1);
    send(slow, 1);
    send(slow, LARGEST - 2);

    assertThat(answer(slow)).isEqualTo(LARGEST + " bytes, sum " + LARGEST);
  }

  @Test
  void aBodyAboveTheLimitIsTooLarge() throws IOException {
    Socket large = begin(LARGEST + 1);
    send(large, LARGEST + 1);

    assertThat(answer(large)).isEqualTo("too large");
  }

  @Test
  void unfinishedBodiesTakeNoMoreThanThereIsAndGiveItBack() throws Exception {
    Socket first = begin(LARGEST);
    send(first, LARGEST - 1);
    for (int tries = 0; tries < 1_000 && lent.lent() < MIDDLE; tries++) {
      Thread.sleep(10); // until it has arrived
    }
    Socket second = begin(10);
    send(second, 10);
    assertThat(answer(second)).isEqualTo("10 bytes, sum 10");

    Socket third = begin(MIDDLE);
    send(third, MIDDLE);
    assertThat(answer(third)).isEqualTo("crowded out");

    send(first, 1);
    assertThat(answer(first)).isEqualTo(LARGEST + " bytes, sum " + LARGEST);
    Socket fourth = begin(MIDDLE);
    send(fourth, MIDDLE);
    assertThat(answer(fourth)).isEqualTo(MIDDLE + " bytes, sum " + MIDDLE);
  }

  @Test
  void whoGoesAwayLeavesItsMemory() throws Exception {
    for (int i = 0; i < 20; i++) {
      Socket gone = begin(LARGEST);
      send(gone, LARGEST - 1);
      gone.close();
      String told = "";
      // The server hears of it a moment later.
      for (int tries = 0; tries < 100 && !told.startsWith(LARGEST + " bytes"); tries++) {
        Thread.sleep(tries);
        Socket next = begin(LARGEST);
        send(next, LARGEST);
        told = answer(next);
      }
      assertThat(told).startsWith(LARGEST + " bytes");
    }
  }

  private Socket begin(int length) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort());
    sockets.add(socket);
    socket
        .getOutputStream()
        .write(
            "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
                .formatted(length)
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static void send(Socket socket, int bytes) throws IOException {
    byte[] ones = new byte[bytes];
    Arrays.fill(ones, (byte) 1);
    socket.getOutputStream().write(ones);
  }

  private static String answer(Socket socket) throws IOException {
    try (InputStream in = socket.getInputStream()) {
      String all = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      return all.substring(all.indexOf("\r\n\r\n") + 4).strip();
    }
  }
}

package dev.berth.workbench.faults;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients that hold connections, do not read, send byte by byte or without end. */
@Tag("faults")
@ExtendWith(FaultCluster.Shared.class)
@Timeout(300)
class HostileClientsTest {
  private static final int SILENT = 200;
  private static final int READERS = 20;
  private static final int SLOW = 20;
  private static final long HUGE = 100 << 20;

  private final FaultCluster cluster;
  private final List<Socket> crowd = new ArrayList<>();

  HostileClientsTest(FaultCluster cluster) {
    this.cluster = cluster;
  }

  @AfterEach
  void disperse() throws IOException {
    for (Socket socket : crowd) {
      socket.close();
    }
    crowd.clear();
  }

  @Test
  @Tag("cluster")
  void aCrowdOnBothPorts() throws Exception {
    new Fault(
            cluster,
            "200 silent connections, 20 readers that do not read, 20 bodies byte by byte,"
                + " one of 100 MB, on both ports")
        .breaks(this::gather)
        .mends(this::disperse)
        .play();
  }

  private void gather() throws Exception {
    String token = cluster.token();
    int reads = URI.create(cluster.url("service")).getPort();
    for (int port : new int[] {reads, reads + 10}) {
      for (int i = 0; i < READERS; i++) {
        Socket reader = connect(port);
        for (int request = 0; request < 40; request++) {
          send(reader, "GET", "/v1/nodes", token, 0);
        }
      }
      for (int i = 0; i < SLOW; i++) {
        send(connect(port), "POST", "/v1/outcomes", token, 100_000);
      }
      OutputStream huge = send(connect(port), "POST", "/v1/score", token, HUGE);
      try {
        byte[] piece = new byte[1 << 16];
        for (long sent = 0; sent < HUGE; sent += piece.length) {
          huge.write(piece);
        }
      } catch (IOException e) {
        System.out.println("  the body of 100 MB is refused: " + e.getMessage());
      }
      for (int i = 0; i < SILENT; i++) {
        connect(port);
      }
    }
  }

  private Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    crowd.add(socket);
    return socket;
  }

  private static OutputStream send(
      Socket socket, String method, String path, String token, long length) throws IOException {
    String head =
        "%s %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n".formatted(method, path, token)
            + (length > 0
                ? "Content-Type: application/json\r\nContent-Length: " + length + "\r\n\r\n{"
                : "\r\n");
    OutputStream out = socket.getOutputStream();
    out.write(head.getBytes(US_ASCII));
    return out;
  }
}

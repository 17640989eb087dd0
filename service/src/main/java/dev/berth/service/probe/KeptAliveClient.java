package dev.berth.service.probe;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/**
 * One blocking HTTP/1.1 connection: no pool, no threads, so that what is measured is the server.
 * One thread.
 */
public final class KeptAliveClient implements AutoCloseable {
  /** A server that answers later than this is broken. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Socket socket;
  private final InputStream in;
  private final String head;

  public KeptAliveClient(int port, String path, String token) throws IOException {
    this(port, path, token, PATIENCE);
  }

  /**
   * @param patience longest wait for more of an answer
   */
  public KeptAliveClient(int port, String path, String token, Duration patience)
      throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) patience.toMillis());
    in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
    head =
        "POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n".formatted(path, token)
            + "Content-Type: ";
  }

  /** A request of JSON with head and body in one array, ready to be sent many times. */
  public byte[] request(byte[] body) {
    return request("application/json", body);
  }

  /** The same of another type. */
  public byte[] request(String type, byte[] body) {
    byte[] start =
        (head + type + "\r\nContent-Length: " + body.length + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    byte[] request = new byte[start.length + body.length];
    System.arraycopy(start, 0, request, 0, start.length);
    System.arraycopy(body, 0, request, start.length, body.length);
    return request;
  }

  /**
   * @return the reply's body
   * @throws IOException when the status is not 200
   */
  public byte[] send(byte[] request) throws IOException {
    socket.getOutputStream().write(request);
    String status = line();
    int length = 0;
    for (String header = line(); !header.isEmpty(); header = line()) {
      if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(header.substring(15).strip());
      }
    }
    byte[] body = in.readNBytes(length);
    if (!status.startsWith("HTTP/1.1 200")) {
      throw new IOException(status + ": " + new String(body, StandardCharsets.UTF_8));
    }
    return body;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder(64);
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the server closed the connection");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

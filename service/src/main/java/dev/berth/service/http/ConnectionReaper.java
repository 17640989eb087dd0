package dev.berth.service.http;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes connections on which the head of a request goes on arriving for seconds and, when all are
 * taken, those that are silent for one. A byte now and then is no silence, hence the former. Bodies
 * may take their time: only who has the token can send one. Jetty's own limit could close the
 * silent ones, but says so once, and takes it back for all when the first of them has gone, even
 * while the next one takes its place.
 *
 * <p>Thread rule: the connector's scheduler looks, once at a time.
 */
final class ConnectionReaper extends AbstractLifeCycle {
  private static final Logger log = LoggerFactory.getLogger(ConnectionReaper.class);
  private static final long LOOK_MILLIS = 1_000;
  private static final long CROWDED_IDLE_MILLIS = 1_000;
  private static final int MOST_LOOKS = 5;

  /**
   * @param requests whose heads were complete
   * @param bytes that had come
   * @param looks in a row at which more had come of a head
   */
  private record Seen(long requests, long bytes, int looks) {}

  private final ServerConnector connector;
  private final int most;
  private final Runnable closed;
  private Map<EndPoint, Seen> seen = new IdentityHashMap<>();

  /**
   * @param most connections
   * @param closed run for each that is closed for its head
   */
  ConnectionReaper(ServerConnector connector, int most, Runnable closed) {
    this.connector = connector;
    this.most = most;
    this.closed = closed;
  }

  /** All connections are taken: whoever comes now waits for one to be closed. Any thread. */
  boolean full() {
    return connector.getConnectedEndPoints().size() >= most;
  }

  @Override
  protected void doStart() {
    later();
  }

  private void later() {
    connector.getScheduler().schedule(this::next, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void next() {
    if (!isRunning() || connector.isShutdown()) { // a stop gives connections another idle timeout
      return;
    }
    try {
      look();
    } catch (RuntimeException e) {
      log.error("connections could not be looked at, next try in a second", e);
    }
    later();
  }

  private void look() {
    Map<EndPoint, Seen> now = new IdentityHashMap<>();
    Collection<EndPoint> all = connector.getConnectedEndPoints();
    long idle = full() ? CROWDED_IDLE_MILLIS : connector.getIdleTimeout();
    all.forEach(client -> client.setIdleTimeout(idle));
    for (EndPoint client : all) {
      Connection connection = client.getConnection();
      if (connection == null) { // it has just come
        continue;
      }
      Connection http =
          connection instanceof SslConnection tls
              ? tls.getSslEndPoint().getConnection()
              : connection;
      Seen before = seen.getOrDefault(client, new Seen(-1, -1, 0));
      Seen s = seen(before, http, connection.getBytesIn());
      if (s.looks() == MOST_LOOKS) {
        client.close();
        closed.run();
      } else {
        now.put(client, s);
      }
    }
    seen = now;
  }

  private static Seen seen(Seen before, Connection http, long bytes) {
    long requests = http.getMessagesIn();
    boolean underWay = requests > http.getMessagesOut();
    boolean head = !underWay && requests == before.requests() && bytes > before.bytes();
    return new Seen(requests, bytes, head ? before.looks() + 1 : 0);
  }
}

package dev.berth.workbench.soak;

import dev.berth.service.probe.KeptAliveClient;
import dev.berth.workbench.bench.ServiceProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the service what became of pods, as the plugin does: in batches, over a connection of its
 * own, a batch that was not taken again and again. Thread-safe.
 */
final class Outcomes implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Outcomes.class);
  private static final int BATCH = 500;
  private static final int FLUSH_MILLIS = 200;
  private static final String LIST = "soak/0/1";

  private final ServiceProcess service;
  private final BlockingQueue<String> queue = new LinkedBlockingQueue<>();
  private final Thread thread = new Thread(this::run, "outcomes");
  private final LongAdder refused = new LongAdder();
  private volatile String firstError = "";
  private @Nullable KeptAliveClient client;

  Outcomes(ServiceProcess service) {
    this.service = service;
    thread.setDaemon(true);
    thread.start();
  }

  /** Batches that were not taken, tries again included. */
  long refused() {
    return refused.sum();
  }

  /** Why the first batch was not taken, empty if all were. */
  String firstError() {
    return firstError;
  }

  void listBegins() {
    queue.add("{\"type\":\"list_begin\",\"at\":\"%s\",\"uid\":\"%s\"}".formatted(now(), LIST));
  }

  void listEnds() {
    queue.add("{\"type\":\"list_end\",\"at\":\"%s\",\"uid\":\"%s\"}".formatted(now(), LIST));
  }

  void assigned(SoakCluster.NewPod pod, String node) {
    queue.add(
        "{\"type\":\"assigned\",\"at\":\"%s\",\"node\":\"%s\",\"pod\":%s}"
            .formatted(now(), node, pod.json()));
  }

  /**
   * @param type reserved, unreserved or bound
   */
  void placed(String type, String decision, SoakCluster.NewPod pod, String node) {
    queue.add(
        "{\"type\":\"%s\",\"at\":\"%s\",\"decision\":\"%s\",\"node\":\"%s\",\"pod\":%s}"
            .formatted(type, now(), decision, node, pod.json()));
  }

  void gone(SoakCluster.NewPod pod, String node) {
    queue.add(
        "{\"type\":\"gone\",\"at\":\"%s\",\"uid\":\"%s\",\"node\":\"%s\"}"
            .formatted(now(), pod.uid(), node));
  }

  /** Waits until all was told, for as long as the service lives. */
  void flush() throws IOException, InterruptedException {
    while (!queue.isEmpty() && service.ended().isEmpty()) {
      TimeUnit.MILLISECONDS.sleep(FLUSH_MILLIS);
    }
  }

  private static String now() {
    return Instant.now().toString();
  }

  private void run() {
    List<String> batch = new ArrayList<>();
    try {
      while (true) {
        TimeUnit.MILLISECONDS.sleep(FLUSH_MILLIS);
        do {
          queue.drainTo(batch, BATCH - batch.size());
        } while (!batch.isEmpty() && post(batch) && queue.size() >= BATCH);
      }
    } catch (InterruptedException e) {
      log.debug("the run is over");
    } finally {
      disconnect();
    }
  }

  /** Empties the batch if it was taken. */
  private boolean post(List<String> batch) {
    try {
      KeptAliveClient to = client;
      if (to == null) {
        to = new KeptAliveClient(service.schedulerPort(), "/v1/outcomes", service.token());
        client = to;
      }
      String body = "{\"scheduler\":\"soak/0\",\"events\":[" + String.join(",", batch) + "]}";
      to.send(to.request(body.getBytes(StandardCharsets.UTF_8)));
      batch.clear();
      return true;
    } catch (IOException e) {
      refused.increment();
      firstError = firstError.isEmpty() ? String.valueOf(e.getMessage()) : firstError;
      disconnect();
      return false;
    }
  }

  private void disconnect() {
    try {
      if (client != null) {
        client.close();
      }
    } catch (IOException e) {
      log.debug("closing", e);
    }
    client = null;
  }

  @Override
  public void close() throws InterruptedException {
    thread.interrupt();
    thread.join();
  }
}

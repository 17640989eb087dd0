package dev.berth.workbench.live;

import dev.berth.policy.text.StrictJson;
import dev.berth.service.recording.Entry;
import dev.berth.service.recording.RecordingFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the fake nodes really did, for a replay to compare with: CPU demand of every node second by
 * second, and when every pod's containers started. The lines are those of a recording ({@link
 * Entry}), so that a demo can add them to what the service recorded.
 *
 * <p>Bounded: the oldest go first when there are more than a million demands (8 MiB, a day of
 * eleven nodes) or 16,384 pods that started.
 *
 * <p>Thread rule: safe for many threads.
 */
final class Truth {
  private record Instant(double at, String[] nodes, double[] cores) {
    Entry entry() {
      Map<String, Double> byNode = new LinkedHashMap<>();
      for (int i = 0; i < nodes.length; i++) {
        byNode.put(nodes[i], Math.round(cores[i] * 1e4) / 1e4);
      }
      return Entry.of(new Entry.Truth(at, byNode));
    }
  }

  private final Deque<Instant> instants = new ArrayDeque<>();
  private final Deque<Entry.Started> starts = new ArrayDeque<>();
  private String[] names = {};
  private final int maxDemands;
  private final int maxStarts;
  private int demands;

  Truth() {
    this(1 << 20, 1 << 14);
  }

  Truth(int maxDemands, int maxStarts) {
    this.maxDemands = maxDemands;
    this.maxStarts = maxStarts;
  }

  /** Demand of all nodes in cores, by name, at an epoch second. */
  synchronized void demand(double at, Map<String, Double> cores) {
    String[] now = cores.keySet().toArray(String[]::new);
    if (!Arrays.equals(now, names)) {
      names = now; // one array for all instants with the same nodes
    }
    double[] values = cores.values().stream().mapToDouble(Double::doubleValue).toArray();
    instants.add(new Instant(at, names, values));
    demands += values.length;
    while (demands > maxDemands) {
      demands -= instants.remove().cores().length;
    }
  }

  /** The containers of a pod run since an epoch second. */
  synchronized void started(double at, String uid) {
    starts.add(new Entry.Started(at, uid));
    if (starts.size() > maxStarts) {
      starts.remove();
    }
  }

  /** What is known from an epoch second on, a line each: first the starts, then the demands. */
  synchronized String since(double from) {
    List<Entry> entries = new ArrayList<>();
    starts.stream().filter(s -> s.at() >= from).map(Entry::of).forEach(entries::add);
    instants.stream().filter(i -> i.at() >= from).map(Instant::entry).forEach(entries::add);
    StringBuilder lines = new StringBuilder();
    for (Entry entry : entries) {
      lines.append(new String(StrictJson.compact(entry), StandardCharsets.UTF_8)).append('\n');
    }
    return lines.toString();
  }

  /**
   * Asks a usage exporter for what it knows from an epoch second on, and adds it to a recording.
   *
   * @throws IllegalArgumentException naming the recording, if it is not whole
   */
  static void addTo(Path recording, String exporter, long from)
      throws IOException, InterruptedException {
    HttpRequest ask =
        HttpRequest.newBuilder(URI.create(exporter + "/truth?since=" + from))
            .timeout(Duration.ofSeconds(20))
            .build();
    HttpResponse<String> answer = HttpClient.newHttpClient().send(ask, BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(ask.uri() + " answers " + answer.statusCode() + ": " + answer.body());
    }
    try (RecordingFile file = RecordingFile.append(recording)) {
      for (String line : answer.body().lines().toList()) {
        byte[] json = line.getBytes(StandardCharsets.UTF_8);
        file.write(StrictJson.read(json, Entry.class, exporter));
      }
    }
  }
}

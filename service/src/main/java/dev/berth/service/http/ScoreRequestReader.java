package dev.berth.service.http;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.GpuColumns;
import dev.berth.policy.cluster.Pod;
import dev.berth.service.scoring.Mode;
import dev.berth.service.scoring.Schedulers;
import dev.berth.service.scoring.ScoreRequest;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a score request straight into primitive columns. Not thread-safe: one per request. */
final class ScoreRequestReader {
  private static final String FIELDS =
      "contract, decision, scheduler, mode, clip, pod, nodes, sentAt, events";
  private static final String NODE_FIELDS =
      "names, cpuMilli, memoryBytes, podLimit, cpuRequestedMilli, memoryRequestedBytes, podCount,"
          + " pendingCpuMilli, pendingMemoryBytes, pendingPods, zones, racks, gpuModels,"
          + " gpuFreeMilli";

  /** {@code BQ1} and a line's end, little-endian. */
  private static final int BINARY_FORM = 0x0a315142;

  private String @Nullable [] names;
  private long @Nullable [] cpu;
  private long @Nullable [] memory;
  private int @Nullable [] podLimit;
  private long @Nullable [] cpuRequested;
  private long @Nullable [] memoryRequested;
  private int @Nullable [] podCount;
  private long @Nullable [] pendingCpu;
  private long @Nullable [] pendingMemory;
  private int @Nullable [] pendingPods;
  private String @Nullable [] zones;
  private String @Nullable [] racks;
  private String @Nullable [] gpuModels;
  private int @Nullable [][] gpuFree;

  private int contract = 1; // of plugins from before it was told
  private final int most;
  private final OutcomesReader news;
  private final Runnable overdrawn;

  private ScoreRequestReader(int most, double now, SenderClocks clocks, Runnable overdrawn) {
    this.most = most;
    this.news = new OutcomesReader(Limits.NEWS, now, clocks);
    this.overdrawn = overdrawn;
  }

  /**
   * @param most candidates a request may have
   * @param now epoch seconds
   * @param overdrawn run for every card on which less than nothing is free
   */
  static ScorableRequest read(
      byte[] body, int length, int most, double now, SenderClocks clocks, Runnable overdrawn) {
    try (JsonParser in = Json.FACTORY.createParser(body, 0, length)) {
      ScoreRequestReader reader = new ScoreRequestReader(most, now, clocks, overdrawn);
      ScoreRequest request = reader.request(in);
      return ScorableRequest.of(request, reader.contract);
    } catch (InputCoercionException | JsonParseException e) {
      throw Problem.badRequest("the body is not valid JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw Problem.badRequest("the body cannot be read: " + e.getMessage());
    }
  }

  /**
   * Reads the binary form: the question without its nodes as JSON, then the columns of the nodes.
   *
   * @param known reads names that are those of the question before
   */
  static ScorableRequest readBinary(
      byte[] body,
      int length,
      int most,
      double now,
      SenderClocks clocks,
      NamesOfLastQuestion known) {
    BinaryColumns in = new BinaryColumns(body, 0, length);
    if (in.count(Integer.MAX_VALUE, "the form") != BINARY_FORM) {
      throw Problem.badRequest("the body does not begin with BQ1: api/README.md has the layout");
    }
    int json = in.count(length, "the length of the JSON part");
    int start = in.take(json, "the JSON part");
    ScoreRequestReader reader = new ScoreRequestReader(most, now, clocks, () -> {});
    reader.columns(in, body, known);
    try (JsonParser head = Json.FACTORY.createParser(body, start, json)) {
      ScoreRequest request = reader.request(head);
      return ScorableRequest.of(request, reader.contract);
    } catch (InputCoercionException | JsonParseException e) {
      throw Problem.badRequest("the JSON part is not valid: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw Problem.badRequest("the JSON part cannot be read: " + e.getMessage());
    }
  }

  private void columns(BinaryColumns in, byte[] body, NamesOfLastQuestion known) {
    int n = in.count(Integer.MAX_VALUE, "the number of nodes");
    refuseTooMany(n);
    int length = in.count(body.length, "the length of nodes.names");
    int from = in.take(length, "nodes.names");
    names =
        known.of(
            body,
            from,
            from + length,
            n,
            () -> {
              BinaryColumns block = new BinaryColumns(body, from, from + length);
              String[] read = block.texts(n, "nodes.names");
              block.finished();
              refuseEmpty(read);
              refuseDuplicates(read);
              return read;
            });
    cpu = in.longs(n, "nodes.cpuMilli", Limits.AMOUNT);
    memory = in.longs(n, "nodes.memoryBytes", Limits.AMOUNT);
    podLimit = in.ints(n, "nodes.podLimit");
    cpuRequested = in.longs(n, "nodes.cpuRequestedMilli", Limits.AMOUNT);
    memoryRequested = in.longs(n, "nodes.memoryRequestedBytes", Limits.AMOUNT);
    podCount = in.ints(n, "nodes.podCount");
    pendingCpu = in.longs(n, "nodes.pendingCpuMilli", Limits.AMOUNT);
    pendingMemory = in.longs(n, "nodes.pendingMemoryBytes", Limits.AMOUNT);
    pendingPods = in.ints(n, "nodes.pendingPods");
    zones = in.labels(n, "nodes.zones");
    racks = in.labels(n, "nodes.racks");
    in.finished();
  }

  private ScoreRequest request(JsonParser in) throws IOException {
    String decision = "";
    String scheduler = "";
    Mode mode = Mode.ACTIVE;
    Double clip = null;
    Pod pod = null;
    boolean sawNodes = names != null;
    Json.begin(in, "the body");
    for (String field = in.nextFieldName(); field != null; field = in.nextFieldName()) {
      switch (field) {
        case "contract" -> contract = contract(in);
        case "clip" -> clip = clip(in);
        case "decision" -> decision = Json.text(in, "decision");
        case "scheduler" -> scheduler = Json.text(in, "scheduler");
        case "mode" -> mode = mode(Json.text(in, "mode"));
        case "pod" -> pod = PodReader.read(in);
        case "sentAt" -> news.sentAt(in);
        case "events" -> news.events(in);
        case "nodes" -> {
          if (sawNodes) {
            throw Problem.badRequest("nodes are there twice: send them as JSON or as columns");
          }
          nodes(in);
          sawNodes = true;
        }
        default -> throw Json.unknown(field, FIELDS);
      }
    }
    Json.end(in);
    Json.required(decision, "decision");
    if (pod == null || !sawNodes) {
      throw Problem.badRequest(
          (pod == null ? "pod" : "nodes") + " is missing: every request names it");
    }
    return new ScoreRequest(
        decision, scheduler, mode, clip, pod, candidates(), news.reservations(scheduler));
  }

  private static int contract(JsonParser in) throws IOException {
    long told = Json.number(in, "contract", 1);
    if (told > Schedulers.CONTRACT) {
      throw Problem.badRequest(
          "contract is %d, this service speaks up to %d: upgrade the service before the scheduler"
              .formatted(told, Schedulers.CONTRACT));
    }
    return (int) told;
  }

  private static double clip(JsonParser in) throws IOException {
    if (!in.nextToken().isNumeric()) {
      throw Columns.wrong(in, "clip", "a number");
    }
    double told = in.getDoubleValue();
    if (!(told >= 0 && told <= 1)) {
      throw Problem.badRequest("clip is " + told + ", must be 0 to 1");
    }
    return told;
  }

  private static Mode mode(String text) {
    try {
      return Mode.of(text);
    } catch (IllegalArgumentException e) {
      throw Problem.badRequest(String.valueOf(e.getMessage()));
    }
  }

  private void nodes(JsonParser in) throws IOException {
    Json.begin(in, "nodes");
    int n = 0;
    for (String field = in.nextFieldName(); field != null; field = in.nextFieldName()) {
      switch (field) {
        case "names" -> {
          names = names(in);
          n = names.length;
        }
        case "cpuMilli" -> cpu = Columns.longs(in, "nodes.cpuMilli", n);
        case "memoryBytes" -> memory = Columns.longs(in, "nodes.memoryBytes", n);
        case "podLimit" -> podLimit = Columns.ints(in, "nodes.podLimit", n);
        case "cpuRequestedMilli" -> cpuRequested = Columns.longs(in, "nodes.cpuRequestedMilli", n);
        case "memoryRequestedBytes" ->
            memoryRequested = Columns.longs(in, "nodes.memoryRequestedBytes", n);
        case "podCount" -> podCount = Columns.ints(in, "nodes.podCount", n);
        case "pendingCpuMilli" -> pendingCpu = Columns.longs(in, "nodes.pendingCpuMilli", n);
        case "pendingMemoryBytes" ->
            pendingMemory = Columns.longs(in, "nodes.pendingMemoryBytes", n);
        case "pendingPods" -> pendingPods = Columns.ints(in, "nodes.pendingPods", n);
        case "zones" -> zones = Columns.strings(in, "nodes.zones", n);
        case "racks" -> racks = Columns.strings(in, "nodes.racks", n);
        case "gpuModels" -> gpuModels = Columns.strings(in, "nodes.gpuModels", n);
        case "gpuFreeMilli" ->
            gpuFree = Columns.freeAmounts(in, "nodes.gpuFreeMilli", n, overdrawn);
        default -> throw Json.unknown("nodes." + field, NODE_FIELDS);
      }
    }
  }

  private String[] names(JsonParser in) throws IOException {
    String[] column = Columns.strings(in, "nodes.names", 0);
    refuseTooMany(column.length);
    refuseEmpty(column);
    refuseDuplicates(column);
    return column;
  }

  private void refuseTooMany(int candidates) {
    if (candidates > most) {
      throw Problem.badRequest(
          "nodes.names has %d entries, at most %d are taken: raise server.max-candidates"
              .formatted(candidates, most));
    }
  }

  private static void refuseEmpty(String[] names) {
    for (int i = 0; i < names.length; i++) {
      if (names[i].isEmpty()) {
        throw Problem.badRequest("nodes.names[" + i + "] is empty: every candidate has a name");
      }
    }
  }

  private Candidates candidates() {
    String[] nodeNames = required(names, "names");
    int n = nodeNames.length;
    if (n == 0) {
      throw Problem.badRequest("nodes.names is empty: a decision needs at least one candidate");
    }
    if ((gpuModels == null) != (gpuFree == null)) {
      throw Problem.badRequest(
          "nodes.gpuModels and nodes.gpuFreeMilli come together or not at all");
    }
    try {
      return new Candidates(
          nodeNames,
          required(cpu, "cpuMilli"),
          required(memory, "memoryBytes"),
          required(podLimit, "podLimit"),
          required(cpuRequested, "cpuRequestedMilli"),
          required(memoryRequested, "memoryRequestedBytes"),
          required(podCount, "podCount"),
          required(pendingCpu, "pendingCpuMilli"),
          required(pendingMemory, "pendingMemoryBytes"),
          required(pendingPods, "pendingPods"),
          zones == null ? blank(n) : zones,
          racks == null ? blank(n) : racks,
          gpuModels == null || gpuFree == null ? null : new GpuColumns(gpuModels, gpuFree));
    } catch (IllegalArgumentException e) {
      throw Problem.badRequest("nodes: " + e.getMessage());
    }
  }

  /** 5,000 names take about 0.1 ms; a name that is there twice would be learned from twice. */
  private static void refuseDuplicates(String[] names) {
    Set<String> seen = new HashSet<>(names.length * 2);
    for (int i = 0; i < names.length; i++) {
      if (!seen.add(names[i])) {
        throw Problem.badRequest("nodes.names[" + i + "] '" + names[i] + "' is there twice");
      }
    }
  }

  private static <T> T required(@Nullable T column, String name) {
    if (column == null) {
      throw Problem.badRequest("nodes." + name + " is missing: every request carries this column");
    }
    return column;
  }

  private static String[] blank(int n) {
    String[] column = new String[n];
    Arrays.fill(column, "");
    return column;
  }
}

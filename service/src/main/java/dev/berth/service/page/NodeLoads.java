package dev.berth.service.page;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.policy.state.NodeColumns;
import dev.berth.policy.state.SampleState;
import dev.berth.service.scoring.NodeTable.KnownNode;
import dev.berth.service.scoring.SharedState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What the nodes carry, in thousandths of each: measured, requested, in flight, and forecast ahead.
 * What is not known is null, never zero: of a sample too old to steer by, nothing is told but its
 * time.
 */
final class NodeLoads {
  /** Nodes read under one hold of the scorer's lock: a few hundred microseconds. */
  private static final int CHUNK = 250;

  static final double[] HORIZONS = PredictThenGreedy.HORIZONS;
  private static final double UNKNOWN = Double.NaN;

  private final int n;
  private final char[] states;
  private final double[] sampledAt;
  private final double[] cpu;
  private final double[] memory;
  private final double[] inFlight;
  private final double[] cpuRequested;
  private final double[] memoryRequested;
  private final double[] pods;
  private final double[][] forecast;

  private NodeLoads(int n) {
    this.n = n;
    states = new char[n];
    Arrays.fill(states, letter(SampleState.ABSENT));
    sampledAt = unknown(n);
    cpu = unknown(n);
    memory = unknown(n);
    inFlight = unknown(n);
    cpuRequested = unknown(n);
    memoryRequested = unknown(n);
    pods = unknown(n);
    forecast = new double[HORIZONS.length][];
    Arrays.setAll(forecast, h -> unknown(n));
  }

  private static double[] unknown(int n) {
    double[] column = new double[n];
    Arrays.fill(column, UNKNOWN);
    return column;
  }

  static NodeLoads of(List<KnownNode> nodes, SharedState shared) {
    NodeLoads loads = new NodeLoads(nodes.size());
    for (int from = 0; from < nodes.size(); from += CHUNK) {
      loads.read(nodes, from, Math.min(nodes.size(), from + CHUNK), shared);
    }
    return loads;
  }

  private void read(List<KnownNode> nodes, int from, int to, SharedState shared) {
    List<Integer> sized = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      KnownNode node = nodes.get(i);
      if (node.cpuMilli() > 0) {
        sized.add(i);
      }
      if (node.namedByScheduler()) { // metrics do not tell of requests
        cpuRequested[i] = share(node.cpuRequestedMilli(), node.cpuMilli());
        memoryRequested[i] = share(node.memoryRequestedBytes(), node.memoryBytes());
        pods[i] = node.podCount();
      }
    }
    Candidates some = columns(sized.stream().map(nodes::get).toList());
    record Read(double now, NodeColumns known, double[] ledger, double[][] expected) {}
    double now = shared.now();
    Read read =
        shared.read(
            state ->
                new Read(
                    now,
                    state.columns(some, now),
                    state.ledgerCpu(some, now),
                    state.expectedCpu(some, now, HORIZONS)));
    for (int k = 0; k < sized.size(); k++) {
      int i = sized.get(k);
      take(i, k, some, read.known(), read.expected(), read.now());
      SampleState state = read.known().state()[k];
      if (state == SampleState.FRESH || state == SampleState.AGING) {
        inFlight[i] = share(read.ledger()[k], some.cpuMilli()[k] / 1000.0);
      }
    }
  }

  private void take(
      int i, int k, Candidates some, NodeColumns known, double[][] expected, double now) {
    SampleState state = known.state()[k];
    double cores = some.cpuMilli()[k] / 1000.0;
    states[i] = letter(state);
    sampledAt[i] = now - known.sampleAge()[k];
    if (state == SampleState.FRESH || state == SampleState.AGING) {
      cpu[i] = share(known.cpu()[k], cores);
      memory[i] = share(known.memory()[k], some.memoryBytes()[k]);
    }
    for (int h = 0; h < HORIZONS.length; h++) {
      forecast[h][i] = share(expected[h][k], cores);
    }
  }

  private static char letter(SampleState state) {
    return switch (state) {
      case FRESH -> 'f';
      case AGING -> 'g';
      case STALE -> 's';
      case ABSENT -> 'a';
    };
  }

  private static double share(double part, double whole) {
    return whole > 0 ? part / whole : UNKNOWN;
  }

  private static Candidates columns(List<KnownNode> nodes) {
    int n = nodes.size();
    return new Candidates(
        nodes.stream().map(KnownNode::name).toArray(String[]::new),
        nodes.stream().mapToLong(KnownNode::cpuMilli).toArray(),
        nodes.stream().mapToLong(KnownNode::memoryBytes).toArray(),
        nodes.stream().mapToInt(KnownNode::podLimit).toArray(),
        nodes.stream().mapToLong(KnownNode::requestedMilli).toArray(),
        nodes.stream().mapToLong(KnownNode::memoryRequestedBytes).toArray(),
        nodes.stream().mapToInt(KnownNode::podCount).toArray(),
        new long[n],
        new long[n],
        new int[n],
        nodes.stream().map(KnownNode::zone).toArray(String[]::new),
        nodes.stream().map(KnownNode::rack).toArray(String[]::new),
        null);
  }

  /**
   * @param roster tag of the roster whose order this is in
   */
  void write(String roster, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeStringField("roster", roster);
    out.writeArrayFieldStart("horizons");
    for (double seconds : HORIZONS) {
      out.writeNumber(Math.round(seconds));
    }
    out.writeEndArray();
    out.writeStringField("state", new String(states));
    rounded(out, "sampledAt", sampledAt, 1);
    rounded(out, "cpu", cpu, 1000);
    rounded(out, "memory", memory, 1000);
    rounded(out, "inFlight", inFlight, 1000);
    rounded(out, "cpuRequested", cpuRequested, 1000);
    rounded(out, "memoryRequested", memoryRequested, 1000);
    rounded(out, "pods", pods, 1);
    out.writeArrayFieldStart("forecast");
    for (double[] column : forecast) {
      out.writeStartArray();
      numbers(out, column, 1000);
      out.writeEndArray();
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private void rounded(JsonGenerator out, String name, double[] column, int unit)
      throws IOException {
    out.writeArrayFieldStart(name);
    numbers(out, column, unit);
    out.writeEndArray();
  }

  private void numbers(JsonGenerator out, double[] column, int unit) throws IOException {
    for (int i = 0; i < n; i++) {
      if (Double.isFinite(column[i])) {
        out.writeNumber(Math.round(unit * column[i]));
      } else {
        out.writeNull();
      }
    }
  }
}

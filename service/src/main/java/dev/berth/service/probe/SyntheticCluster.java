package dev.berth.service.probe;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.Scorer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;

/** A cluster of equal nodes with ten pods each and fresh samples, and requests about it. */
public final class SyntheticCluster {
  /** The type of {@link #columnsRequest}. */
  public static final String COLUMNS = "application/vnd.berth.columns";

  private static final int PODS_PER_NODE = 10;
  private static final int OWNERS = 100;

  private final String[] names;

  // What is requested on each before anything was placed by a question.
  private final long[] cpuRequestedMilli;
  private final long[] memoryRequestedBytes;
  private final int[] podCount;

  public SyntheticCluster(int nodes) {
    names = new String[nodes];
    Arrays.setAll(names, "worker-%04d.cluster.local"::formatted);
    SplittableRandom random = new SplittableRandom(nodes);
    cpuRequestedMilli = random.longs(nodes, 5_000, 50_000).toArray();
    memoryRequestedBytes = random.longs(nodes, 1L << 30, 1L << 37).toArray();
    podCount = random.ints(nodes, 10, 60).toArray();
  }

  /** Tells a scorer which pods run and what the nodes were last seen to use. */
  public void fill(Scorer scorer) {
    SplittableRandom random = new SplittableRandom(1);
    double now = scorer.now();
    List<OutcomeEvent> events = new ArrayList<>();
    for (int node = 0; node < names.length; node++) {
      for (int pod = 0; pod < PODS_PER_NODE; pod++) {
        String uid = node + "-" + pod;
        events.add(
            new OutcomeEvent(
                OutcomeEvent.Type.ASSIGNED,
                now - 600,
                null,
                uid,
                names[node],
                pod(uid, pod, random)));
      }
    }
    scorer.intake().apply(events);
    measure(scorer, now - 60, random);
  }

  /** Every node is seen anew, over the second until now. */
  public void measure(Scorer scorer) {
    double now = scorer.now();
    measure(scorer, now - 2, new SplittableRandom(Math.round(now)));
  }

  private void measure(Scorer scorer, double from, SplittableRandom random) {
    List<NodeSample> samples = new ArrayList<>();
    for (int node = 0; node < names.length; node++) {
      double cores = random.nextDouble(1, 32);
      samples.add(
          new NodeSample(names[node], from, scorer.now() - 1, cores, 64e9, 100, Double.NaN));
    }
    scorer.intake().observe(samples, 1);
  }

  /** The pod of a decision on the node it was placed on, of an owner that has pods already. */
  public OutcomeEvent placed(
      OutcomeEvent.Type type, double at, String decision, long number, int node) {
    SplittableRandom random = new SplittableRandom(number);
    return new OutcomeEvent(type, at, decision, decision, names[node], pod(decision, 0, random));
  }

  private static Pod pod(String uid, int i, SplittableRandom random) {
    String owner = "default/ReplicaSet/app-" + random.nextInt(OWNERS);
    return new Pod(
        uid,
        "p-" + uid,
        "default",
        owner,
        0,
        500 + 100 * i,
        1L << 30,
        GpuRequest.NONE,
        LatencyLimits.NONE);
  }

  /**
   * Body of a score request that names every node. Variants differ in their pod, and from the next
   * one in two nodes, as a scheduler's questions do: to one of them a pod has come.
   */
  public byte[] scoreRequest(int variant) {
    return scoreRequest(variant, "", json -> {});
  }

  /** The same as binary columns, which is how the plugin asks about most pods. */
  public byte[] columnsRequest(int variant) {
    byte[] head = (head(variant, "") + "}").getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = ByteBuffer.allocate(head.length + 100 * names.length + 10_000);
    out.order(ByteOrder.LITTLE_ENDIAN);
    out.put("BQ1\n".getBytes(StandardCharsets.US_ASCII))
        .putInt(head.length)
        .put(head)
        .putInt(names.length);
    int size = out.position();
    out.putInt(0);
    for (String name : names) {
      text(out, name);
    }
    out.putInt(size, out.position() - size - Integer.BYTES);
    for (long same : new long[] {64_000, 274_877_906_944L, 110}) {
      out.put((byte) 0).putLong(same);
    }
    numbers(out, i -> cpuRequestedMilli[i] + come(i, variant) * 500L);
    numbers(out, i -> memoryRequestedBytes[i] + ((long) come(i, variant) << 30));
    numbers(out, i -> podCount[i] + come(i, variant));
    for (int pending = 0; pending < 3; pending++) {
      out.put((byte) 0).putLong(0);
    }
    labels(out, "zone-", 3);
    labels(out, "rack-", 40);
    return Arrays.copyOf(out.array(), out.position());
  }

  /** Pods that have come to a node by the time of a variant. */
  private int come(int node, int variant) {
    return node == variant % names.length ? 1 : 0;
  }

  private void numbers(ByteBuffer out, IntToLongFunction value) {
    out.put((byte) Long.BYTES);
    for (int i = 0; i < names.length; i++) {
      out.putLong(value.applyAsLong(i));
    }
  }

  private void labels(ByteBuffer out, String name, int most) {
    int different = Math.min(most, names.length);
    out.putInt(different);
    for (int i = 0; i < different; i++) {
      text(out, name + i);
    }
    numbers(out, i -> i % different);
  }

  private static void text(ByteBuffer out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    out.putShort((short) bytes.length).put(bytes);
  }

  /** The same for a pod that wants half a GPU, on nodes of four. */
  public byte[] gpuScoreRequest(int variant) {
    SplittableRandom random = new SplittableRandom(variant);
    return scoreRequest(
        variant,
        ",\"gpu\":{\"count\":1,\"milli\":500}",
        json -> {
          column(json, "gpuModels", i -> json.append("\"T4\""));
          column(
              json,
              "gpuFreeMilli",
              i -> json.append("[1000,1000,500,").append(random.nextInt(1001)).append(']'));
        });
  }

  private byte[] scoreRequest(int variant, String gpu, Consumer<StringBuilder> more) {
    StringBuilder json = new StringBuilder(160 * names.length + 500);
    json.append(head(variant, gpu)).append(",\"nodes\":{");
    column(json, "names", i -> json.append('"').append(names[i]).append('"'));
    column(json, "cpuMilli", i -> json.append(64_000));
    column(json, "memoryBytes", i -> json.append(274_877_906_944L));
    column(json, "podLimit", i -> json.append(110));
    column(
        json,
        "cpuRequestedMilli",
        i -> json.append(cpuRequestedMilli[i] + come(i, variant) * 500L));
    column(
        json,
        "memoryRequestedBytes",
        i -> json.append(memoryRequestedBytes[i] + ((long) come(i, variant) << 30)));
    column(json, "podCount", i -> json.append(podCount[i] + come(i, variant)));
    column(json, "pendingCpuMilli", i -> json.append(0));
    column(json, "pendingMemoryBytes", i -> json.append(0));
    column(json, "pendingPods", i -> json.append(0));
    column(json, "zones", i -> json.append("\"zone-").append(i % 3).append('"'));
    column(json, "racks", i -> json.append("\"rack-").append(i % 40).append('"'));
    more.accept(json);
    json.setLength(json.length() - 1);
    return json.append("}}").toString().getBytes(StandardCharsets.UTF_8);
  }

  /** All but the nodes, and the last bracket. */
  private static String head(int variant, String gpu) {
    return """
    {"decision":"6f0d6a1e-5d5c-4f6b-9a53-0c1e4b0a7a11/%1$d","scheduler":"bench/0","mode":"active",\
    "pod":{"uid":"6f0d6a1e-%1$d","name":"app-x","namespace":"default",\
    "owner":"default/ReplicaSet/app-%1$d","priority":0,"cpuMilli":500,"memoryBytes":1073741824%2$s}\
    """
        .formatted(variant, gpu);
  }

  private void column(StringBuilder json, String name, Consumer<Integer> value) {
    json.append('"').append(name).append("\":[");
    for (int i = 0; i < names.length; i++) {
      value.accept(i);
      json.append(i + 1 < names.length ? "," : "],");
    }
  }
}

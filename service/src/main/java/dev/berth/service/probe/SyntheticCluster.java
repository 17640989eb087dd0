package dev.berth.service.probe;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.Scorer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** A cluster of equal nodes with ten pods each and fresh samples, and requests about it. */
public final class SyntheticCluster {
  private static final int PODS_PER_NODE = 10;
  private static final int OWNERS = 100;

  private final int nodes;

  public SyntheticCluster(int nodes) {
    this.nodes = nodes;
  }

  /** Tells a scorer which pods run and what the nodes were last seen to use. */
  public void fill(Scorer scorer) {
    SplittableRandom random = new SplittableRandom(1);
    double now = scorer.now();
    List<OutcomeEvent> events = new ArrayList<>();
    List<NodeSample> samples = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      for (int pod = 0; pod < PODS_PER_NODE; pod++) {
        String uid = node + "-" + pod;
        events.add(
            new OutcomeEvent(
                OutcomeEvent.Type.ASSIGNED,
                now - 600,
                null,
                uid,
                name(node),
                pod(uid, pod, random)));
      }
      samples.add(
          new NodeSample(
              name(node), now - 60, now - 1, random.nextDouble(1, 32), 64e9, 100, Double.NaN));
    }
    scorer.apply(events);
    scorer.observe(samples, 1);
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

  private static String name(int node) {
    return "worker-%04d.cluster.local".formatted(node);
  }

  /** Body of a score request that names every node; variants differ in pod and load. */
  public byte[] scoreRequest(int variant) {
    return scoreRequest(variant, "", json -> {});
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
    SplittableRandom random = new SplittableRandom(variant);
    StringBuilder json = new StringBuilder(160 * nodes + 500);
    json.append(
        """
        {"decision":"6f0d6a1e-5d5c-4f6b-9a53-0c1e4b0a7a11/%1$d","scheduler":"bench/0","mode":"active",\
        "pod":{"uid":"6f0d6a1e-%1$d","name":"app-x","namespace":"default",\
        "owner":"default/ReplicaSet/app-%1$d","priority":0,"cpuMilli":500,"memoryBytes":1073741824%2$s},\
        "nodes":{\
        """
            .formatted(variant, gpu));
    column(json, "names", i -> json.append('"').append(name(i)).append('"'));
    column(json, "cpuMilli", i -> json.append(64_000));
    column(json, "memoryBytes", i -> json.append(274_877_906_944L));
    column(json, "podLimit", i -> json.append(110));
    column(json, "cpuRequestedMilli", i -> json.append(random.nextInt(5_000, 50_000)));
    column(json, "memoryRequestedBytes", i -> json.append(random.nextLong(1L << 30, 1L << 37)));
    column(json, "podCount", i -> json.append(random.nextInt(10, 60)));
    column(json, "pendingCpuMilli", i -> json.append(0));
    column(json, "pendingMemoryBytes", i -> json.append(0));
    column(json, "pendingPods", i -> json.append(0));
    column(json, "zones", i -> json.append("\"zone-").append(i % 3).append('"'));
    column(json, "racks", i -> json.append("\"rack-").append(i % 40).append('"'));
    more.accept(json);
    json.setLength(json.length() - 1);
    return json.append("}}").toString().getBytes(StandardCharsets.UTF_8);
  }

  private void column(StringBuilder json, String name, Consumer<Integer> value) {
    json.append('"').append(name).append("\":[");
    for (int i = 0; i < nodes; i++) {
      value.accept(i);
      json.append(i + 1 < nodes ? "," : "],");
    }
  }
}

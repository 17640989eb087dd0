package dev.berth.workbench.soak;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;

/**
 * Nodes, the pods on them and what these use. Every owner's pods use a share of their request that
 * the service does not know and can learn. Thread-safe.
 */
final class SoakCluster {
  private static final int OWNERS = 200;

  /** Pods that run from the start to the end; those that are placed come on top. */
  private static final int PODS_PER_NODE = 5;

  private static final long GIB = 1L << 30;
  private static final double SYSTEM_CORES = 0.2;
  private static final double SYSTEM_BYTES = 2.0 * GIB;

  /** Pods of one make. */
  private record Owner(String name, int cpuMilli, long memoryBytes, double cores, double bytes) {}

  /** A pod without a node yet, and its JSON. */
  record NewPod(String uid, int owner, String json) {}

  private record Running(NewPod pod, int node, long ends) {}

  /** What the nodes use now: cores, bytes and pods, {@code [nodes]} each. */
  record Usage(double[] cores, double[] bytes, int[] pods) {}

  private final List<Owner> owners = new ArrayList<>();
  private final String[] names;
  private final int[] cpuMilli;
  private final long[] cpuRequested;
  private final long[] memoryRequested;
  private final int[] pods;
  private final double[] cores;
  private final double[] bytes;
  private final PriorityQueue<Running> running =
      new PriorityQueue<>((a, b) -> Long.compare(a.ends(), b.ends()));
  private final SplittableRandom random;
  private int made;
  private int firstCandidate;

  SoakCluster(int nodes, SplittableRandom random) {
    this.random = random;
    names = new String[nodes];
    cpuMilli = new int[nodes];
    cpuRequested = new long[nodes];
    memoryRequested = new long[nodes];
    pods = new int[nodes];
    cores = new double[nodes];
    bytes = new double[nodes];
    for (int i = 0; i < OWNERS; i++) {
      int cpu = 50 * random.nextInt(1, 11);
      long memory = random.nextLong(GIB / 8, GIB);
      double share = random.nextDouble(0.1, 1.2);
      owners.add(
          new Owner(
              "default/Deployment/app-" + i,
              cpu,
              memory,
              share * cpu / 1000,
              memory * random.nextDouble(0.2, 0.9)));
    }
    for (int node = 0; node < nodes; node++) {
      names[node] = "worker-%04d.cluster.local".formatted(node);
      cpuMilli[node] = 8_000 << node % 3;
      cores[node] = SYSTEM_CORES;
      bytes[node] = SYSTEM_BYTES;
    }
  }

  int nodes() {
    return names.length;
  }

  String name(int node) {
    return names[node];
  }

  int cpuMilli(int node) {
    return cpuMilli[node];
  }

  long memoryBytes(int node) {
    return 4 * GIB * cpuMilli[node] / 1000;
  }

  /** Fills the nodes with pods that never end; gives them with their nodes. */
  synchronized void fill(Placed told) {
    for (int node = 0; node < names.length; node++) {
      for (int i = 0; i < PODS_PER_NODE; i++) {
        NewPod pod = newPod();
        place(pod, node, Long.MAX_VALUE);
        told.placed(pod, node);
      }
    }
  }

  /** Told of a pod and its node. */
  @FunctionalInterface
  interface Placed {
    void placed(NewPod pod, int node);
  }

  synchronized NewPod newPod() {
    int owner = random.nextInt(OWNERS);
    Owner o = owners.get(owner);
    String uid = "soak-" + made++;
    return new NewPod(
        uid,
        owner,
        """
        {"uid":"%s","name":"%1$s","namespace":"default","owner":"%s","priority":0,\
        "cpuMilli":%d,"memoryBytes":%d}\
        """
            .formatted(uid, o.name(), o.cpuMilli(), o.memoryBytes()));
  }

  /**
   * @param ends on the clock of nanoseconds
   */
  synchronized void place(NewPod pod, int node, long ends) {
    running.add(new Running(pod, node, ends));
    account(pod, node, 1);
  }

  /** Takes off the pods that have ended. */
  synchronized void end(long now, Placed told) {
    for (Running r = running.peek(); r != null && r.ends() <= now; r = running.peek()) {
      running.remove();
      account(r.pod(), r.node(), -1);
      told.placed(r.pod(), r.node());
    }
  }

  private void account(NewPod pod, int node, int sign) {
    Owner o = owners.get(pod.owner());
    cpuRequested[node] += (long) sign * o.cpuMilli();
    memoryRequested[node] += sign * o.memoryBytes();
    cores[node] += sign * o.cores();
    bytes[node] += sign * o.bytes();
    pods[node] += sign;
  }

  synchronized Usage usage() {
    return new Usage(cores.clone(), bytes.clone(), pods.clone());
  }

  synchronized int running() {
    return running.size();
  }

  /** A body of {@code POST /v1/score} and what its candidates are. */
  record ScoreRequest(byte[] body, int first, NewPod pod) {}

  /** The node that candidate {@code i} is. */
  int node(ScoreRequest request, int i) {
    return (request.first() + i) % names.length;
  }

  /** Asks about as many candidates, beginning where the last ones ended, as kube-scheduler does. */
  synchronized ScoreRequest scoreRequest(String decision, NewPod pod, int candidates) {
    int first = firstCandidate;
    firstCandidate = (firstCandidate + candidates) % names.length;
    StringBuilder json = new StringBuilder(120 * candidates + 500);
    json.append("{\"decision\":\"").append(decision);
    json.append("\",\"scheduler\":\"soak/0\",\"mode\":\"active\",\"pod\":").append(pod.json());
    json.append(",\"nodes\":{\"names\":[");
    for (int i = 0; i < candidates; i++) {
      json.append(i == 0 ? "\"" : ",\"").append(names[(first + i) % names.length]).append('"');
    }
    json.append(']');
    column(json, "cpuMilli", first, candidates, n -> cpuMilli[n]);
    column(json, "memoryBytes", first, candidates, this::memoryBytes);
    column(json, "podLimit", first, candidates, n -> 110);
    column(json, "cpuRequestedMilli", first, candidates, n -> cpuRequested[n]);
    column(json, "memoryRequestedBytes", first, candidates, n -> memoryRequested[n]);
    column(json, "podCount", first, candidates, n -> pods[n]);
    column(json, "pendingCpuMilli", first, candidates, n -> 0);
    column(json, "pendingMemoryBytes", first, candidates, n -> 0);
    column(json, "pendingPods", first, candidates, n -> 0);
    json.append("}}");
    return new ScoreRequest(json.toString().getBytes(StandardCharsets.UTF_8), first, pod);
  }

  private void column(
      StringBuilder json, String name, int first, int candidates, IntToLongFunction value) {
    json.append(",\"").append(name).append("\":[");
    for (int i = 0; i < candidates; i++) {
      if (i > 0) {
        json.append(',');
      }
      json.append(value.applyAsLong((first + i) % names.length));
    }
    json.append(']');
  }
}

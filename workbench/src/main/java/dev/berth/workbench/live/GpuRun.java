package dev.berth.workbench.live;

import dev.berth.policy.text.Units;
import dev.berth.simulator.gpu.GpuTrace.NodeRow;
import dev.berth.simulator.gpu.GpuTrace.PodRow;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/**
 * Plays pods of a GPU trace on fake GPU nodes of a real control plane, and reads back from the API
 * server's own objects what became of them: who has which card, and why the rest waits.
 *
 * <p>Keys are those of the published trace's tools, as the scheduler plugin's defaults.
 */
public final class GpuRun {
  private static final String COUNT = "alibabacloud.com/gpu-count";
  private static final String MILLI = "alibabacloud.com/gpu-milli";
  private static final String MODEL = "alibabacloud.com/gpu-card-model";
  private static final String CARDS = "alibabacloud.com/gpu-index";
  private static final String MARK = "berth.dev/gpu-run";
  private static final int CARD_MILLI = 1000;

  private final KubernetesClient kube;
  private final String namespace;

  public GpuRun(KubernetesClient kube, String namespace) {
    this.kube = kube;
    this.namespace = namespace;
  }

  /** Creates a node; KWOK makes it ready. */
  public void addNode(NodeRow row) {
    Map<String, Quantity> room = new HashMap<>();
    room.put("cpu", new Quantity(row.cpuMilli() + "m"));
    room.put("memory", new Quantity(Long.toString(row.memoryBytes())));
    room.put("pods", new Quantity("110"));
    room.put(COUNT, new Quantity(Integer.toString(row.cards())));
    Node node =
        new NodeBuilder()
            .withNewMetadata()
            .withName(row.name())
            .addToLabels("type", "kwok")
            .addToLabels("kubernetes.io/hostname", row.name())
            .addToLabels(MARK, "true")
            .addToLabels(MODEL, row.model())
            .endMetadata()
            .withNewStatus()
            .withCapacity(room)
            .withAllocatable(room)
            .endStatus()
            .build();
    kube.resource(node).create();
  }

  /** Creates a pod that asks for cards by annotation. */
  public void addPod(PodRow row) {
    PodBuilder pod =
        new PodBuilder()
            .withNewMetadata()
            .withName(row.name())
            .withNamespace(namespace)
            .addToLabels(MARK, "true")
            .endMetadata()
            .withNewSpec()
            .addToNodeSelector(MARK, "true")
            .addNewContainer()
            .withName("work")
            .withImage("busybox")
            .withNewResources()
            .addToRequests("cpu", new Quantity(row.shape().cpuMilli() + "m"))
            .addToRequests("memory", new Quantity(Long.toString(row.shape().memoryBytes())))
            .endResources()
            .endContainer()
            .endSpec();
    if (row.shape().gpu().count() > 0) {
      pod.editMetadata()
          .addToAnnotations(COUNT, Integer.toString(row.shape().gpu().count()))
          .addToAnnotations(MILLI, Integer.toString(row.shape().gpu().milli()))
          .endMetadata();
      if (!row.shape().gpu().models().isEmpty()) {
        pod.editMetadata()
            .addToAnnotations(MODEL, String.join("|", row.shape().gpu().models()))
            .endMetadata();
      }
    }
    kube.resource(pod.build()).create();
  }

  /**
   * Waits until every pod is bound or has been found unschedulable.
   *
   * @param decided hears how many are
   * @return false when the time was over first
   */
  public boolean await(int pods, long millis, IntConsumer decided) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    while (System.nanoTime() < end) {
      int count = 0;
      for (Pod pod : list()) {
        count += pod.getSpec().getNodeName() != null || !whyPending(pod).isEmpty() ? 1 : 0;
      }
      decided.accept(count);
      if (count >= pods) {
        return true;
      }
      Thread.sleep(500);
    }
    return false;
  }

  /** What the API server's objects say. */
  public Result read() {
    Map<String, int[]> used = new HashMap<>();
    Map<String, Integer> capacity = new HashMap<>();
    for (Node node : kube.nodes().withLabel(MARK, "true").list().getItems()) {
      Quantity offered = node.getStatus().getAllocatable().get(COUNT);
      int cards = (int) LivePods.amount(offered);
      used.put(node.getMetadata().getName(), new int[cards]);
      capacity.put(node.getMetadata().getName(), cards);
    }
    int bound = 0;
    int withoutCards = 0;
    Map<String, Integer> pending = new TreeMap<>();
    for (Pod pod : list()) {
      String nodeName = pod.getSpec().getNodeName();
      if (nodeName == null) {
        pending.merge(whyPending(pod), 1, Integer::sum);
        continue;
      }
      bound++;
      Map<String, String> notes = pod.getMetadata().getAnnotations();
      if (notes == null || !notes.containsKey(MILLI)) {
        continue;
      }
      int[] node = used.getOrDefault(nodeName, new int[0]);
      List<Integer> cards = cards(notes, node.length);
      withoutCards += cards.isEmpty() ? 1 : 0;
      for (int card : cards) {
        node[card] += Units.whole(notes.get(MILLI));
      }
    }
    int over = 0;
    long total = 0;
    int fullest = 0;
    for (int[] node : used.values()) {
      for (int milli : node) {
        over += milli > CARD_MILLI ? 1 : 0;
        total += milli;
        fullest = Math.max(fullest, milli);
      }
    }
    int cards = capacity.values().stream().mapToInt(Integer::intValue).sum();
    return new Result(bound, pending, withoutCards, over, fullest, total / (10.0 * cards));
  }

  /**
   * The cards that a bound pod's annotations name.
   *
   * @param onNode cards that its node has
   * @return empty where the annotations make no sense together: anybody may have written them
   */
  static List<Integer> cards(Map<String, String> notes, int onNode) {
    try {
      long count = Units.whole(notes.getOrDefault(COUNT, ""), 1, onNode);
      Units.whole(notes.getOrDefault(MILLI, ""), 1, CARD_MILLI);
      List<Integer> cards =
          Arrays.stream(notes.getOrDefault(CARDS, "").split("-", -1))
              .map(card -> (int) Units.whole(card, 0, onNode - 1))
              .distinct()
              .toList();
      return cards.size() == count ? cards : List.of();
    } catch (IllegalArgumentException e) {
      return List.of();
    }
  }

  /** Removes the pods and nodes of such runs. */
  public void clean() {
    kube.pods().inNamespace(namespace).withLabel(MARK, "true").withGracePeriod(0).delete();
    kube.nodes().withLabel(MARK, "true").delete();
  }

  private List<Pod> list() {
    return kube.pods().inNamespace(namespace).withLabel(MARK, "true").list().getItems();
  }

  private static String whyPending(Pod pod) {
    if (pod.getStatus() != null) {
      for (PodCondition c : pod.getStatus().getConditions()) {
        if ("PodScheduled".equals(c.getType()) && "False".equals(c.getStatus())) {
          return c.getMessage() == null ? "unschedulable" : c.getMessage();
        }
      }
    }
    return "";
  }

  /**
   * The outcome.
   *
   * @param pending pods that wait, by the scheduler's own reason
   * @param withoutCards bound GPU pods whose annotation names no valid cards
   * @param overfullCards cards above 1000 milli
   * @param fullestCard milli on the fullest card
   * @param allocationPercent of the GPU capacity
   */
  public record Result(
      int bound,
      Map<String, Integer> pending,
      int withoutCards,
      int overfullCards,
      int fullestCard,
      double allocationPercent) {}
}

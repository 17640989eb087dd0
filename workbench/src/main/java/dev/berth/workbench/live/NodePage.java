package dev.berth.workbench.live;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes a reading under node_exporter's names, so that queries made for real nodes work. */
final class NodePage {
  private static final double USER_SHARE = 0.85; // the rest of the busy time is the kernel's
  private static final double DISK_BYTES = 100e9;
  private static final double DISK_BASE_BYTES = 8e9; // the system itself
  private static final double DISK_BYTES_PER_POD = 2e8; // an image layer and logs
  private static final double RUN_BYTES = 1e9;

  private NodePage() {}

  /**
   * The page of one node in Prometheus' text format.
   *
   * @param withPods whether it also says what cAdvisor would
   */
  static byte[] render(String node, NodeReading r, double bootedAt, boolean withPods)
      throws IOException {
    List<MetricSnapshot> all = snapshots(node, r, bootedAt);
    if (withPods && !r.pods().isEmpty()) {
      all.addAll(ofPods(r));
    }
    return text(new MetricSnapshots(all));
  }

  private static List<MetricSnapshot> ofPods(NodeReading r) {
    Map<Labels, Double> cpu = new LinkedHashMap<>();
    Map<Labels, Double> memory = new LinkedHashMap<>();
    for (NodeReading.OfPod pod : r.pods()) {
      Labels labels =
          Labels.of("namespace", pod.namespace(), "pod", pod.name(), "container", "main");
      cpu.put(labels, pod.cpuSeconds());
      memory.put(labels, pod.memoryBytes());
    }
    return List.of(
        counter("container_cpu_usage_seconds", "CPU that a container used.", cpu),
        gauge("container_memory_working_set_bytes", "Memory a container works with.", memory));
  }

  static byte[] text(MetricSnapshots snapshots) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new PrometheusTextFormatWriter(false).write(out, snapshots);
    return out.toByteArray();
  }

  private static List<MetricSnapshot> snapshots(String node, NodeReading r, double bootedAt) {
    double diskFree =
        Math.max(0, DISK_BYTES - DISK_BASE_BYTES - r.pods().size() * DISK_BYTES_PER_POD);
    List<MetricSnapshot> all = new ArrayList<>();
    all.add(cpu(r));
    all.add(gauge("node_memory_MemTotal_bytes", "Memory of the node.", r.memoryTotalBytes()));
    all.add(
        gauge(
            "node_memory_MemAvailable_bytes",
            "Memory that new pods could use.",
            r.memoryTotalBytes() - r.memoryUsedBytes()));
    all.add(gauge("node_netstat_Tcp_CurrEstab", "Established TCP connections.", r.connections()));
    all.add(
        counter(
            "node_network_receive_bytes",
            "Bytes received.",
            Map.of(Labels.of("device", "eth0"), r.receivedBytes())));
    all.add(
        counter(
            "node_network_transmit_bytes",
            "Bytes sent.",
            Map.of(Labels.of("device", "eth0"), r.receivedBytes())));
    Labels root = Labels.of("device", "/dev/vda1", "fstype", "ext4", "mountpoint", "/");
    Labels run = Labels.of("device", "tmpfs", "fstype", "tmpfs", "mountpoint", "/run");
    double runFree = RUN_BYTES * (1 - 0.005 * Math.min(100, r.pods().size()));
    all.add(filesystem("size", "Size", Map.of(root, DISK_BYTES, run, RUN_BYTES)));
    all.add(filesystem("free", "Free space", Map.of(root, diskFree, run, runFree)));
    all.add(filesystem("avail", "Space for ordinary users", Map.of(root, diskFree, run, runFree)));
    all.add(
        gauge(
            "node_uname_info",
            "The node's name.",
            Map.of(Labels.of("nodename", node, "sysname", "Linux", "machine", "x86_64"), 1.0)));
    all.add(gauge("node_boot_time_seconds", "When these counters were zero.", bootedAt));
    all.add(
        gauge(
            "berth_node_latency_milliseconds",
            "Request latency that contention for CPU causes on this node.",
            r.latencyMillis()));
    all.add(
        gauge(
            "berth_node_cpu_demand_cores",
            "CPU that the pods want; above the number of CPUs the node throttles.",
            r.demandCores()));
    return all;
  }

  /** One series per CPU and mode, as on a real node: queries count and average over `cpu`. */
  private static MetricSnapshot cpu(NodeReading r) {
    CounterSnapshot.Builder counter =
        CounterSnapshot.builder()
            .name("node_cpu_seconds")
            .help("Seconds the CPUs spent in each mode.");
    int cpus = (int) Math.max(1, Math.round(r.cores()));
    for (int cpu = 0; cpu < cpus; cpu++) {
      String name = String.valueOf(cpu);
      counter.dataPoint(point(Labels.of("cpu", name, "mode", "idle"), r.idleSeconds() / cpus));
      counter.dataPoint(
          point(Labels.of("cpu", name, "mode", "user"), USER_SHARE * r.busySeconds() / cpus));
      counter.dataPoint(
          point(
              Labels.of("cpu", name, "mode", "system"), (1 - USER_SHARE) * r.busySeconds() / cpus));
    }
    return counter.build();
  }

  private static MetricSnapshot filesystem(String what, String help, Map<Labels, Double> values) {
    return gauge("node_filesystem_" + what + "_bytes", help + " of the file system.", values);
  }

  private static CounterDataPointSnapshot point(Labels labels, double value) {
    return CounterDataPointSnapshot.builder().labels(labels).value(value).build();
  }

  private static MetricSnapshot counter(String name, String help, Map<Labels, Double> values) {
    CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(help);
    values.forEach((labels, value) -> counter.dataPoint(point(labels, value)));
    return counter.build();
  }

  private static MetricSnapshot gauge(String name, String help, double value) {
    return gauge(name, help, Map.of(Labels.EMPTY, value));
  }

  static MetricSnapshot gauge(String name, String help, Map<Labels, Double> values) {
    GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name).help(help);
    values.forEach(
        (labels, value) ->
            gauge.dataPoint(GaugeDataPointSnapshot.builder().labels(labels).value(value).build()));
    return gauge.build();
  }
}

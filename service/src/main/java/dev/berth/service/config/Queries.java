package dev.berth.service.config;

import java.util.List;

/**
 * One query per quantity, each for all nodes at once. An empty query is not asked and its quantity
 * stays unknown.
 */
public record Queries(
    @Doc(
            "CPU time used so far, in core-seconds: a counter. What it grew from one scrape to the"
                + " next is a sample.")
        String cpuSeconds,
    @Doc(
            "CPU used, in cores, as a mean over the window: instead of `cpu-seconds`, where only"
                + " rates are recorded. Of overlapping windows one in a window's length is learned"
                + " from.")
        String cpu,
    @Doc("Memory used, in bytes.") String memory,
    @Doc("Established TCP connections.") String connections,
    @Doc("Latency measured on the node, in milliseconds.") String latency,
    @Doc("Time of the newest scrape in seconds; the age of a sample counts from here.")
        String sampledAt,
    @Doc("Cores of the node; used only for nodes no scheduler has named yet.") String cpuCapacity,
    @Doc("Memory of the node in bytes; used only for nodes no scheduler has named yet.")
        String memoryCapacity,
    @Doc(
            "CPU time that a container of a pod used so far, in seconds: a counter, selected by name"
                + " and labels alone. Containers are summed up by the labels `namespace` and `pod`;"
                + " where Prometheus scrapes several clusters, select this one.")
        String podCpuSeconds,
    @Doc("Memory that a container of a pod works with, in bytes; summed up likewise.")
        String podMemory) {

  /** Names the quantity that a series of {@link #cpuReading} has. */
  public static final String QUANTITY = "berth_quantity";

  /** Not the pod's own group, which holds them all, and not what holds its network open. */
  private static final String CONTAINERS = "{container!=\"\",container!=\"POD\",pod!=\"\"}";

  public Queries {
    Check.that(
        !counters(cpuSeconds, cpu) || !sampledAt.isBlank(),
        "sampled-at",
        "a query while cpu-seconds is read, to know the time of its scrapes",
        "nothing");
  }

  /**
   * Counter and time of its scrape by one query, so that no scrape comes between them: {@link
   * #QUANTITY} is {@code cpu-seconds} or {@code sampled-at}. Empty where rates are asked for, or
   * nothing.
   */
  public String cpuReading() {
    return counters(cpuSeconds, cpu)
        ? quantity(cpuSeconds, "cpu-seconds") + " or " + quantity(sampledAt, "sampled-at")
        : "";
  }

  /**
   * Counter of every pod and the times of its scrapes by one query, as {@link #cpuReading}: {@code
   * cpu-seconds} is the sum over its containers, {@code sampled-at} the sum of the times that these
   * were scraped at, which tells how many they are and when in the mean.
   *
   * @param labels that series of a pod may differ by
   */
  public String podReading(List<String> labels) {
    return quantity(sum(labels, podCpuSeconds), "cpu-seconds")
        + " or "
        + quantity(sum(labels, "timestamp(" + podCpuSeconds + ")"), "sampled-at");
  }

  /** Memory of every pod, as {@link #podReading}; empty where it is not asked for. */
  public String podMemoryReading(List<String> labels) {
    return podMemory.isBlank() ? "" : sum(labels, podMemory);
  }

  private static String sum(List<String> labels, String query) {
    return "sum by (" + String.join(", ", labels) + ") (" + query + ")";
  }

  private static boolean counters(String cpuSeconds, String cpu) {
    return !cpuSeconds.isBlank() && cpu.isBlank();
  }

  private static String quantity(String query, String name) {
    return "label_replace(%s, \"%s\", \"%s\", \"\", \"\")".formatted(query, QUANTITY, name);
  }

  static Queries defaults() {
    // `without` keeps node, instance and job, whichever of them names the node.
    // iowait is time in which the CPU could have run something: idle, as `top` counts it.
    return new Queries(
        "sum without (cpu, mode) (node_cpu_seconds_total{mode!~\"idle|iowait\"})",
        "",
        "node_memory_MemTotal_bytes - node_memory_MemAvailable_bytes",
        "node_netstat_Tcp_CurrEstab",
        "berth_node_latency_milliseconds",
        "max without (cpu, mode) (timestamp(node_cpu_seconds_total{mode=\"idle\"}))",
        "count without (cpu, mode) (node_cpu_seconds_total{mode=\"idle\"})",
        "node_memory_MemTotal_bytes",
        "container_cpu_usage_seconds_total" + CONTAINERS,
        "container_memory_working_set_bytes" + CONTAINERS);
  }
}

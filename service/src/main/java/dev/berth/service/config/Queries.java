package dev.berth.service.config;

/**
 * One query per quantity, each for all nodes at once. An empty query is not asked and its quantity
 * stays unknown.
 */
public record Queries(
    @Doc("CPU used, in cores, as a mean over the window.") String cpu,
    @Doc("Memory used, in bytes.") String memory,
    @Doc("Established TCP connections.") String connections,
    @Doc("Latency measured on the node, in milliseconds.") String latency,
    @Doc("Time of the newest scrape in seconds; the age of a sample counts from here.")
        String sampledAt,
    @Doc("Cores of the node; used only for nodes no scheduler has named yet.") String cpuCapacity,
    @Doc("Memory of the node in bytes; used only for nodes no scheduler has named yet.")
        String memoryCapacity) {

  static Queries defaults() {
    // `without` keeps node, instance and job, whichever of them names the node.
    // iowait is time in which the CPU could have run something: idle, as `top` counts it.
    return new Queries(
        "sum without (cpu, mode) (rate(node_cpu_seconds_total{mode!~\"idle|iowait\"}[$window]))",
        "node_memory_MemTotal_bytes - node_memory_MemAvailable_bytes",
        "node_netstat_Tcp_CurrEstab",
        "berth_node_latency_milliseconds",
        "max without (cpu, mode) (timestamp(node_cpu_seconds_total{mode=\"idle\"}))",
        "count without (cpu, mode) (node_cpu_seconds_total{mode=\"idle\"})",
        "node_memory_MemTotal_bytes");
  }
}

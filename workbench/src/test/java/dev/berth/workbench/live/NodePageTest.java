package dev.berth.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodePageTest {
  private static List<String> page(NodeReading reading, boolean withPods) throws IOException {
    return new String(NodePage.render("node-3", reading, 1000, withPods), StandardCharsets.UTF_8)
        .lines()
        .toList();
  }

  private static final List<NodeReading.OfPod> PODS =
      List.of(new NodeReading.OfPod("shop", "web-0", 90, 1e9));
  private static final NodeReading READING =
      new NodeReading(4, 100, 300, 1.5, 8e9, 3e9, 42, 5000, 12.5, PODS);

  @Test
  void carriesTheNamesOfNodeExporterThatQueriesUse() throws IOException {
    assertThat(page(READING, false))
        .contains(
            "node_memory_MemTotal_bytes 8.0E9",
            "node_memory_MemAvailable_bytes 5.0E9",
            "node_netstat_Tcp_CurrEstab 42.0",
            "node_network_receive_bytes_total{device=\"eth0\"} 5000.0",
            "node_uname_info{machine=\"x86_64\",nodename=\"node-3\",sysname=\"Linux\"} 1.0")
        .anyMatch(line -> line.startsWith("node_filesystem_avail_bytes{device=\"/dev/vda1\""))
        .anyMatch(line -> line.contains("mountpoint=\"/run\""));
  }

  @Test
  void hasOneSeriesPerCpuAndModeThatSumToTheNode() throws IOException {
    List<String> cpu =
        page(READING, false).stream().filter(l -> l.startsWith("node_cpu_seconds_total{")).toList();
    assertThat(cpu).hasSize(4 * 3);
    double idle =
        cpu.stream()
            .filter(l -> l.contains("mode=\"idle\""))
            .mapToDouble(l -> Double.parseDouble(l.substring(l.lastIndexOf(' '))))
            .sum();
    double all =
        cpu.stream().mapToDouble(l -> Double.parseDouble(l.substring(l.lastIndexOf(' ')))).sum();
    assertThat(idle).isCloseTo(300, within(1e-9));
    assertThat(all).isCloseTo(400, within(1e-9));
  }

  @Test
  void tellsOfPodsUnderTheNamesOfCadvisorWhereThatIsAskedFor() throws IOException {
    assertThat(page(READING, true))
        .contains(
            "container_cpu_usage_seconds_total{container=\"main\",namespace=\"shop\",pod=\"web-0\"} 90.0",
            "container_memory_working_set_bytes{container=\"main\",namespace=\"shop\",pod=\"web-0\"} 1.0E9");
    assertThat(page(READING, false)).noneMatch(line -> line.contains("container"));
  }
}

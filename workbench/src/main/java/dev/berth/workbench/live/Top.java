package dev.berth.workbench.live;

import dev.berth.service.prometheus.QueryException;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What {@code berth top} shows at one instant. */
public final class Top {
  private final KubernetesClient client;
  private final @Nullable NodeUsage usage;

  /**
   * @param usage null when no Prometheus is known: requests only
   */
  public Top(KubernetesClient client, @Nullable NodeUsage usage) {
    this.client = client;
    this.usage = usage;
  }

  /**
   * The table as text.
   *
   * @param rows most owners to list
   */
  public String look(int rows) throws InterruptedException {
    Map<String, Double> cpu = Map.of();
    Map<String, Double> memory = Map.of();
    String note = usage == null ? "usage is not shown: give --prometheus\n" : "";
    if (usage != null) {
      try {
        cpu = usage.cpu();
        memory = usage.memory();
      } catch (QueryException e) {
        note = "usage is not shown: " + e.getMessage() + "\n";
      }
    }
    return TopTable.render(ClusterView.of(client), cpu, memory, rows) + note;
  }
}

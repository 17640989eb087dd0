package dev.berth.policy.gpu.agent;

import dev.berth.policy.gpu.value.GpuModel;
import dev.berth.policy.gpu.value.GpuModelFile;
import dev.berth.policy.gpu.value.Prices;
import dev.berth.policy.gpu.value.ValueModel;
import dev.berth.policy.gpu.value.WorkloadProfile;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Weights;
import java.util.List;

/**
 * A trained agent.
 *
 * @param prices what a decomposed agent's values do not see; none for the plain one
 */
public record AgentModel(AgentKind kind, Weights weights, Prices prices) implements GpuModel {
  /**
   * What decomposed agents train and place with: a choice of {@code gpu-train} without an agent,
   * kept fixed so that only the way of learning differs between agents.
   */
  static final Prices PRICES = new Prices(0.1, 1);

  /** Two hidden layers and a linear skip, as the value that ships. */
  public static NetworkSpec spec(AgentKind kind, int hidden) {
    int inputs = ClusterView.nodeInputs(kind) + ClusterView.contextInputs(kind);
    return new NetworkSpec(inputs, List.of(hidden, hidden), 1, false, true);
  }

  @Override
  public AgentPolicy policy(String name, WorkloadProfile workload) {
    return new AgentPolicy(name, this, workload);
  }

  /** As {@link ValueModel#withDepartures} where there are prices; a plain agent stays as it is. */
  @Override
  public AgentModel withDepartures() {
    return kind.plain()
        ? this
        : new AgentModel(
            kind, weights, new Prices(prices.typed(), Prices.BIG_PODS_WITH_DEPARTURES));
  }

  @Override
  public byte[] encode() {
    return GpuModelFile.of(kind.id(), ClusterView.names(kind), weights, prices).encode();
  }

  /**
   * A model as {@code berth gpu-train} writes it, with {@code --agent} or without.
   *
   * @throws IllegalArgumentException saying what is wrong: no such model, damaged, of another
   *     format or other features
   */
  public static GpuModel read(byte[] bytes) {
    GpuModelFile file = GpuModelFile.decode(bytes);
    if (file.kind().equals(ValueModel.ID)) {
      return ValueModel.of(file);
    }
    AgentKind kind = AgentKind.byId(file.kind());
    file.check(kind.id(), ClusterView.names(kind), spec(kind, 1));
    return new AgentModel(kind, file.weights(), file.prices());
  }
}

package dev.berth.policy.gpu.agent;

import dev.berth.policy.agent.AgentKind;
import dev.berth.policy.file.CheckedFile;
import dev.berth.policy.gpu.value.GpuModel;
import dev.berth.policy.gpu.value.Prices;
import dev.berth.policy.gpu.value.ValueModel;
import dev.berth.policy.gpu.value.ValueNetwork;
import dev.berth.policy.gpu.value.WorkloadProfile;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Weights;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A trained agent. Body of the {@link CheckedFile}: agent, hash of the input names, prices, hidden
 * units, weights.
 *
 * @param prices what a decomposed agent's values do not see; none for the plain one
 */
public record AgentModel(AgentKind kind, Weights weights, Prices prices) implements GpuModel {
  /**
   * What decomposed agents train and place with: a choice of {@code gpu-train} without an agent,
   * kept fixed so that only the way of learning differs between agents.
   */
  static final Prices PRICES = new Prices(0.1, 1);

  private static final CheckedFile FILE =
      new CheckedFile("BGPA", 1, "GPU agent", "write one with 'berth gpu-train --agent'");
  private static final int MAX_HIDDEN = 1024;

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

  /**
   * The network that is left when the context is known: its part is a constant, so that scoring
   * costs what it costs without a context.
   */
  ValueNetwork given(float[] context) {
    NetworkSpec spec = weights.spec();
    int hidden = spec.hidden().get(0);
    int own = spec.inputs() - context.length;
    float[] packed = new float[ValueNetwork.size(own, hidden)];
    float[] first = weights.get("layer0.weight");
    float[] bias = weights.get("layer0.bias").clone();
    float[] second = weights.get("layer1.weight");
    float[] skip = weights.get("skip.weight");
    float constant = weights.get("out.bias")[0];
    for (int i = 0; i < context.length; i++) {
      constant += skip[own + i] * context[i];
      for (int h = 0; h < hidden; h++) {
        bias[h] += first[(own + i) * hidden + h] * context[i];
      }
    }
    int at = 0;
    for (int h = 0; h < hidden; h++) {
      for (int i = 0; i < own; i++) {
        packed[at++] = first[i * hidden + h];
      }
    }
    at = put(bias, hidden, packed, at);
    for (int h = 0; h < hidden; h++) {
      for (int i = 0; i < hidden; i++) {
        packed[at++] = second[i * hidden + h];
      }
    }
    at = put(weights.get("layer1.bias"), hidden, packed, at);
    at = put(weights.get("out.weight"), hidden, packed, at);
    at = put(skip, own, packed, at);
    packed[at] = constant;
    return new ValueNetwork(own, hidden, packed);
  }

  private static int put(float[] from, int count, float[] to, int at) {
    System.arraycopy(from, 0, to, at, count);
    return at + count;
  }

  public byte[] encode() {
    return FILE.encode(this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeUTF(kind.id());
    out.writeInt(ClusterView.names(kind).hashCode());
    out.writeDouble(prices.typed());
    out.writeDouble(prices.bigPods());
    out.writeInt(weights.spec().hidden().get(0));
    for (NetworkSpec.Parameter p : weights.spec().parameters()) {
      for (float weight : weights.get(p.name())) {
        out.writeFloat(weight);
      }
    }
  }

  /**
   * A model as {@code berth gpu-train} writes it, with {@code --agent} or without.
   *
   * @throws IllegalArgumentException saying what is wrong: no such model, damaged, of another
   *     format or other features
   */
  public static GpuModel read(byte[] file) {
    return FILE.begins(file) ? FILE.decode(file, AgentModel::body) : ValueModel.decode(file);
  }

  private static AgentModel body(DataInputStream in) throws IOException {
    AgentKind kind = AgentKind.byId(in.readUTF());
    if (in.readInt() != ClusterView.names(kind).hashCode()) {
      throw new IllegalArgumentException(
          "the agent was trained on other features than this build makes: train it again with"
              + " 'berth gpu-train --agent %s'".formatted(kind.id()));
    }
    Prices prices = new Prices(in.readDouble(), in.readDouble());
    int hidden = in.readInt();
    if (hidden < 1 || hidden > MAX_HIDDEN) {
      throw new IllegalArgumentException("damaged: %d hidden units".formatted(hidden));
    }
    NetworkSpec spec = spec(kind, hidden);
    Map<String, float[]> values = new LinkedHashMap<>();
    for (NetworkSpec.Parameter p : spec.parameters()) {
      float[] weights = new float[p.size()];
      for (int i = 0; i < weights.length; i++) {
        weights[i] = in.readFloat();
      }
      values.put(p.name(), weights);
    }
    return new AgentModel(kind, new Weights(spec, values), prices);
  }
}

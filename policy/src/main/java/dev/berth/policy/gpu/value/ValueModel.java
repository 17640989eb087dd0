package dev.berth.policy.gpu.value;

import dev.berth.policy.file.CheckedFile;
import dev.berth.policy.gpu.GpuPolicy;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A trained network with the prices it was chosen with, a few kB. Body of the {@link CheckedFile}:
 * hash of the feature names, prices, shape, weights.
 */
public record ValueModel(ValueNetwork network, Prices prices) implements GpuModel {
  private static final CheckedFile FILE =
      new CheckedFile("BGPV", 1, "GPU value model", "write one with 'berth gpu-train'");
  private static final int MAX_HIDDEN = 1024;
  private static final String SHIPPED = "openb.value";

  /** The model that ships with Berth, trained by {@code berth gpu-train}. */
  public static ValueModel shipped() {
    try (InputStream in = ValueModel.class.getResourceAsStream(SHIPPED)) {
      if (in == null) {
        throw new IllegalStateException("resource " + SHIPPED + " is missing from this build");
      }
      return decode(in.readAllBytes());
    } catch (IOException e) {
      throw new IllegalStateException("the shipped model is unreadable: " + e.getMessage(), e);
    }
  }

  @Override
  public GpuPolicy policy(String name, WorkloadProfile workload) {
    return new NodeValuePolicy(name, this, workload);
  }

  /**
   * The same network for a cluster where pods leave: room for big pods decides, the value breaks
   * ties.
   */
  @Override
  public ValueModel withDepartures() {
    return new ValueModel(network, new Prices(prices.typed(), Prices.BIG_PODS_WITH_DEPARTURES));
  }

  public byte[] encode() {
    return FILE.encode(this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeInt(ValueInputs.NAMES.hashCode());
    out.writeDouble(prices.typed());
    out.writeDouble(prices.bigPods());
    out.writeInt(network.inputs());
    out.writeInt(network.hidden());
    for (float weight : network.weights()) {
      out.writeFloat(weight);
    }
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws IllegalArgumentException saying what is wrong: no such model, damaged, of another
   *     format or other features
   */
  public static ValueModel decode(byte[] bytes) {
    return FILE.decode(bytes, ValueModel::read);
  }

  private static ValueModel read(DataInputStream in) throws IOException {
    if (in.readInt() != ValueInputs.NAMES.hashCode()) {
      throw new IllegalArgumentException(
          "the model was trained on other features than this build makes: train it again with"
              + " 'berth gpu-train'");
    }
    Prices prices = new Prices(in.readDouble(), in.readDouble());
    int inputs = in.readInt();
    int hidden = in.readInt();
    if (inputs != ValueInputs.COUNT || hidden < 1 || hidden > MAX_HIDDEN) {
      throw new IllegalArgumentException(
          "damaged: %d inputs, %d hidden units".formatted(inputs, hidden));
    }
    float[] weights = new float[ValueNetwork.size(inputs, hidden)];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = in.readFloat();
    }
    return new ValueModel(new ValueNetwork(inputs, hidden, weights), prices);
  }
}

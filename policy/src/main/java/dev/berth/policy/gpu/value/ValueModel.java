package dev.berth.policy.gpu.value;

import dev.berth.policy.gpu.GpuPolicy;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Weights;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** A trained value network with the prices it was chosen with, a few kB. */
public record ValueModel(Weights weights, Prices prices) implements GpuModel {
  /** What stands for this kind of model in a {@link GpuModelFile}. */
  public static final String ID = "value";

  private static final String SHIPPED = "openb.value";

  /** Two hidden layers and a linear skip: piecewise-linear by nature, as the value is. */
  public static NetworkSpec spec(int hidden) {
    return new NetworkSpec(ValueInputs.COUNT, List.of(hidden, hidden), 1, false, true);
  }

  /** The model that ships with Berth, trained by {@code berth gpu-train}. */
  public static ValueModel shipped() {
    try (InputStream in = ValueModel.class.getResourceAsStream(SHIPPED)) {
      if (in == null) {
        throw new IllegalStateException("resource " + SHIPPED + " is missing from this build");
      }
      return of(GpuModelFile.decode(in.readAllBytes()));
    } catch (IOException e) {
      throw new IllegalStateException("the shipped model is unreadable: " + e.getMessage(), e);
    }
  }

  /**
   * The model in a file.
   *
   * @throws IllegalArgumentException saying what is wrong: another kind of model, or other features
   */
  public static ValueModel of(GpuModelFile file) {
    file.check(ID, ValueInputs.NAMES, spec(1));
    return new ValueModel(file.weights(), file.prices());
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
    return new ValueModel(weights, new Prices(prices.typed(), Prices.BIG_PODS_WITH_DEPARTURES));
  }

  @Override
  public byte[] encode() {
    return GpuModelFile.of(ID, ValueInputs.NAMES, weights, prices).encode();
  }
}

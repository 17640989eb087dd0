package dev.berth.policy.gpu.value;

import dev.berth.policy.model.ModelFile;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Weights;
import java.util.List;

/**
 * A GPU model as a {@link ModelFile}: which kind it is, the hash of its inputs' names, its network
 * and its prices.
 */
public record GpuModelFile(String kind, long schema, Weights weights, Prices prices) {
  private static final String TASK = "gpu";
  private static final String FIX = "write one with 'berth gpu-train'";

  /** A model on inputs of these names, in order. */
  public static GpuModelFile of(String kind, List<String> inputs, Weights weights, Prices prices) {
    return new GpuModelFile(kind, inputs.hashCode(), weights, prices);
  }

  public byte[] encode() {
    String settings =
        String.join("\n", kind, Double.toString(prices.typed()), Double.toString(prices.bigPods()));
    return new ModelFile(TASK, schema, "none", settings, weights, null, 0, 0).encode();
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws IllegalArgumentException saying what is wrong: no model, of another task, damaged, of
   *     another format
   */
  public static GpuModelFile decode(byte[] bytes) {
    ModelFile file = ModelFile.decode(bytes, TASK, FIX);
    String[] settings = file.settings().split("\n");
    if (settings.length != 3) {
      throw new IllegalArgumentException(
          "the GPU model has %d settings, kind and two prices are wanted: train a new one"
              .formatted(settings.length));
    }
    Prices prices = new Prices(Double.parseDouble(settings[1]), Double.parseDouble(settings[2]));
    return new GpuModelFile(settings[0], file.schema(), file.weights(), prices);
  }

  /**
   * Checks that the model is of this kind and on these inputs.
   *
   * @param shape of such a network, whatever its hidden layers
   * @throws IllegalArgumentException otherwise
   */
  public void check(String wanted, List<String> inputs, NetworkSpec shape) {
    if (!kind.equals(wanted)) {
      throw new IllegalArgumentException(
          "the GPU model is of kind '%s', not '%s'".formatted(kind, wanted));
    }
    if (schema != inputs.hashCode() || !sameRows(weights.spec(), shape)) {
      throw new IllegalArgumentException(
          "the model was trained on other features than this build makes: train it again with"
              + " 'berth gpu-train'");
    }
  }

  private static boolean sameRows(NetworkSpec found, NetworkSpec wanted) {
    return found.inputs() == wanted.inputs()
        && found.outputs() == wanted.outputs()
        && found.messagePassing() == wanted.messagePassing();
  }
}

package dev.berth.policy.network;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Shape of a network that gives every row (a node, or a state) {@code outputs} numbers: layers
 * shared by all rows, and a linear skip from the inputs to the outputs.
 *
 * <p>With message passing every layer also adds linear maps of the mean of the row's rack, of its
 * zone, of the nodes that run the pod's owner and of all rows of the same decision: a graph network
 * over node - rack - zone and node - owner. Rows may come in any number and order.
 *
 * @param inputs features per row
 * @param hidden width of each hidden layer
 * @param outputs numbers per row
 * @param messagePassing whether layers also aggregate the rows of a row's groups
 * @param skip whether the inputs also reach the outputs directly
 * @param activation of the hidden layers
 */
public record NetworkSpec(
    int inputs,
    List<Integer> hidden,
    int outputs,
    boolean messagePassing,
    boolean skip,
    Activation activation) {

  static final String OUT_WEIGHT = "out.weight";
  static final String OUT_BIAS = "out.bias";
  static final String SKIP_WEIGHT = "skip.weight";

  /** What a hidden unit makes of its sum. */
  public enum Activation {
    /** Cheap; what every value network here uses. */
    RELU,
    /** Bounded: on-policy actor-critic needs it to stay where it has arrived (docs/learning.md). */
    TANH
  }

  /** The rows that message passing takes the mean of. */
  public enum Group {
    RACK,
    ZONE,
    /** Nodes that already run pods of the owner in question; the others aggregate nothing here. */
    OWNER,
    ALL
  }

  public NetworkSpec {
    hidden = List.copyOf(hidden);
    if (inputs < 1 || outputs < 1 || hidden.stream().anyMatch(h -> h < 1)) {
      throw new IllegalArgumentException(
          "a network needs positive widths, got inputs "
              + inputs
              + ", hidden "
              + hidden
              + ", outputs "
              + outputs);
    }
  }

  /** ReLU layers. */
  public NetworkSpec(
      int inputs, List<Integer> hidden, int outputs, boolean messagePassing, boolean skip) {
    this(inputs, hidden, outputs, messagePassing, skip, Activation.RELU);
  }

  /** The same network with bounded hidden units. */
  public NetworkSpec withTanh() {
    return new NetworkSpec(inputs, hidden, outputs, messagePassing, skip, Activation.TANH);
  }

  /** The same network on fewer or more inputs. */
  NetworkSpec withInputs(int other) {
    return new NetworkSpec(other, hidden, outputs, messagePassing, skip, activation);
  }

  public static NetworkSpec mlp(int inputs, List<Integer> hidden, int outputs) {
    return new NetworkSpec(inputs, hidden, outputs, false, false);
  }

  /** Parameters in the order of the layers. */
  public List<Parameter> parameters() {
    ArrayList<Parameter> all = new ArrayList<>();
    for (int l = 0; l < hidden.size(); l++) {
      int in = width(l);
      int out = width(l + 1);
      all.add(new Parameter(weight(l), in, out));
      if (messagePassing) {
        for (Group g : Group.values()) {
          all.add(new Parameter(weight(l, g), in, out));
        }
      }
      all.add(new Parameter(bias(l), 1, out));
    }
    all.add(new Parameter(OUT_WEIGHT, width(hidden.size()), outputs));
    all.add(new Parameter(OUT_BIAS, 1, outputs));
    if (skip) {
      all.add(new Parameter(SKIP_WEIGHT, inputs, outputs));
    }
    return List.copyOf(all);
  }

  /** Numbers that go into a layer; of the one behind the last hidden layer, the outputs' own. */
  int width(int layer) {
    return layer == 0 ? inputs : hidden.get(layer - 1);
  }

  static String weight(int layer) {
    return "layer" + layer + ".weight";
  }

  static String weight(int layer, Group g) {
    return "layer" + layer + "." + g.name().toLowerCase(Locale.ROOT);
  }

  static String bias(int layer) {
    return "layer" + layer + ".bias";
  }

  /**
   * One matrix.
   *
   * @param rows fan-in; 1 for a bias
   */
  public record Parameter(String name, int rows, int columns) {
    public int size() {
      return rows * columns;
    }
  }
}

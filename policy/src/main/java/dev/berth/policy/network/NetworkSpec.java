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
    int in = inputs;
    for (int l = 0; l < hidden.size(); l++) {
      int out = hidden.get(l);
      all.add(new Parameter("layer" + l + ".weight", in, out));
      if (messagePassing) {
        for (Group g : Group.values()) {
          all.add(new Parameter("layer" + l + "." + g.name().toLowerCase(Locale.ROOT), in, out));
        }
      }
      all.add(new Parameter("layer" + l + ".bias", 1, out));
      in = out;
    }
    all.add(new Parameter("out.weight", in, outputs));
    all.add(new Parameter("out.bias", 1, outputs));
    if (skip) {
      all.add(new Parameter("skip.weight", inputs, outputs));
    }
    return List.copyOf(all);
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

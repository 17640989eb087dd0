package dev.berth.policy.tensor;

import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Rows;
import dev.berth.policy.network.Weights;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Losses word for word as {@link Loss} writes them, number by number in double: slow and plain. */
final class LossInDouble {
  private final NetworkSpec spec;
  final Map<String, double[]> parameters = new LinkedHashMap<>();

  LossInDouble(Weights weights) {
    spec = weights.spec();
    for (NetworkSpec.Parameter p : spec.parameters()) {
      float[] w = weights.get(p.name());
      parameters.put(p.name(), IntStream.range(0, w.length).mapToDouble(i -> w[i]).toArray());
    }
  }

  /** Central difference of the loss by one parameter. */
  double slope(Loss loss, String parameter, int i) {
    double step = 1e-6;
    double[] p = parameters.get(parameter);
    double here = p[i];
    p[i] = here + step;
    double up = of(loss);
    p[i] = here - step;
    double down = of(loss);
    p[i] = here;
    return (up - down) / (2 * step);
  }

  double of(Loss loss) {
    if (loss instanceof Loss.Regression r) {
      double[][] q = outputs(r.rows());
      return mean(
          q.length, i -> r.weights()[i] * each(r.huber(), q[i][r.outputs()[i]] - r.targets()[i]));
    } else if (loss instanceof Loss.Difference d) {
      double[] q = difference(d.after(), d.before());
      double weight = IntStream.range(0, q.length).mapToDouble(i -> d.weights()[i]).sum();
      return IntStream.range(0, q.length)
          .mapToDouble(i -> d.weights()[i] * each(true, q[i] - d.targets()[i]) / weight)
          .sum();
    } else if (loss instanceof Loss.CandidatePolicy p) {
      double[] q = difference(p.after(), p.before());
      return mean(p.after().decisions(), d -> -gain(p, q, d));
    } else if (loss instanceof Loss.ActorCritic a) {
      double[][] out = outputs(a.rows());
      return mean(out.length, i -> actorCritic(a, out[i], i));
    }
    throw new AssertionError(loss);
  }

  private static double gain(Loss.CandidatePolicy p, double[] q, int decision) {
    int width = p.after().width();
    int[] candidates =
        IntStream.range(decision * width, (decision + 1) * width)
            .filter(i -> p.after().valid()[i])
            .toArray();
    double[] pi = softmax(Arrays.stream(candidates).mapToDouble(i -> q[i] / p.temperature()));
    double gain = p.entropy() * entropy(pi);
    for (int k = 0; k < pi.length; k++) {
      gain += pi[k] * p.advantages()[candidates[k]];
    }
    return gain;
  }

  private static double actorCritic(Loss.ActorCritic a, double[] out, int i) {
    double[] pi = softmax(Arrays.stream(out, 0, out.length - 1));
    double error = out[out.length - 1] - a.returns()[i];
    return -Math.log(pi[a.actions()[i]]) * a.advantages()[i]
        + a.value() * error * error
        - a.entropy() * entropy(pi);
  }

  private static double[] softmax(DoubleStream logits) {
    double[] e = logits.map(Math::exp).toArray();
    double sum = Arrays.stream(e).sum();
    return Arrays.stream(e).map(x -> x / sum).toArray();
  }

  private static double entropy(double[] pi) {
    return -Arrays.stream(pi).map(p -> p * Math.log(p)).sum();
  }

  private static double each(boolean huber, double error) {
    double size = Math.abs(error);
    return !huber ? error * error : size < 1 ? error * error / 2 : size - 0.5;
  }

  private static double mean(int n, IntToDoubleFunction of) {
    return IntStream.range(0, n).mapToDouble(of).sum() / n;
  }

  private double[] difference(Rows after, Rows before) {
    double[][] there = outputs(after);
    double[][] here = outputs(before);
    return IntStream.range(0, there.length).mapToDouble(i -> there[i][0] - here[i][0]).toArray();
  }

  /** {@code [rows][outputs]}. */
  double[][] outputs(Rows rows) {
    double[][] x = new double[rows.size()][spec.inputs()];
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j < spec.inputs(); j++) {
        x[i][j] = rows.features()[i * spec.inputs() + j];
      }
    }
    double[][] h = x;
    for (int l = 0; l < spec.hidden().size(); l++) {
      double[][] next = biased("layer" + l + ".bias", h.length);
      add(h, "layer" + l + ".weight", next);
      if (spec.messagePassing()) {
        for (NetworkSpec.Group g : NetworkSpec.Group.values()) {
          add(groupMean(rows, g, h), "layer" + l + "." + g.name().toLowerCase(Locale.ROOT), next);
        }
      }
      for (double[] row : next) {
        Arrays.setAll(
            row,
            j ->
                spec.activation() == NetworkSpec.Activation.TANH
                    ? Math.tanh(row[j])
                    : Math.max(0, row[j]));
      }
      h = next;
    }
    double[][] out = biased("out.bias", h.length);
    add(h, "out.weight", out);
    if (spec.skip()) {
      add(x, "skip.weight", out);
    }
    return out;
  }

  private double[][] biased(String bias, int n) {
    double[][] rows = new double[n][];
    Arrays.setAll(rows, i -> parameters.get(bias).clone());
    return rows;
  }

  private void add(double[][] x, String matrix, double[][] out) {
    double[] w = parameters.get(matrix);
    for (int i = 0; i < x.length; i++) {
      for (int k = 0; k < x[i].length; k++) {
        for (int j = 0; j < out[i].length; j++) {
          out[i][j] += x[i][k] * w[k * out[i].length + j];
        }
      }
    }
  }

  private static double[][] groupMean(Rows rows, NetworkSpec.Group g, double[][] h) {
    double[][] mean = new double[h.length][h[0].length];
    for (int i = 0; i < h.length; i++) {
      int row = i;
      int[] members =
          IntStream.range(i / rows.width() * rows.width(), (i / rows.width() + 1) * rows.width())
              .filter(j -> together(rows, g, row, j))
              .toArray();
      for (int j : members) {
        for (int k = 0; k < mean[i].length; k++) {
          mean[i][k] += h[j][k] / members.length;
        }
      }
    }
    return mean;
  }

  private static boolean together(Rows rows, NetworkSpec.Group g, int i, int j) {
    if (!rows.valid()[i] || !rows.valid()[j]) {
      return false;
    }
    if (g == NetworkSpec.Group.ALL) {
      return true;
    }
    int[] group = rows.groups()[g.ordinal()];
    return group[i] >= 0 && group[i] == group[j];
  }
}

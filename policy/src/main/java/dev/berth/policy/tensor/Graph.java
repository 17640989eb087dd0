package dev.berth.policy.tensor;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Rows;
import dev.berth.policy.network.Weights;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The losses as graphs over one set of parameters. Every array lives in the given manager and dies
 * with it. Note the operand order: DJL attaches a result to its first operand's manager.
 */
final class Graph {
  private static final float HIDDEN = -1e9f;

  private final NDManager manager;
  private final NetworkSpec spec;
  final Map<String, NDArray> parameters = new LinkedHashMap<>();

  Graph(NDManager manager, Weights weights) {
    this.manager = manager;
    this.spec = weights.spec();
    for (NetworkSpec.Parameter p : spec.parameters()) {
      NDArray a = manager.create(weights.get(p.name()), new Shape(p.rows(), p.columns()));
      a.setRequiresGradient(true);
      parameters.put(p.name(), a);
    }
  }

  NDArray loss(Loss loss) {
    if (loss instanceof Loss.Regression r) {
      return regression(r);
    } else if (loss instanceof Loss.Difference d) {
      return difference(d);
    } else if (loss instanceof Loss.CandidatePolicy p) {
      return candidatePolicy(p);
    } else if (loss instanceof Loss.ActorCritic a) {
      return actorCritic(a);
    }
    throw new AssertionError(loss);
  }

  private NDArray regression(Loss.Regression r) {
    NDArray q = chosen(forward(r.rows()), r.outputs());
    NDArray error = q.sub(vector(r.targets()));
    NDArray each = r.huber() ? huber(error) : error.square();
    return each.mul(vector(r.weights())).mean();
  }

  private NDArray difference(Loss.Difference d) {
    NDArray q = forward(d.after()).sub(forward(d.before())).squeeze(1);
    float total = 0;
    for (float w : d.weights()) {
      total += w;
    }
    return huber(q.sub(vector(d.targets())))
        .mul(vector(d.weights()))
        .sum()
        .div(Math.max(1e-9f, total));
  }

  private NDArray candidatePolicy(Loss.CandidatePolicy p) {
    Rows rows = p.after();
    Shape table = new Shape(rows.decisions(), rows.width());
    NDArray q = forward(p.after()).sub(forward(p.before())).reshape(table);
    NDArray valid = vector(valid(rows)).reshape(table);
    NDArray logits = q.div(p.temperature()).add(valid.sub(1).mul(-HIDDEN));
    NDArray log = logits.logSoftmax(1);
    NDArray pi = log.exp().mul(valid);
    NDArray gain = pi.mul(vector(p.advantages()).reshape(table)).sum();
    NDArray entropy = pi.mul(log.mul(valid)).sum().neg();
    return gain.add(entropy.mul(p.entropy())).neg().div(rows.decisions());
  }

  private NDArray actorCritic(Loss.ActorCritic a) {
    NDArray out = forward(a.rows());
    int actions = spec.outputs() - 1;
    NDArray[] parts = {out.get(":, 0:" + actions), out.get(":, " + actions)};
    NDArray log = parts[0].logSoftmax(1);
    NDArray policy = chosen(log, a.actions()).mul(vector(a.advantages())).mean().neg();
    NDArray value = parts[1].sub(vector(a.returns())).square().mean();
    NDArray entropy = log.exp().mul(log).sum(new int[] {1}).mean().neg();
    return policy.add(value.mul(a.value())).sub(entropy.mul(a.entropy()));
  }

  /** Outputs, {@code [rows, outputs]}. */
  NDArray forward(Rows rows) {
    NDArray x = manager.create(rows.features(), new Shape(rows.size(), spec.inputs()));
    NDArray h = x;
    for (int l = 0; l < spec.hidden().size(); l++) {
      String layer = "layer" + l + ".";
      NDArray sum = h.matMul(parameter(layer + "weight")).add(parameter(layer + "bias"));
      if (spec.messagePassing()) {
        for (NetworkSpec.Group g : NetworkSpec.Group.values()) {
          NDArray aggregated = groupMean(rows, g, h);
          sum = sum.add(aggregated.matMul(parameter(layer + g.name().toLowerCase(Locale.ROOT))));
        }
      }
      h = spec.activation() == NetworkSpec.Activation.TANH ? sum.tanh() : sum.maximum(0);
    }
    NDArray out = h.matMul(parameter("out.weight")).add(parameter("out.bias"));
    return spec.skip() ? out.add(x.matMul(parameter("skip.weight"))) : out;
  }

  private NDArray groupMean(Rows rows, NetworkSpec.Group g, NDArray h) {
    long width = h.getShape().get(1);
    NDArray members =
        manager.create(rows.membership(g), new Shape(rows.decisions(), rows.width(), rows.width()));
    NDArray table = h.reshape(rows.decisions(), rows.width(), width);
    return members.matMul(table).reshape(rows.size(), width);
  }

  private NDArray chosen(NDArray table, int[] columns) {
    NDArray index =
        manager.create(columns, new Shape(columns.length, 1)).toType(DataType.INT64, false);
    return table.gather(index, 1).squeeze(1);
  }

  private static NDArray huber(NDArray error) {
    NDArray size = error.abs();
    NDArray near = size.minimum(1);
    return near.square().mul(0.5f).add(size.sub(near));
  }

  private NDArray vector(float[] values) {
    return manager.create(values, new Shape(values.length));
  }

  private static float[] valid(Rows rows) {
    float[] v = new float[rows.size()];
    for (int i = 0; i < v.length; i++) {
      v[i] = rows.valid()[i] ? 1 : 0;
    }
    return v;
  }

  private NDArray parameter(String name) {
    NDArray p = parameters.get(name);
    if (p == null) {
      throw new IllegalStateException("no parameter " + name + " in " + parameters.keySet());
    }
    return p;
  }
}

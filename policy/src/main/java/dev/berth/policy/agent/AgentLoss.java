package dev.berth.policy.agent;

import dev.berth.policy.learning.DoubleDqn;
import dev.berth.policy.network.Rows;
import dev.berth.policy.network.Weights;
import dev.berth.policy.replay.Transition;
import dev.berth.policy.tensor.Loss;
import java.util.List;

/**
 * What a batch of transitions asks of the network: a double DQN's regression with n-step targets
 * (van Hasselt et al. 2016), or an actor's policy gradient by advantages.
 */
final class AgentLoss {
  private static final float MAX_REWARD = 20;

  private final AgentConfig config;
  private final Runnable between;

  /**
   * @param between called between the parts of a computation
   */
  AgentLoss(AgentConfig config, Runnable between) {
    this.config = config;
    this.between = between;
  }

  /**
   * The loss of a batch; a regression also sets the transitions' priorities.
   *
   * @param online the weights that learn
   * @param target the target network's
   */
  Loss of(List<Transition> batch, Weights online, Weights target) {
    return config.kind().actorCritic() ? policyLoss(batch) : valueLoss(batch, online, target);
  }

  /** Q towards reward - expected (a residual) or reward (alone), of every measured candidate. */
  private Loss valueLoss(List<Transition> batch, Weights online, Weights target) {
    Rows after = stack(batch, false);
    Rows before = stack(batch, true);
    float[] targets = new float[after.size()];
    float[] weights = new float[after.size()];
    float[] now = qOf(online, after, before);
    int width = after.width();
    for (int b = 0; b < batch.size(); b++) {
      Transition t = batch.get(b);
      double worst = 0;
      for (int i = 0; i < width; i++) {
        int row = b * width + i;
        float reward = t.rewards()[i];
        if (Float.isNaN(reward)) {
          continue;
        }
        double want = ValueDifference.SCALE * (reward - t.expected()[i]);
        if (config.bootstrap().gamma() > 0 && i == t.chosen()) {
          want += ahead(t, online, target);
        }
        targets[row] = (float) Math.max(-MAX_REWARD, Math.min(MAX_REWARD, want));
        weights[row] = config.bootstrap().gamma() > 0 && i != t.chosen() ? 0 : 1;
        worst = Math.max(worst, Math.abs(now[row] - targets[row]));
      }
      t.prioritise((float) worst);
    }
    if (config.kind().plain()) {
      return new Loss.Regression(after, new int[after.size()], targets, weights, true);
    }
    return new Loss.Difference(after, before, targets, weights);
  }

  /** The discounted rewards of the next n - 1 decisions, then the target network's estimate. */
  private double ahead(Transition from, Weights online, Weights target) {
    double sum = 0;
    double discount = config.bootstrap().gamma();
    Transition t = from.next();
    for (int k = 1;
        t != null && k < config.bootstrap().nStep();
        k++, discount *= config.bootstrap().gamma()) {
      float reward = t.rewards()[t.chosen()];
      sum +=
          Float.isNaN(reward)
              ? 0
              : discount * ValueDifference.SCALE * (reward - t.expected()[t.chosen()]);
      t = t.next();
    }
    return t == null ? sum : sum + discount * bestNext(t, online, target);
  }

  /** Worth of the next decision, in network units. */
  private double bestNext(Transition next, Weights online, Weights target) {
    float[] q = qOf(online, next.after(), next.before());
    float[] worth = qOf(target, next.after(), next.before());
    return DoubleDqn.next(q, worth, next.after().valid(), 0, q.length);
  }

  private Loss policyLoss(List<Transition> batch) {
    Rows after = stack(batch, false);
    Rows before = stack(batch, true);
    float[] advantages = new float[after.size()];
    int width = after.width();
    for (int b = 0; b < batch.size(); b++) {
      Transition t = batch.get(b);
      for (int i = 0; i < width; i++) {
        float reward = t.rewards()[i];
        // The rewards are differences to the candidates' mean: the baseline is already taken off.
        advantages[b * width + i] =
            Float.isNaN(reward)
                ? 0
                : (float)
                    Math.max(
                        -MAX_REWARD,
                        Math.min(MAX_REWARD, ValueDifference.SCALE * (reward - t.expected()[i])));
      }
    }
    return new Loss.CandidatePolicy(
        after,
        before,
        advantages,
        (float) config.actor().temperature(),
        (float) config.actor().entCoef());
  }

  private float[] qOf(Weights w, Rows after, Rows before) {
    return ValueDifference.of(config.kind(), w, after, before, between);
  }

  private static Rows stack(List<Transition> batch, boolean before) {
    Rows first = batch.get(0).before();
    int width = first.width();
    int inputs = first.features().length / width;
    int n = batch.size() * width;
    float[] features = new float[n * inputs];
    boolean[] valid = new boolean[n];
    int[][] groups = Rows.noGroups(n);
    for (int b = 0; b < batch.size(); b++) {
      Rows r = before ? batch.get(b).before() : batch.get(b).after();
      System.arraycopy(r.features(), 0, features, b * width * inputs, width * inputs);
      System.arraycopy(r.valid(), 0, valid, b * width, width);
      for (int g = 0; g < Rows.NAMED; g++) {
        System.arraycopy(r.groups()[g], 0, groups[g], b * width, width);
      }
    }
    return new Rows(batch.size(), width, features, valid, groups);
  }
}

package dev.berth.policy.reward;

import dev.berth.policy.Decision;

/**
 * Nodes in use, and how full those are (MA): sum over used nodes of {@code 1 - r^2} with r the
 * requested fraction of CPU. Opening a node costs; filling a full one costs less than filling an
 * empty one, so that the others can be emptied.
 */
record Pack() implements RewardTerm.Immediate {
  @Override
  public String name() {
    return "pack";
  }

  @Override
  public double[] increase(Decision d) {
    double[] out = new double[d.candidates().size()];
    for (int i = 0; i < out.length; i++) {
      double capacity = d.candidates().cpuMilli()[i];
      double r = d.candidates().cpuRequestedMilli()[i] / capacity;
      double q = d.pod().cpuMilli() / capacity;
      out[i] = (d.candidates().podCount()[i] == 0 ? 1 : 0) - q * (2 * r + q);
    }
    return out;
  }

  @Override
  public FeatureColumn featureColumn(Decision d) {
    return used(d);
  }

  @Override
  public boolean seen() {
    return true;
  }

  /** Whether a node is in use: it is not, and then it is. */
  static FeatureColumn used(Decision d) {
    double[] before = new double[d.candidates().size()];
    double[] after = new double[before.length];
    for (int i = 0; i < before.length; i++) {
      before[i] = d.candidates().podCount()[i] > 0 ? 1 : 0;
      after[i] = 1;
    }
    return new FeatureColumn(before, after);
  }
}

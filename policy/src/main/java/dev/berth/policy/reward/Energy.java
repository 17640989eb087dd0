package dev.berth.policy.reward;

import dev.berth.policy.Decision;

/**
 * Power of the nodes in use, in units of the mean node's peak: {@code s P(u)} with {@link
 * ServerPower} P at usage u, 0 for a node without pods, which can be switched off; s is the node's
 * size against the mean. The simulator's metric {@code power} is the same sum, of the truth.
 */
record Energy() implements RewardTerm.Delayed {
  @Override
  public String name() {
    return "energy";
  }

  @Override
  public double[] reading(Measurement m) {
    return m.load();
  }

  @Override
  public double[] increase(Measurement m) {
    double[] load = m.filledLoad();
    double mean = 0;
    for (long milli : m.cpuMilli()) {
      mean += (double) milli / load.length;
    }
    double[] out = new double[load.length];
    for (int i = 0; i < out.length; i++) {
      double off = m.podCount()[i] == 0 ? 0 : ServerPower.share(load[i]);
      out[i] = m.cpuMilli()[i] / mean * (ServerPower.share(load[i] + m.share(i)) - off);
    }
    return out;
  }

  @Override
  public FeatureColumn featureColumn(Decision d) {
    return Pack.used(d);
  }

  @Override
  public boolean seen() {
    return true;
  }
}

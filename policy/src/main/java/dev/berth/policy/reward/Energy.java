package dev.berth.policy.reward;

import dev.berth.policy.Decision;

/**
 * Power of the nodes in use, in units of the mean node's peak: {@code P(u) = s (0.5 + 0.5 (2 u -
 * u^1.4))} at usage u, 0 for a node without pods, which can be switched off; s is the node's size
 * against the mean. The curve is that of Fan, Weber and Barroso, "Power Provisioning for a
 * Warehouse-sized Computer" (ISCA 2007); the idle share of one half is common for servers.
 */
record Energy() implements RewardTerm.Measured {
  private static final double IDLE = 0.5;
  private static final double BEND = 1.4;

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
      double off = m.podCount()[i] == 0 ? 0 : power(load[i]);
      out[i] = m.cpuMilli()[i] / mean * (power(load[i] + m.share(i)) - off);
    }
    return out;
  }

  private static double power(double usage) {
    double u = Math.max(0, Math.min(1, usage));
    return IDLE + (1 - IDLE) * (2 * u - Math.pow(u, BEND));
  }

  @Override
  public Sight sight(Decision d) {
    return Pack.used(d);
  }

  @Override
  public boolean seen() {
    return true;
  }
}

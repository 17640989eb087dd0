package dev.berth.policy.reward;

/**
 * Power that a server draws, as a share of its peak: {@code P(u) = 0.5 + 0.5 (2 u - u^1.4)} at CPU
 * usage u. The curve is that of Fan, Weber and Barroso, "Power Provisioning for a Warehouse-sized
 * Computer" (ISCA 2007); the idle share of one half is common for servers.
 */
public final class ServerPower {
  private static final double IDLE = 0.5;
  private static final double BEND = 1.4;

  private ServerPower() {}

  /**
   * Power of a server that is switched on, 0.5 (idle) to 1 (peak).
   *
   * @param usage CPU usage as a fraction of the server; what lies outside 0..1 counts as the limit
   */
  public static double share(double usage) {
    double u = Math.max(0, Math.min(1, usage));
    return IDLE + (1 - IDLE) * (2 * u - Math.pow(u, BEND));
  }
}

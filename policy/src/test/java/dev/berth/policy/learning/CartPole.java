package dev.berth.policy.learning;

import java.util.random.RandomGenerator;

/** CartPole-v1 with gymnasium's constants: Barto, Sutton and Anderson (1983), 500 steps at most. */
final class CartPole {
  static final int INPUTS = 4;
  static final int LIMIT = 500;
  private static final double GRAVITY = 9.8;
  private static final double TOTAL_MASS = 1.1;
  private static final double HALF_LENGTH = 0.5;
  private static final double POLE_MASS_LENGTH = 0.1 * HALF_LENGTH;
  private static final double FORCE = 10;
  private static final double TAU = 0.02;
  private static final double ANGLE = 12 * 2 * Math.PI / 360;
  private static final double POSITION = 2.4;

  private final RandomGenerator random;
  private final double[] s = new double[4];
  private int steps;

  CartPole(RandomGenerator random) {
    this.random = random;
    reset();
  }

  void reset() {
    for (int i = 0; i < 4; i++) {
      s[i] = random.nextDouble(-0.05, 0.05);
    }
    steps = 0;
  }

  /** Position, velocity, angle, angular velocity. */
  float[] state() {
    return new float[] {(float) s[0], (float) s[1], (float) s[2], (float) s[3]};
  }

  /** Pushes right (1) or left (0); every step pays 1. Returns whether the pole fell. */
  boolean step(int action) {
    double force = action == 1 ? FORCE : -FORCE;
    double cos = Math.cos(s[2]);
    double sin = Math.sin(s[2]);
    double push = (force + POLE_MASS_LENGTH * s[3] * s[3] * sin) / TOTAL_MASS;
    double turn =
        (GRAVITY * sin - cos * push) / (HALF_LENGTH * (4.0 / 3 - 0.1 * cos * cos / TOTAL_MASS));
    double slide = push - POLE_MASS_LENGTH * turn * cos / TOTAL_MASS;
    s[0] += TAU * s[1];
    s[1] += TAU * slide;
    s[2] += TAU * s[3];
    s[3] += TAU * turn;
    steps++;
    return Math.abs(s[0]) > POSITION || Math.abs(s[2]) > ANGLE;
  }

  /** Whether the episode ends for want of time, which says nothing of the state's value. */
  boolean truncated() {
    return steps >= LIMIT;
  }
}

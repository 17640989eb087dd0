package dev.berth.policy.gpu.agent;

import java.util.random.RandomGenerator;

/** Ways to choose a row by scores; NaN is no choice. */
final class Exploring {
  private Exploring() {}

  /** The best, or with probability epsilon any. */
  static int epsilonGreedy(double[] scores, double epsilon, RandomGenerator random) {
    return random.nextDouble() < epsilon ? any(scores, random) : softmax(scores, 0, random);
  }

  static int any(double[] scores, RandomGenerator random) {
    int chosen = -1;
    int seen = 0;
    for (int row = 0; row < scores.length; row++) {
      if (!Double.isNaN(scores[row]) && random.nextInt(++seen) == 0) {
        chosen = row;
      }
    }
    return chosen;
  }

  /** A draw from the softmax by Gumbel's trick; the best at temperature 0. */
  static int softmax(double[] scores, double temperature, RandomGenerator random) {
    int best = -1;
    double most = Double.NEGATIVE_INFINITY;
    for (int row = 0; row < scores.length; row++) {
      if (Double.isNaN(scores[row])) {
        continue;
      }
      double noise =
          temperature == 0 ? 0 : -temperature * Math.log(-Math.log(1 - random.nextDouble()));
      double score = scores[row] + noise;
      if (best < 0 || score > most) {
        best = row;
        most = score;
      }
    }
    return best;
  }
}

package dev.berth.simulator.usage;

import java.util.random.RandomGenerator;

/**
 * How long pods live: every owner has a mean of its own, every pod a draw around it.
 *
 * @param meanSeconds mean over owners; infinity for pods that never end by themselves
 * @param betweenOwners sigma of the log-normal spread of owners' means; 0 when all are alike
 * @param withinOwner sigma of a log-normal life within an owner; NaN for an exponential one
 */
public record Lifetime(double meanSeconds, double betweenOwners, double withinOwner) {

  public Lifetime {
    if (!(meanSeconds > 0) || !(betweenOwners >= 0) || withinOwner < 0) {
      throw new IllegalArgumentException(
          "lifetime needs a mean above 0 s and spreads that are not negative, got mean "
              + meanSeconds
              + " s, between owners "
              + betweenOwners
              + ", within "
              + withinOwner);
    }
  }

  /** Memoryless, the same mean for every owner. */
  public static Lifetime exponential(double meanSeconds) {
    return new Lifetime(meanSeconds, 0, Double.NaN);
  }

  /** Heavy tails between owners and within them. */
  public static Lifetime heavy(double meanSeconds) {
    return new Lifetime(meanSeconds, 0.8, 0.8);
  }

  /** Pods stay until somebody deletes them. */
  public static Lifetime endless() {
    return new Lifetime(Double.POSITIVE_INFINITY, 0, Double.NaN);
  }

  /** An owner's mean life in seconds. */
  double ownerMean(RandomGenerator random) {
    return meanSeconds
        * Math.exp(betweenOwners * random.nextGaussian() - betweenOwners * betweenOwners / 2);
  }

  /** One pod's life in seconds, at least 30. */
  public double draw(double ownerMean, RandomGenerator random) {
    if (Double.isInfinite(ownerMean)) {
      return ownerMean;
    }
    double life =
        Double.isNaN(withinOwner)
            ? ownerMean * random.nextExponential()
            : ownerMean
                * Math.exp(withinOwner * random.nextGaussian() - withinOwner * withinOwner / 2);
    return Math.max(30, life);
  }

  /** Probability that a pod of this age lives another {@code ahead} seconds. */
  public double survives(double ownerMean, double ageSeconds, double ahead) {
    if (Double.isInfinite(ownerMean)) {
      return 1;
    }
    if (Double.isNaN(withinOwner)) {
      return Math.exp(-ahead / ownerMean);
    }
    double now = tail(ownerMean, ageSeconds);
    return now <= 1e-9 ? 0.5 : Math.min(1, tail(ownerMean, ageSeconds + ahead) / now);
  }

  /** P(life > seconds) of the log-normal law. */
  private double tail(double ownerMean, double seconds) {
    if (seconds <= 0) {
      return 1;
    }
    double mu = Math.log(ownerMean) - withinOwner * withinOwner / 2;
    double z = (Math.log(seconds) - mu) / withinOwner;
    // Logistic approximation of the normal tail: within 0.01, far below what the oracle needs.
    return 1 / (1 + Math.exp(1.702 * z));
  }
}

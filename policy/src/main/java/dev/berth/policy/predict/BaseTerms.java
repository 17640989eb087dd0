package dev.berth.policy.predict;

/**
 * What the base score of one candidate is made of, for whoever asks why: preferences by horizon,
 * whose sum over terms and horizons is the score. Not computed while a pod waits: what was reckoned
 * with is kept, and the terms come from it when somebody asks.
 *
 * @param balance for evening out usage, {@code [horizons]}
 * @param overload against expected excess over a node's capacity, {@code [horizons]}
 * @param hedge against pods of one owner that rise and fall together, {@code [horizons]}
 * @param memory against memory beyond what is allocatable; of now, and shared out over the horizons
 *     as they count, {@code [horizons]}
 */
public record BaseTerms(double[] balance, double[] overload, double[] hedge, double[] memory) {

  /**
   * What all candidates of a decision have in common.
   *
   * @param candidates those of which something could be said
   * @param horizonsSeconds after the decision
   * @param weight of a horizon; they sum to one
   * @param podCores expected of the pod on a node of average speed
   * @param mean over candidates of the usage expected without the pod, fraction
   * @param spread of the same, the unit of the score
   * @param ownerFractionMean mean over candidates of what the pod's owner requests there, fraction
   * @param ratioVariance of the owner's usage / request ratio
   */
  public record Basis(
      int candidates,
      double[] horizonsSeconds,
      double[] weight,
      double[] podCores,
      long podCpuMilli,
      double[] mean,
      double[] spread,
      double ownerFractionMean,
      double[] ratioVariance) {

    /** Of a forecast for a pod that requests so much. */
    public static Basis of(Forecast f, long podCpuMilli) {
      int horizons = f.horizons().length;
      double[] mean = new double[horizons];
      double[] spread = new double[horizons];
      for (int h = 0; h < horizons; h++) {
        mean[h] = PlacementCost.mean(f.before()[h]);
        spread[h] = PlacementCost.spread(f.before()[h]);
      }
      return new Basis(
          f.power().length,
          f.horizons(),
          PredictThenGreedy.weights(f),
          f.podCores(),
          podCpuMilli,
          mean,
          spread,
          PlacementCost.mean(f.ownerRequestFraction()),
          f.ratioVariance());
    }
  }

  /**
   * The terms of one candidate.
   *
   * @param expected usage without the pod, fraction, {@code [horizons]}
   * @param powerMilli capacity in cores of average speed, milli
   * @param ownerFraction what the pod's owner requests there, as a fraction of that
   * @param memoryRisk as {@link Forecast#memoryRisk}
   */
  public static BaseTerms of(
      Basis b, double[] expected, double powerMilli, double ownerFraction, double memoryRisk) {
    int horizons = b.horizonsSeconds().length;
    BaseTerms terms =
        new BaseTerms(
            new double[horizons], new double[horizons], new double[horizons], new double[horizons]);
    double q = b.podCpuMilli() / powerMilli;
    for (int h = 0; h < horizons; h++) {
      double d = 1000 * b.podCores()[h] / powerMilli;
      double spread = b.spread()[h];
      terms.balance[h] =
          -b.weight()[h]
              * PlacementCost.spread(expected[h] - b.mean()[h], d, b.candidates(), spread);
      double excess = PlacementCost.overload(expected[h], d, PlacementCost.FORECAST_ERROR);
      terms.overload[h] = -b.weight()[h] * PlacementCost.OVERLOAD_WEIGHT * excess;
      terms.hedge[h] =
          PlacementCost.hedge(
              ownerFraction - b.ownerFractionMean(),
              q,
              b.candidates(),
              -b.weight()[h] * b.ratioVariance()[h],
              spread);
      terms.memory[h] = -b.weight()[h] * memoryRisk;
    }
    return terms;
  }
}

package dev.berth.policy.gpu.value;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.PodRequests;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What of a broken card will never be used, by how much of it is free: on openb 60 of 530 free
 * milli, since most small pods ask for 470, but 207 of 210. Random placement cannot teach this (it
 * puts 320 beside 470 whenever it likes) and labels of whole nodes are too noisy to show it.
 *
 * <p>A mean-field model of the cards alone, without CPU, memory or nodes: pods of every size arrive
 * as a steady stream until demand is 130 %, and spread over the cards in proportion to {@code
 * exp(-waste caused / TEMPERATURE)}. Forward in time this gives how many cards have how much free,
 * backward what becomes of them; the waste found is what the next iteration's pods avoid. The fixed
 * point is near what linear programming allows.
 *
 * <p>Thread rule: immutable.
 */
public final class CardWaste {
  /** Nothing is known of the pods: all that is free counts as lost. */
  public static final CardWaste NONE = new CardWaste(List.of());

  private static final double DEMAND = 1.3;

  /** Milli per state: finer than this the sizes in use do not differ. */
  private static final int BIN = 10;

  private static final int BINS = GpuRequest.CARD_MILLI / BIN;
  private static final int STEPS = 52;
  private static final int ITERATIONS = 10;

  /** In GPUs. Half or twice as much changes allocation by less than 0.05 points. */
  private static final double TEMPERATURE = 0.03;

  /** Rounds in which pods that found their favourite cards taken try others. */
  private static final int ROUNDS = 4;

  private final float[] waste = new float[GpuRequest.CARD_MILLI + 1];

  CardWaste(List<PodRequests> pods) {
    double[] bySize = new double[BINS + 1];
    double milli = 0;
    for (PodRequests pod : pods) {
      if (pod.gpu().count() > 0) {
        bySize[(pod.gpu().milli() + BIN - 1) / BIN] += pod.gpu().count();
        milli += pod.gpu().totalMilli();
      }
    }
    double[] byBin = idle();
    if (milli > 0) {
      double perCardAndStep = DEMAND * GpuRequest.CARD_MILLI / milli / STEPS;
      byBin = new Fluid(bySize, perCardAndStep).solve();
    }
    for (int free = 0; free < waste.length; free++) {
      waste[free] = (float) (byBin[free / BIN] + free % BIN / (double) GpuRequest.CARD_MILLI);
    }
  }

  /** Idle GPU in the end, expected of a card with so much free. */
  float of(int freeMilli) {
    return waste[freeMilli];
  }

  /** Waste that this many milli cause on a card with so much free, in GPUs; negative is a gain. */
  double causedBy(int milli, int freeMilli) {
    return waste[freeMilli - milli] - waste[freeMilli];
  }

  private static double[] idle() {
    double[] idle = new double[BINS + 1];
    Arrays.setAll(idle, bin -> bin * BIN / (double) GpuRequest.CARD_MILLI);
    return idle;
  }

  /** The iteration, with its arrays: {@code [step][size][bin]}. */
  private static final class Fluid {
    private final int[] sizes;
    private final double[] arrivals;
    private final double[][] preference;
    private final double[][][] takenShare;
    private final double[][] cards = new double[STEPS][];

    Fluid(double[] bySize, double perCardAndStep) {
      sizes = IntStream.rangeClosed(1, BINS).filter(s -> bySize[s] > 0).toArray();
      arrivals = Arrays.stream(sizes).mapToDouble(s -> bySize[s] * perCardAndStep).toArray();
      preference = new double[sizes.length][BINS + 1];
      takenShare = new double[STEPS][sizes.length][BINS + 1];
    }

    double[] solve() {
      double[] waste = new double[BINS + 1]; // nobody prefers any card at first
      for (int iteration = 0; iteration <= ITERATIONS; iteration++) {
        prefer(waste);
        forward();
        double[] next = backward();
        for (int bin = 0; bin <= BINS; bin++) {
          // Plain at first, then half and half: it would swing between two solutions.
          waste[bin] = iteration < 3 ? next[bin] : (waste[bin] + next[bin]) / 2;
        }
      }
      return waste;
    }

    private void prefer(double[] waste) {
      for (int i = 0; i < sizes.length; i++) {
        for (int bin = sizes[i]; bin <= BINS; bin++) {
          preference[i][bin] = Math.exp((waste[bin] - waste[bin - sizes[i]]) / TEMPERATURE);
        }
      }
    }

    private void forward() {
      double[] now = new double[BINS + 1];
      now[BINS] = 1;
      for (int step = 0; step < STEPS; step++) {
        cards[step] = now.clone();
        for (int i = 0; i < sizes.length; i++) {
          double[] taken = takenShare[step][i];
          spread(arrivals[i], sizes[i], preference[i], now, taken);
          for (int bin = sizes[i]; bin <= BINS; bin++) { // ascending: none is moved twice
            double moved = now[bin] * taken[bin];
            now[bin] -= moved;
            now[bin - sizes[i]] += moved;
          }
        }
      }
    }

    /** Fills the share of each bin's cards that get a pod; what fits nowhere is gone. */
    private static void spread(
        double amount, int size, double[] preference, double[] now, double[] taken) {
      Arrays.fill(taken, 0);
      double left = amount;
      for (int round = 0; round < ROUNDS && left > 1e-12; round++) {
        double weight = 0;
        for (int bin = size; bin <= BINS; bin++) {
          weight += now[bin] * (1 - taken[bin]) * preference[bin];
        }
        if (weight < 1e-300) {
          return;
        }
        double scale = left / weight;
        for (int bin = size; bin <= BINS; bin++) {
          double more = (1 - taken[bin]) * Math.min(1, scale * preference[bin]);
          taken[bin] += more;
          left -= now[bin] * more;
        }
      }
    }

    /** Expected idle in the end, averaged over the times at which cards are in that state. */
    private double[] backward() {
      double[] then = idle();
      double[] sum = new double[BINS + 1];
      double[] weight = new double[BINS + 1];
      for (int step = STEPS - 1; step >= 0; step--) {
        for (int i = sizes.length - 1; i >= 0; i--) {
          double[] taken = takenShare[step][i];
          for (int bin = BINS; bin >= sizes[i]; bin--) {
            then[bin] += taken[bin] * (then[bin - sizes[i]] - then[bin]);
          }
        }
        for (int bin = 0; bin <= BINS; bin++) {
          double present = cards[step][bin] + 1e-6; // states never reached count every time alike
          sum[bin] += present * then[bin];
          weight[bin] += present;
        }
      }
      for (int bin = 0; bin <= BINS; bin++) {
        sum[bin] /= weight[bin];
      }
      return sum;
    }
  }
}

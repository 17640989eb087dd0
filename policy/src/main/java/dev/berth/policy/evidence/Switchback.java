package dev.berth.policy.evidence;

import dev.berth.policy.evidence.Slots.Arm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a switchback experiment has measured: the mean of every measure in every whole slot, and of
 * each pair of slots the difference B less A. A slot in which nothing was measured takes its pair
 * with it, so that a service that was away favours nobody. Who serves follows from it: once B does
 * harm A serves for good.
 *
 * <p>Thread rule: one thread.
 */
public final class Switchback {
  /** Pairs after which the experiment is over; bounds its memory. */
  public static final int MAX_PAIRS = 5_000;

  /**
   * The means of one pair of slots.
   *
   * @param number of the pair, counted from the start
   * @param a means under A, {@code [measures]}
   * @param b means under B
   */
  public record Pair(long number, double[] a, double[] b) {}

  private final Slots slots;
  private final int measures;
  private final List<Pair> pairs = new ArrayList<>();
  private final PairedSequence[] differences;
  private final double[] ofA;
  private long open = -1;
  private double[] sums;
  private int readings;
  private double[] firstOfPair = {};
  private long firstSlot = -1;
  private @Nullable List<SwitchbackVerdict> verdicts;

  /**
   * @param measures how many are taken at a time
   */
  public Switchback(Slots slots, int measures) {
    this.slots = slots;
    this.measures = measures;
    this.sums = new double[measures];
    this.ofA = new double[measures];
    this.differences = new PairedSequence[measures];
    Arrays.setAll(differences, i -> new PairedSequence());
  }

  public Slots slots() {
    return slots;
  }

  public int measures() {
    return measures;
  }

  /** Takes in what was measured at a time, {@code [measures]}; nothing once it is over. */
  public void measured(double at, double[] values) {
    if (values.length != measures) {
      throw new IllegalArgumentException(values.length + " measures, not " + measures);
    }
    if (over()) {
      return;
    }
    long slot = slots.slot(at);
    if (slot != open) {
      close();
      open = slot;
    }
    if (slots.measured(at) && Arrays.stream(values).allMatch(Double::isFinite)) {
      Arrays.setAll(sums, i -> sums[i] + values[i]);
      readings++;
    }
  }

  private void close() {
    if (readings > 0) {
      double[] means = sums.clone();
      Arrays.setAll(means, i -> means[i] / readings);
      if (Math.floorMod(open, 2) == 0) {
        firstOfPair = means;
        firstSlot = open;
      } else if (firstSlot == open - 1) {
        boolean firstIsA = slots.arm(firstSlot) == Arm.A;
        add(
            new Pair(
                Math.floorDiv(open, 2),
                firstIsA ? firstOfPair : means,
                firstIsA ? means : firstOfPair));
      }
    }
    sums = new double[measures];
    readings = 0;
  }

  /**
   * Takes in a pair that was measured before a restart, or now; one that has been there is none, as
   * when the clock was put back.
   */
  public void add(Pair pair) {
    if (pair.a().length != measures || pair.b().length != measures) {
      throw new IllegalArgumentException(
          "pair " + pair.number() + " does not have " + measures + " measures");
    }
    boolean next = pairs.isEmpty() || pair.number() > pairs.get(pairs.size() - 1).number();
    if (next && pairs.size() < MAX_PAIRS) {
      pairs.add(pair);
      verdicts = null;
      for (int i = 0; i < measures; i++) {
        differences[i].add(pair.b()[i] - pair.a()[i]);
        ofA[i] += pair.a()[i];
      }
    }
  }

  /** Whole pairs, in their order. */
  public List<Pair> pairs() {
    return List.copyOf(pairs);
  }

  /** Of every measure; they change only with a pair. */
  public List<SwitchbackVerdict> verdicts() {
    if (verdicts == null) {
      verdicts = SwitchbackVerdict.of(this);
    }
    return verdicts;
  }

  /** Whether B is worse by some measure. */
  public boolean harm() {
    return verdicts().stream().anyMatch(SwitchbackVerdict::harm);
  }

  /** Whether it has ended by itself: at harm, or because it has enough pairs. */
  public boolean over() {
    return pairs.size() >= MAX_PAIRS || harm();
  }

  /** Who serves at a time: both in turn, A for good when it is over. */
  public Arm serving(double at) {
    return over() ? Arm.A : slots.arm(slots.slot(at));
  }

  /** The differences B less A of a measure. */
  public PairedSequence difference(int measure) {
    return differences[measure];
  }

  /** Mean of a measure under A; NaN before the first pair. */
  public double meanOfA(int measure) {
    return pairs.isEmpty() ? Double.NaN : ofA[measure] / pairs.size();
  }
}

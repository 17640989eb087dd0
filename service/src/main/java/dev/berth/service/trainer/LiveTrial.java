package dev.berth.service.trainer;

import dev.berth.policy.agent.Settled;
import dev.berth.policy.evidence.ClusteredGain;
import dev.berth.policy.evidence.Estimate;
import dev.berth.policy.evidence.Looks;
import dev.berth.policy.evidence.Owners;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Locale;

/**
 * An interleaved experiment: half of the owners meet a version, the other half the version that it
 * would replace, at the same time on the same nodes. A decision's value is what its pod earned,
 * less what it would have earned where the base alone would have put it, both measured: that takes
 * out how much there was to earn at all. The gain is the difference of the halves' means, {@link
 * ClusteredGain} its error, {@link Looks} keeps repeated looks honest: a version that is no better
 * is called better, or one that is no worse called worse, with {@link #ERRING} at most each.
 *
 * <p>Thread rule: one thread.
 */
final class LiveTrial {
  static final double ERRING = 0.025;

  /** Decisions after which not being worse is enough, for it gained clearly on held-out ones. */
  static final int ENOUGH = 1_000;

  /** Decisions after which it is over. */
  static final int MAX_DECISIONS = 5_000;

  /** Not worse: loses less than this share of what a decision earns or loses in the mean. */
  static final double MARGIN = 0.05;

  private static final int FIRST = 40;
  private static final int EACH = 20;

  private final long version;
  private final long against;
  private final double window;
  private final ClusteredGain gain;
  private final Looks looks;
  private double stake;

  /**
   * @param window seconds in which outcomes are measured together
   */
  LiveTrial(long version, long against, double window) {
    this(version, against, window, new ClusteredGain(), new Looks(ERRING, FIRST));
  }

  private LiveTrial(long version, long against, double window, ClusteredGain gain, Looks looks) {
    this.version = version;
    this.against = against;
    this.window = window;
    this.gain = gain;
    this.looks = looks;
  }

  long version() {
    return version;
  }

  long against() {
    return against;
  }

  /** What happened so far. */
  enum Outcome {
    OPEN,
    WON,
    LOST
  }

  /** An outcome and why. */
  record Result(Outcome outcome, String reason, Estimate estimate) {}

  /** Takes in a measured decision; those of no half are left out. */
  void add(Settled s) {
    boolean met = Owners.meets(s.origin().owner(), version);
    boolean belongs = s.origin().version() == (met ? version : against);
    if (belongs && s.origin().counted() && !Double.isNaN(s.overBase())) {
      int owner = Owners.hash(s.origin().owner());
      gain.add(met, owner, (long) Math.floor(s.at() / window), s.overBase());
      stake += Math.abs(s.reward());
    }
  }

  Result look() {
    Estimate now = estimate();
    long n = gain.decisions();
    String said =
        String.format(
            Locale.ROOT, "%s on %d placements against version %d", now.words(), n, against);
    boolean compared = gain.tried() >= EACH && n - gain.tried() >= EACH;
    if (compared && looks.due(n, n)) {
      double level = looks.take(n);
      if (now.lower(level) > 0) {
        return new Result(Outcome.WON, said, now);
      }
      if (now.upper(level) < 0) {
        return new Result(Outcome.LOST, said, now);
      }
      if (n >= ENOUGH && now.lower(level) > -MARGIN * stake / n) {
        return new Result(Outcome.WON, said + ", not worse", now);
      }
    }
    return new Result(n >= MAX_DECISIONS ? Outcome.LOST : Outcome.OPEN, said + ", not clear", now);
  }

  private Estimate estimate() {
    return gain.tried() == 0 || gain.tried() == gain.decisions() ? Estimate.NONE : gain.estimate();
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(version);
    out.writeLong(against);
    out.writeDouble(window);
    out.writeDouble(stake);
    looks.write(out);
    gain.write(out);
  }

  static LiveTrial read(DataInput in) throws IOException {
    long version = in.readLong();
    long against = in.readLong();
    double window = in.readDouble();
    double stake = in.readDouble();
    Looks looks = new Looks(ERRING, FIRST);
    looks.resume(in);
    LiveTrial read = new LiveTrial(version, against, window, ClusteredGain.read(in), looks);
    read.stake = stake;
    return read;
  }
}

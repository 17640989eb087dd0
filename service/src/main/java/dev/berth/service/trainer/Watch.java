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
 * The serving version against its own base, on the same pods: what each pod earned where the
 * version put it, less what it would have earned where the base alone would have put it, both
 * measured. Only pods that went where the version ranked them first count. Within {@link #SPAN}
 * decisions a version that is no worse is called clearly worse with {@link #FALSE_ALARMS} at most;
 * then the evidence begins anew, so that a version that turns bad after years is still found out.
 *
 * <p>Thread rule: one thread.
 */
final class Watch {
  static final double FALSE_ALARMS = 0.01;
  static final int SPAN = 5_000;
  private static final int FIRST = 40;

  private final long version;
  private final double window;
  private ClusteredGain gain = new ClusteredGain();
  private Looks looks = new Looks(FALSE_ALARMS, FIRST);

  /**
   * @param window seconds in which outcomes are measured together
   */
  Watch(long version, double window) {
    this.version = version;
    this.window = window;
  }

  long version() {
    return version;
  }

  void add(Settled s) {
    if (s.origin().version() == version && s.ranked() && !Double.isNaN(s.overBase())) {
      if (gain.decisions() >= SPAN) {
        gain = new ClusteredGain();
        looks = new Looks(FALSE_ALARMS, FIRST);
      }
      int owner = Owners.hash(s.origin().owner());
      gain.add(owner, (long) Math.floor(s.at() / window), s.overBase());
    }
  }

  /** Whether it is clearly worse than its base. */
  boolean worse() {
    long n = gain.decisions();
    return looks.due(n, n) && gain.estimate().upper(looks.take(n)) < 0;
  }

  Estimate estimate() {
    return gain.estimate();
  }

  String words() {
    return String.format(
        Locale.ROOT,
        "%s on %d placements against the base alone",
        estimate().words(),
        gain.decisions());
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(version);
    out.writeDouble(window);
    looks.write(out);
    gain.write(out);
  }

  static Watch read(DataInput in) throws IOException {
    Watch read = new Watch(in.readLong(), in.readDouble());
    read.looks.resume(in);
    read.gain = ClusteredGain.read(in);
    return read;
  }
}

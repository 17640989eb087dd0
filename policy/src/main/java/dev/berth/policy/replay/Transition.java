package dev.berth.policy.replay;

import dev.berth.policy.network.Floats;
import dev.berth.policy.network.Rows;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A settled decision with full information: what every remembered candidate would have earned.
 * Immutable but for {@link #next} and {@link #priority}, which its owner sets.
 */
public final class Transition {
  private final Rows before;
  private final Rows after;
  private final float[] base;
  private final float[] expected;
  private final float[] rewards;
  private final float[] clips;
  private final int chosen;
  private final int stratum;
  @Nullable Transition next;
  float priority = 1;

  /**
   * @param before rows without the pod, one decision
   * @param after rows with it
   * @param base preference of the base, as a difference to the candidates' mean, {@code [rows]}
   * @param expected reward that the base's own forecast expects, {@code [rows]}; 0 without a base
   * @param rewards as a difference to the candidates' mean, {@code [rows]}; NaN where not measured
   * @param clips largest correction allowed, {@code [rows]}
   * @param chosen row that was taken
   * @param stratum class of the decision, 0..{@link ReplayBuffer#STRATA} - 1
   */
  public Transition(
      Rows before,
      Rows after,
      float[] base,
      float[] expected,
      float[] rewards,
      float[] clips,
      int chosen,
      int stratum) {
    this.before = before;
    this.after = after;
    this.base = base;
    this.expected = expected;
    this.rewards = rewards;
    this.clips = clips;
    this.chosen = chosen;
    this.stratum = stratum;
  }

  /** Writes everything but the link to the next decision. */
  public void write(DataOutput out) throws IOException {
    out.writeInt(before.width());
    out.writeInt(before.features().length);
    out.writeInt(chosen);
    out.writeInt(stratum);
    out.writeFloat(priority);
    for (int i = 0; i < before.width(); i++) {
      out.writeBoolean(before.valid()[i]);
      for (int[] group : before.groups()) {
        out.writeInt(group[i]);
      }
    }
    for (float[] column :
        new float[][] {before.features(), after.features(), base, expected, rewards, clips}) {
      Floats.write(out, column);
    }
  }

  /** Reads what {@link #write} wrote. */
  public static Transition read(DataInput in) throws IOException {
    int width = in.readInt();
    int size = in.readInt();
    int chosen = in.readInt();
    int stratum = in.readInt();
    float priority = in.readFloat();
    boolean[] valid = new boolean[width];
    int[][] groups = Rows.noGroups(width);
    for (int i = 0; i < width; i++) {
      valid[i] = in.readBoolean();
      for (int[] group : groups) {
        group[i] = in.readInt();
      }
    }
    Rows before = new Rows(1, width, Floats.read(in, size), valid, groups);
    Transition t =
        new Transition(
            before,
            before.with(Floats.read(in, size)),
            Floats.read(in, width),
            Floats.read(in, width),
            Floats.read(in, width),
            Floats.read(in, width),
            chosen,
            stratum);
    t.priority = priority;
    return t;
  }

  public Rows before() {
    return before;
  }

  public Rows after() {
    return after;
  }

  public float[] base() {
    return base;
  }

  public float[] expected() {
    return expected;
  }

  public float[] rewards() {
    return rewards;
  }

  public float[] clips() {
    return clips;
  }

  public int chosen() {
    return chosen;
  }

  public int stratum() {
    return stratum;
  }

  /** The decision that followed, for bootstrapped targets; null at an episode's end. */
  public @Nullable Transition next() {
    return next;
  }

  public void followedBy(Transition following) {
    this.next = following;
  }

  /** Sampling weight within its stratum, usually the size of the last error. */
  public void prioritise(float value) {
    this.priority = value;
  }
}

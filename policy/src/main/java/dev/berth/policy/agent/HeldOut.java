package dev.berth.policy.agent;

import dev.berth.policy.replay.Transition;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A settled decision that nothing is learned from, so that it can judge.
 *
 * @param owner hash of the pod's owner
 * @param window number of the time window in which it was measured: those of one window rest on the
 *     same measurements
 */
public record HeldOut(Transition transition, int owner, long window) {

  void write(DataOutput out) throws IOException {
    transition.write(out);
    out.writeInt(owner);
    out.writeLong(window);
  }

  static HeldOut read(DataInput in) throws IOException {
    return new HeldOut(Transition.read(in), in.readInt(), in.readLong());
  }
}

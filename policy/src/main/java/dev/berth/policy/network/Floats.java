package dev.berth.policy.network;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Arrays of floats as bytes, big-endian, without a length. */
public final class Floats {
  private Floats() {}

  public static void write(DataOutput out, float[] values) throws IOException {
    for (float v : values) {
      out.writeFloat(v);
    }
  }

  public static float[] read(DataInput in, int count) throws IOException {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = in.readFloat();
    }
    return values;
  }
}

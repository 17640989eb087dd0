package dev.berth.policy.model;

import dev.berth.policy.agent.AgentKind;
import dev.berth.policy.features.FeatureSchema;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Weights;
import dev.berth.policy.tensor.Adam;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * The format of a model: magic, format version, agent, base, feature schema hash, shapes, weights,
 * Adam's moments, CRC-32C of all that. Numbers are big-endian.
 *
 * @param base name of the policy whose score the weights correct; empty for an agent alone
 * @param moments optimiser state, so that training resumes bit by bit
 */
public record ModelFile(AgentKind agent, String base, Weights weights, Adam.Moments moments) {
  private static final long MAGIC = 0x42455254484d444cL; // "BERTHMDL"
  private static final int FORMAT = 1;
  private static final int MOST_VALUES = 50_000_000;

  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeLong(MAGIC);
      out.writeInt(FORMAT);
      out.writeUTF(agent.id());
      out.writeUTF(base);
      out.writeLong(FeatureSchema.hash());
      NetworkSpec spec = weights.spec();
      out.writeInt(spec.hidden().size());
      for (int width : spec.hidden()) {
        out.writeInt(width);
      }
      out.writeLong(moments.step());
      for (NetworkSpec.Parameter p : spec.parameters()) {
        write(out, weights.get(p.name()));
        write(out, values(moments.firsts(), p));
        write(out, values(moments.seconds(), p));
      }
      CRC32C crc = new CRC32C();
      crc.update(bytes.toByteArray());
      out.writeLong(crc.getValue());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads a model for an agent on a base.
   *
   * @throws IllegalArgumentException when the bytes are damaged or are for something else; the
   *     message says what
   */
  public static ModelFile decode(byte[] bytes, AgentKind agent, String base) {
    checkWhole(bytes);
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      in.readLong();
      int format = in.readInt();
      require(format == FORMAT, "has format " + format + ", this Berth reads " + FORMAT);
      String forAgent = in.readUTF();
      require(
          forAgent.equals(agent.id()),
          "is for agent " + forAgent + ", not " + agent.id() + ": choose that agent");
      String onBase = in.readUTF();
      require(
          onBase.equals(base),
          "corrects base '"
              + onBase
              + "', not '"
              + base
              + "': a correction fits only its own base");
      require(
          in.readLong() == FeatureSchema.hash(),
          "was trained on other features than this Berth makes: train it anew");
      List<Integer> hidden = new ArrayList<>();
      int layers = in.readInt();
      for (int i = 0; i < layers; i++) {
        hidden.add(in.readInt());
      }
      NetworkSpec spec = agent.network(hidden);
      long step = in.readLong();
      Map<String, float[]> weights = new LinkedHashMap<>();
      Map<String, float[]> firsts = new LinkedHashMap<>();
      Map<String, float[]> seconds = new LinkedHashMap<>();
      for (NetworkSpec.Parameter p : spec.parameters()) {
        weights.put(p.name(), read(in, p));
        firsts.put(p.name(), read(in, p));
        seconds.put(p.name(), read(in, p));
      }
      return new ModelFile(
          agent, base, new Weights(spec, weights), new Adam.Moments(step, firsts, seconds));
    } catch (IOException e) {
      throw new IllegalArgumentException("the model is cut short", e);
    }
  }

  private static void checkWhole(byte[] bytes) {
    int end = bytes.length - Long.BYTES;
    require(end > Long.BYTES, "is cut short");
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      require(in.readLong() == MAGIC, "is not a Berth model");
      CRC32C crc = new CRC32C();
      crc.update(bytes, 0, end);
      in.skipNBytes(end - Long.BYTES);
      require(in.readLong() == crc.getValue(), "is damaged: its checksum does not fit");
    } catch (IOException e) {
      throw new IllegalArgumentException("the model is cut short", e);
    }
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException("the model " + otherwise);
    }
  }

  private static float[] values(Map<String, float[]> all, NetworkSpec.Parameter p) {
    float[] values = all.get(p.name());
    if (values == null || values.length != p.size()) {
      throw new IllegalArgumentException("no moments of " + p.name());
    }
    return values;
  }

  private static void write(DataOutputStream out, float[] values) throws IOException {
    out.writeInt(values.length);
    for (float v : values) {
      out.writeFloat(v);
    }
  }

  private static float[] read(DataInputStream in, NetworkSpec.Parameter p) throws IOException {
    int n = in.readInt();
    require(
        n == p.size() && n <= MOST_VALUES,
        "has " + n + " numbers for " + p.name() + ", not " + p.size());
    float[] values = new float[n];
    for (int i = 0; i < n; i++) {
      values[i] = in.readFloat();
    }
    return values;
  }
}

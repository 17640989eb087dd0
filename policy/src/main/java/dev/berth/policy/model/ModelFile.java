package dev.berth.policy.model;

import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.LearnedPolicy;
import dev.berth.policy.features.FeatureSchema;
import dev.berth.policy.network.Floats;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Weights;
import dev.berth.policy.tensor.Adam;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * One model. Layout, big-endian:
 *
 * <pre>
 * magic "BERTHMDL", format version, feature schema hash, base id, settings (name=value lines),
 * gradient steps, transitions, then per parameter: name, rows, columns, values;
 * Adam's step and per parameter both moments; CRC-32C of all of it
 * </pre>
 *
 * @param schema hash of the features it was trained on
 * @param base what its correction is added to; a residual on another base does harm
 * @param steps gradient steps behind it
 * @param transitions measured decisions behind it
 */
public record ModelFile(
    AgentConfig config,
    long schema,
    String base,
    Weights weights,
    Adam.Moments moments,
    long steps,
    long transitions) {
  private static final long MAGIC = 0x42455254484d444cL; // "BERTHMDL"
  private static final int FORMAT = 1;
  private static final int LEAST_BYTES = 28;

  /** A model of this build's features and base. */
  public static ModelFile of(
      AgentConfig config, Weights weights, Adam.Moments moments, long steps, long transitions) {
    return new ModelFile(
        config,
        FeatureSchema.hash(),
        LearnedPolicy.baseId(config),
        weights,
        moments,
        steps,
        transitions);
  }

  /** The policy that serves these weights. */
  public LearnedPolicy policy() {
    return new LearnedPolicy(config, weights);
  }

  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeLong(MAGIC);
      out.writeInt(FORMAT);
      out.writeLong(schema);
      out.writeUTF(base);
      out.writeUTF(config.text());
      out.writeLong(steps);
      out.writeLong(transitions);
      for (NetworkSpec.Parameter p : weights.spec().parameters()) {
        out.writeUTF(p.name());
        out.writeInt(p.rows());
        out.writeInt(p.columns());
        Floats.write(out, weights.get(p.name()));
      }
      out.writeLong(moments.step());
      for (NetworkSpec.Parameter p : weights.spec().parameters()) {
        Floats.write(out, moments.first(p.name()));
        Floats.write(out, moments.second(p.name()));
      }
      out.writeLong(checksum(bytes.toByteArray(), bytes.size()));
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail to be written", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads a model and checks that this build can serve it.
   *
   * @throws IllegalArgumentException saying what is wrong and what to do: no model, damaged, of
   *     another format, other features or another base
   */
  public static ModelFile decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      if (bytes.length < LEAST_BYTES || in.readLong() != MAGIC) {
        throw new IllegalArgumentException("this is not a Berth model file");
      }
      int format = in.readInt();
      if (format != FORMAT) {
        throw new IllegalArgumentException(
            "model format " + format + ", this build reads " + FORMAT + ": train a new model");
      }
      DataInputStream tail =
          new DataInputStream(new ByteArrayInputStream(bytes, bytes.length - Long.BYTES, 8));
      if (checksum(bytes, bytes.length - Long.BYTES) != tail.readLong()) {
        throw new IllegalArgumentException(
            "the model file is damaged or cut short (checksum): restore it, or train a new one");
      }
      ModelFile file = body(in);
      file.check();
      return file;
    } catch (IOException e) {
      throw new IllegalArgumentException("the model file ends too early: train a new one", e);
    }
  }

  /**
   * Reads a model for an agent on its base; see {@link #decode(byte[])}.
   *
   * @throws IllegalArgumentException also when the model is of another agent or for another base
   */
  public static ModelFile decode(byte[] bytes, AgentConfig wanted) {
    ModelFile found = decode(bytes);
    if (found.config.kind() != wanted.kind()) {
      throw new IllegalArgumentException(
          "the model is for agent "
              + found.config.kind().id()
              + ", not "
              + wanted.kind().id()
              + ": choose that agent");
    }
    if (!found.base.equals(LearnedPolicy.baseId(wanted))) {
      throw new IllegalArgumentException(
          "the model corrects base '"
              + found.base
              + "', not '"
              + LearnedPolicy.baseId(wanted)
              + "': a correction fits only its own base");
    }
    if (!found.config.rewards().seen().equals(wanted.rewards().seen())) {
      throw new IllegalArgumentException(
          "the model sees the rewards "
              + found.config.rewards()
              + ", not "
              + wanted.rewards()
              + ": go back to those rewards, or start with an empty folder of models");
    }
    return found;
  }

  private static ModelFile body(DataInputStream in) throws IOException {
    long schema = in.readLong();
    String base = in.readUTF();
    if (schema != FeatureSchema.hash()) {
      throw new IllegalArgumentException(
          String.format(
              "the model was trained on other features (schema %08x, this build has %08x): train a"
                  + " new one",
              schema, FeatureSchema.hash()));
    }
    AgentConfig config = AgentConfig.parse(in.readUTF());
    long steps = in.readLong();
    long transitions = in.readLong();
    NetworkSpec spec = config.network();
    Map<String, float[]> values = new LinkedHashMap<>();
    for (NetworkSpec.Parameter p : spec.parameters()) {
      String name = in.readUTF();
      int rows = in.readInt();
      int columns = in.readInt();
      if (!name.equals(p.name()) || rows != p.rows() || columns != p.columns()) {
        throw new IllegalArgumentException(
            String.format(
                "the model has %s [%d, %d] where its settings want %s [%d, %d]",
                name, rows, columns, p.name(), p.rows(), p.columns()));
      }
      values.put(name, Floats.read(in, p.size()));
    }
    long step = in.readLong();
    Map<String, float[]> first = new LinkedHashMap<>();
    Map<String, float[]> second = new LinkedHashMap<>();
    for (NetworkSpec.Parameter p : spec.parameters()) {
      first.put(p.name(), Floats.read(in, p.size()));
      second.put(p.name(), Floats.read(in, p.size()));
    }
    return new ModelFile(
        config,
        schema,
        base,
        new Weights(spec, values),
        new Adam.Moments(step, first, second),
        steps,
        transitions);
  }

  private void check() {
    if (!base.equals(LearnedPolicy.baseId(config))) {
      throw new IllegalArgumentException(
          "the model corrects base '"
              + base
              + "', this build has '"
              + LearnedPolicy.baseId(config)
              + "': a correction of another base does harm; train a new one");
    }
    if (!weights.finite()) {
      throw new IllegalArgumentException("the model has weights that are not finite");
    }
  }

  private static long checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return crc.getValue();
  }
}

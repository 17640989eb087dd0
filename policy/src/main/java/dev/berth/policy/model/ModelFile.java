package dev.berth.policy.model;

import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.AgentNetwork;
import dev.berth.policy.agent.LearnedPolicy;
import dev.berth.policy.features.FeatureSchema;
import dev.berth.policy.file.CheckedFile;
import dev.berth.policy.network.Floats;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Weights;
import dev.berth.policy.tensor.Adam;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One model. Body of the {@link CheckedFile}:
 *
 * <pre>
 * feature schema hash, base id, settings (name=value lines), gradient steps, transitions,
 * then per parameter: name, rows, columns, values; Adam's step and per parameter both moments
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
  private static final CheckedFile FILE =
      new CheckedFile("BERTHMDL", 1, "Berth model file", "train a new one");

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
    return FILE.encode(this::write);
  }

  private void write(DataOutputStream out) throws IOException {
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
  }

  /**
   * Reads a model and checks that this build can serve it.
   *
   * @throws IllegalArgumentException saying what is wrong and what to do: no model, damaged, of
   *     another format, other features or another base
   */
  public static ModelFile decode(byte[] bytes) {
    ModelFile file = FILE.decode(bytes, ModelFile::read);
    file.check();
    return file;
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
    if (!found.config.task().rewards().seen().equals(wanted.task().rewards().seen())) {
      throw new IllegalArgumentException(
          "the model sees the rewards "
              + found.config.task().rewards()
              + ", not "
              + wanted.task().rewards()
              + ": go back to those rewards, or start with an empty folder of models");
    }
    return found;
  }

  private static ModelFile read(DataInputStream in) throws IOException {
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
    NetworkSpec spec = AgentNetwork.spec(config);
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
}

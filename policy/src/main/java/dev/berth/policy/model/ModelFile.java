package dev.berth.policy.model;

import dev.berth.policy.file.CheckedFile;
import dev.berth.policy.network.Floats;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Weights;
import dev.berth.policy.tensor.Adam;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A trained network and all that must fit it, whatever it was trained for. Body of the {@link
 * CheckedFile}:
 *
 * <pre>
 * task, schema, base, settings, gradient steps, transitions;
 * network: inputs, hidden widths, outputs, message passing, skip, activation;
 * per parameter its values; whether moments follow: Adam's step, per parameter both moments
 * </pre>
 *
 * @param task what it was trained for; a model of another task is refused
 * @param schema hash of the names and order of the inputs
 * @param base what its output is added to, {@code none} where it stands alone
 * @param settings of the agent, in the task's own words
 * @param moments of the optimiser, null where training does not go on
 * @param steps gradient steps behind it
 * @param transitions measured decisions behind it
 */
public record ModelFile(
    String task,
    long schema,
    String base,
    String settings,
    Weights weights,
    Adam.@Nullable Moments moments,
    long steps,
    long transitions) {
  private static final String MAGIC = "BERTHMDL";
  private static final int FORMAT = 2;

  /** More than any network here has; what a damaged length may ask for. */
  private static final int MAX_WIDTH = 1 << 14;

  public byte[] encode() {
    return file("").encode(this::write);
  }

  private static CheckedFile file(String fix) {
    return new CheckedFile(MAGIC, FORMAT, "Berth model file", fix);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeUTF(task);
    out.writeLong(schema);
    out.writeUTF(base);
    out.writeUTF(settings);
    out.writeLong(steps);
    out.writeLong(transitions);
    NetworkSpec spec = weights.spec();
    out.writeInt(spec.inputs());
    out.writeInt(spec.hidden().size());
    for (int width : spec.hidden()) {
      out.writeInt(width);
    }
    out.writeInt(spec.outputs());
    out.writeBoolean(spec.messagePassing());
    out.writeBoolean(spec.skip());
    out.writeUTF(spec.activation().name());
    for (NetworkSpec.Parameter p : spec.parameters()) {
      Floats.write(out, weights.get(p.name()));
    }
    out.writeBoolean(moments != null);
    if (moments != null) {
      out.writeLong(moments.step());
      for (NetworkSpec.Parameter p : spec.parameters()) {
        Floats.write(out, moments.first(p.name()));
        Floats.write(out, moments.second(p.name()));
      }
    }
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @param task that it must have been trained for
   * @param fix what to do about a file that cannot be read, for messages
   * @throws IllegalArgumentException saying what is wrong and what to do: no model, of another
   *     task, damaged, of another format, with weights that are not finite
   */
  public static ModelFile decode(byte[] bytes, String task, String fix) {
    return file(fix).decode(bytes, in -> read(in, task));
  }

  private static ModelFile read(DataInputStream in, String wanted) throws IOException {
    String task = in.readUTF();
    if (!task.equals(wanted)) {
      throw new IllegalArgumentException(
          "the model was trained for task '"
              + task
              + "', not '"
              + wanted
              + "': choose another one");
    }
    long schema = in.readLong();
    String base = in.readUTF();
    String settings = in.readUTF();
    long steps = in.readLong();
    long transitions = in.readLong();
    NetworkSpec spec = spec(in);
    long numbers = spec.parameters().stream().mapToLong(NetworkSpec.Parameter::size).sum();
    if (numbers * Float.BYTES > in.available()) { // before memory for them is asked for
      throw new EOFException();
    }
    Weights weights = new Weights(spec, values(in, spec));
    if (!weights.finite()) {
      throw new IllegalArgumentException("the model has weights that are not finite");
    }
    Adam.Moments moments = in.readBoolean() ? moments(in, spec) : null;
    return new ModelFile(task, schema, base, settings, weights, moments, steps, transitions);
  }

  private static NetworkSpec spec(DataInputStream in) throws IOException {
    int inputs = width(in.readInt());
    List<Integer> hidden = new ArrayList<>();
    for (int layers = width(in.readInt()); layers > 0; layers--) {
      hidden.add(width(in.readInt()));
    }
    int outputs = width(in.readInt());
    boolean messagePassing = in.readBoolean();
    boolean skip = in.readBoolean();
    NetworkSpec.Activation activation = NetworkSpec.Activation.valueOf(in.readUTF());
    return new NetworkSpec(inputs, hidden, outputs, messagePassing, skip, activation);
  }

  private static int width(int width) {
    if (width < 0 || width > MAX_WIDTH) {
      throw new IllegalArgumentException(
          "the model has a layer of " + width + " units, at most " + MAX_WIDTH + " are supported");
    }
    return width;
  }

  private static Map<String, float[]> values(DataInputStream in, NetworkSpec spec)
      throws IOException {
    Map<String, float[]> values = new LinkedHashMap<>();
    for (NetworkSpec.Parameter p : spec.parameters()) {
      values.put(p.name(), Floats.read(in, p.size()));
    }
    return values;
  }

  private static Adam.Moments moments(DataInputStream in, NetworkSpec spec) throws IOException {
    long step = in.readLong();
    Map<String, float[]> first = new LinkedHashMap<>();
    Map<String, float[]> second = new LinkedHashMap<>();
    for (NetworkSpec.Parameter p : spec.parameters()) {
      first.put(p.name(), Floats.read(in, p.size()));
      second.put(p.name(), Floats.read(in, p.size()));
    }
    return new Adam.Moments(step, first, second);
  }
}

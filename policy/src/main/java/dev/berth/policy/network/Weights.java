package dev.berth.policy.network;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * An immutable snapshot of a network's weights; matrices are row-major {@code [fan-in][width]}.
 *
 * <p>Thread rule: immutable, share freely. Arrays handed out are not copied: do not write to them.
 */
public final class Weights {
  private final NetworkSpec spec;
  private final Map<String, float[]> values;

  /** The same laid out for products, once for all of them. */
  private final Map<String, Matrix> matrices;

  private final boolean silent;

  public Weights(NetworkSpec spec, Map<String, float[]> values) {
    this.spec = spec;
    this.values = new LinkedHashMap<>();
    this.matrices = new HashMap<>();
    for (NetworkSpec.Parameter p : spec.parameters()) {
      float[] v = values.get(p.name());
      if (v == null || v.length != p.size()) {
        throw new IllegalArgumentException(
            "weights of "
                + p.name()
                + ": want "
                + p.size()
                + " numbers, got "
                + (v == null ? "none" : v.length));
      }
      this.values.put(p.name(), v);
      if (!p.name().endsWith(".bias")) {
        matrices.put(p.name(), new Matrix(p.rows(), p.columns()).set(v, 0));
      }
    }
    silent =
        this.values.entrySet().stream().allMatch(e -> !output(e.getKey()) || zero(e.getValue()));
  }

  /** Whether the output layer is all zero: every output is 0, whatever the rows. */
  public boolean silent() {
    return silent;
  }

  private static boolean output(String parameter) {
    return parameter.startsWith("out.") || parameter.startsWith("skip.");
  }

  private static boolean zero(float[] values) {
    for (float v : values) {
      if (v != 0) {
        return false;
      }
    }
    return true;
  }

  /** PyTorch's default for linear layers: uniform within 1/sqrt(fan-in), biases too. */
  public static Weights random(NetworkSpec spec, RandomGenerator random) {
    Map<String, float[]> values = new LinkedHashMap<>();
    float bound = 1;
    for (NetworkSpec.Parameter p : spec.parameters()) {
      float[] v = new float[p.size()];
      if (!p.name().endsWith(".bias")) {
        bound = (float) (1 / Math.sqrt(p.rows()));
      }
      for (int i = 0; i < v.length; i++) {
        v[i] = (2 * random.nextFloat() - 1) * bound;
      }
      values.put(p.name(), v);
    }
    return new Weights(spec, values);
  }

  /** The same network with its output layer set to zero: it corrects nothing until it learns. */
  public Weights withZeroOutputs() {
    Map<String, float[]> quiet = new LinkedHashMap<>(values);
    quiet.replaceAll((name, v) -> output(name) ? new float[v.length] : v);
    return new Weights(spec, quiet);
  }

  /**
   * The network that is left when its last inputs are known: their part is a constant, so that a
   * row costs what it costs without them. Not for networks with message passing.
   */
  public Weights given(float[] lastInputs) {
    if (lastInputs.length == 0) {
      return this;
    }
    int own = spec.inputs() - lastInputs.length;
    Map<String, float[]> left = new LinkedHashMap<>(values);
    String first = spec.hidden().isEmpty() ? "out" : "layer0";
    left.put(first + ".weight", split(first + ".weight", first + ".bias", own, lastInputs, left));
    if (spec.skip()) {
      left.put("skip.weight", split("skip.weight", "out.bias", own, lastInputs, left));
    }
    return new Weights(spec.withInputs(own), left);
  }

  /** The first rows of a matrix; what the others add goes to the bias. */
  private float[] split(
      String matrix, String bias, int rows, float[] others, Map<String, float[]> left) {
    float[] all = get(matrix);
    int width = all.length / spec.inputs();
    float[] sum = left.getOrDefault(bias, get(bias)).clone();
    for (int i = 0; i < others.length; i++) {
      for (int j = 0; j < width; j++) {
        sum[j] += all[(rows + i) * width + j] * others[i];
      }
    }
    left.put(bias, sum);
    return Arrays.copyOf(all, rows * width);
  }

  /** A step of a target network: {@code (1 - tau) this + tau online}. */
  public Weights towards(Weights online, double tau) {
    if (tau == 1) {
      return online;
    }
    Map<String, float[]> mixed = new LinkedHashMap<>();
    values.forEach(
        (name, v) -> {
          float[] m = v.clone();
          float[] to = online.get(name);
          for (int i = 0; i < m.length; i++) {
            m[i] += (float) (tau * (to[i] - m[i]));
          }
          mixed.put(name, m);
        });
    return new Weights(spec, mixed);
  }

  public NetworkSpec spec() {
    return spec;
  }

  public float[] get(String parameter) {
    float[] v = values.get(parameter);
    if (v == null) {
      throw new IllegalArgumentException("no parameter " + parameter + " in " + values.keySet());
    }
    return v;
  }

  Matrix matrix(String parameter) {
    Matrix m = matrices.get(parameter);
    if (m == null) {
      throw new IllegalArgumentException("no matrix " + parameter + " in " + matrices.keySet());
    }
    return m;
  }

  /** Checksum of all values: equal weights, equal hash. */
  public long hash() {
    CRC32C crc = new CRC32C();
    for (float[] v : values.values()) {
      for (float f : v) {
        int bits = Float.floatToIntBits(f);
        for (int shift = 0; shift < 32; shift += 8) {
          crc.update(bits >>> shift);
        }
      }
    }
    return crc.getValue();
  }

  /** Whether every number is finite. */
  public boolean finite() {
    return values.values().stream()
        .allMatch(v -> IntStream.range(0, v.length).allMatch(i -> Float.isFinite(v[i])));
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Weights w
        && spec.equals(w.spec)
        && values.keySet().stream().allMatch(k -> Arrays.equals(values.get(k), w.values.get(k)));
  }

  @Override
  public int hashCode() {
    return (int) hash();
  }
}
